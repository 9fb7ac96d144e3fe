# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# The Test Anything Protocol for shell tests: one call a fact, done_testing last.
number=0
failed=0
out='' err='' status=0

# ok NAME COMMAND...: passes if the command succeeds, else shows what it printed.
ok() {
  number=$((number + 1))
  fact=$1
  shift
  if printed=$("$@" 2>&1); then
    echo "ok $number - $fact"
  else
    failed=1
    echo "not ok $number - $fact"
    printf '%s\n' "$printed" | sed 's/^/# /'
  fi
}

# same NAME GOT EXPECTED
same() {
  ok "$1" text_equal "$2" "$3"
}

text_equal() {
  [ "$1" = "$2" ] && return
  printf "got:\n%s\nexpected:\n%s\n" "$1" "$2"
  return 1
}

# clean NAME OFFENCES: the list of offences is empty.
clean() {
  ok "$1" no_text "$2"
}

no_text() {
  [ -z "$1" ] && return
  printf '%s\n' "$1"
  return 1
}

# holds NAME TEXT PATTERN: the text matches the shell pattern.
holds() {
  # shellcheck disable=SC2254 # a pattern it is
  case $2 in
    $3) ok "$1" true ;;
    *) ok "$1" text_equal "$2" "$3" ;;
  esac
}

# skip NAME REASON
skip() {
  number=$((number + 1))
  echo "ok $number - $1 # SKIP $2"
}

# Runs a command; leaves its standard output, standard error and status in $out, $err and $status.
# shellcheck disable=SC2034 # for the tests
run() {
  messages=$(mktemp)
  status=0
  out=$("$@" 2>"$messages") || status=$?
  err=$(cat "$messages")
  rm -f "$messages"
}

done_testing() {
  echo "1..$number"
  exit $failed
}
