#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# servet --version, servet show PROFILE, servet check --fitness PROFILE (file $FAKE/unfit says why not), servet merge [--class NAME] -o FILE PROFILE...: the lines of all profiles, as a file
# that is always whole; servet measure, as the fake of servet-mpi does.
# shellcheck source=tests/drivers/fakes/servet-mpi.sh
case $1 in
--version) echo 'servet 1.2.3' ;;
show)
  case $(cat "$2" 2>/dev/null) in
  '{"schema"'*'}') ;;
  *)
    echo "servet: $2:1: cannot be read, or this is no profile" >&2
    exit 1
    ;;
  esac
  ;;
check)
  [ "$2" = --fitness ] || exit 2
  cat "$FAKE/unfit" 2>/dev/null && exit 1
  echo 'fit for use'
  ;;
merge)
  shift
  if [ "$1" = --class ]; then
    echo "merge --class $2" >>"$FAKE/log"
    shift 2
  fi
  [ "$1" = -o ] || exit 2
  file=$2
  shift 2
  {
    echo '{"schema": "fake", "runs": "' && {
      grep -hv '^[{"]' "$@" || [ $? -eq 1 ] # no such line
    } && echo '"}'
  } >"$file.new" && mv "$file.new" "$file"
  ;;
measure) . "$FAKE_HOME/servet-mpi.sh" ;;
*) exit 2 ;;
esac
