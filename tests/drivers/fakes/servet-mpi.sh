#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# servet-mpi measure, and servet measure: adds a line to DIR/raw/runs.csv and puts all lines into the profile,
# as a file that is always whole. Files in $FAKE change what it does: while stay exists it goes on measuring;
# status holds the status to fail with.
set -u
echo "${0##*/} $*" >>"$FAKE/log"

wrong() {
  echo "servet-mpi: unknown option '$1'" >&2
  exit 2
}

[ "${1-}" = measure ] || wrong "${1-}"
shift
size='' output='' how=new
while [ $# -gt 0 ]; do
  case $1 in
  --resume) how=resumed ;;
  --message-size)
    size=$2
    shift
    ;;
  --budget | --only) shift ;;
  -o)
    output=$2
    shift
    ;;
  *) wrong "$1" ;;
  esac
  shift
done
[ -n "$output" ] || wrong ''
echo "measuring up to $size"
trap 'echo stopped; exit 143' TERM
while [ -e "$FAKE/stay" ]; do
  sleep 0.1
done
[ ! -e "$FAKE/status" ] || exit "$(cat "$FAKE/status")"
mkdir -p "$output/raw" || exit 1
echo "$size,$how" >>"$output/raw/runs.csv" || exit 1
{
  echo '{"schema": "fake", "runs": "'
  cat "$output/raw/runs.csv"
  echo '"}'
} >"$output/profile.new" && mv "$output/profile.new" "$output/profile.json"
