#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# servet-mpi where, a line for each rank (each of which is alone while $FAKE/alone exists, or on a host that calls
# itself as file $FAKE/namesake says), its measure, and servet measure: adds a line to DIR/raw/runs.csv and puts all lines into the profile,
# as a file that is always whole. Files in $FAKE change what it does: while stay exists it goes on measuring;
# status holds the status to fail with.
set -u
echo "${0##*/} $*" >>"$FAKE/log"

wrong() {
  echo "servet-mpi: unknown option '$1'" >&2
  exit 2
}

# In blocks, as many on each host.
where() {
  count=$(echo "$FAKE_HOSTS" | wc -w)
  each=$(((FAKE_RANKS + count - 1) / count))
  rank=0
  for host in $FAKE_HOSTS; do
    [ ! -e "$FAKE/namesake" ] || host=$(cat "$FAKE/namesake")
    for _ in $(seq 1 "$each"); do
      [ "$rank" -lt "$FAKE_RANKS" ] || return 0
      [ ! -e "$FAKE/alone" ] || rank=0
      echo "rank $rank on $host, cores 0, now on 0"
      rank=$((rank + 1))
    done
  done
}

case $* in
where) where && exit ;;
'measure --help')
  case ${0##*/} in
  servet) echo '      --only LIST          benchmarks to run: cache, sharing, line (default: all)' ;;
  *) echo '      --only LIST          benchmarks to run: node, layers, curves, access (default: all)' ;;
  esac
  exit
  ;;
measure*) shift ;;
*) wrong "${1-}" ;;
esac
size='' output='' how=new only=
while [ $# -gt 0 ]; do
  case $1 in
  --resume) how=resumed ;;
  --message-size)
    size=$2
    shift
    ;;
  --budget) shift ;;
  --only=*) only=${1#*=} ;;
  --only)
    only=$2
    shift
    ;;
  -o)
    output=$2
    shift
    ;;
  *) wrong "$1" ;;
  esac
  shift
done
[ -n "$output" ] || wrong ''
if [ "${0##*/} ${FAKE_RANKS-}" = 'servet-mpi 1' ] && [ "$only" != node ]; then
  echo 'servet-mpi: one process alone has nobody to send messages to' >&2
  exit 1
fi
trap 'echo stopped >&2; exit 143' TERM
echo "measuring up to $size" >&2
while [ -e "$FAKE/stay" ]; do
  sleep 0.05
done
[ ! -s "$FAKE/status" ] || exit "$(cat "$FAKE/status")"
mkdir -p "$output/raw" || exit 1
echo "$size,$how" >>"$output/raw/runs.csv" || exit 1
{
  echo '{"schema": "fake", "runs": "' && cat "$output/raw/runs.csv" && echo '"}'
} >"$output/profile.new" || exit 1
mv "$output/profile.new" "$output/profile.json" || exit 1
printf '%s\n' 'warning: node h2 is slower than the others: memory' '' 'Communication of 4 processes on 2 nodes' '  layer 1' \
  "profile: $output/profile.json" 'fit for use'
