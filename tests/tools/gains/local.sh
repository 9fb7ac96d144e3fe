#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Measures the gains of programs on this machine from Servet's results: each prints the time without and with them from
# one run; this prints the ratio of several runs, the least, the median and the greatest. Nothing is compared with a
# limit. The profile is $SERVET_PROFILE, or else is measured first.
# usage: local.sh SERVET RUNS NAME=PROGRAM...
set -eu
servet=$1 runs=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# ratios: the time without the profile divided by the time with it, of each line that has both.
ratios() {
  sed -n 's/.*unblocked *\([0-9.]*\) s, blocked *\([0-9.]*\) s.*/\1 \2/p
    s/.*sweeps: *\([0-9.]*\) s, as the system places .* threads *\([0-9.]*\) s.*/\2 \1/p' |
    awk '$2 > 0 { print $1 / $2 }'
}

# summary NAME: of the numbers that are read.
summary() {
  sort -g | awk -v name="$1" '{ value[NR] = $1 }
    END { if (!NR) { print name ": no times"; exit }
          printf "%s: %.2f times as fast (%.2f-%.2f, %d runs)\n", name, value[int((NR + 1) / 2)], value[1], value[NR], NR }'
}

gain() {
  program=${1#*=}
  for _ in $(seq "$runs"); do
    "$program" >>"$folder/out"
  done
  ratios <"$folder/out" >"$folder/ratios"
  sed -n '/^block/p; /^threads/p' "$folder/out" | sort -u
  summary "${1%%=*}" <"$folder/ratios"
  rm "$folder/out"
}

# load: how many processes wanted a processor in the last minute.
load() {
  awk '{ print "load " $1 }' /proc/loadavg
}

sed -n 's/^model name[^:]*: /processor: /p; s/^cpu family[^:]*: /family: /p; s/^model\t[^:]*: /model: /p' /proc/cpuinfo | sort -u
load
if [ -z "${SERVET_PROFILE:-}" ]; then
  "$servet" measure --quiet --only cache,memory --output "$folder/measured" >/dev/null
  export SERVET_PROFILE="$folder/measured/profile.json"
fi
for example; do
  gain "$example"
done
load
