#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Predicted and real times of programs on a virtual cluster, their processes placed by block, cyclic and by Servet,
# all of them pinned: cluster.sh BUILD SHAPE RUNS PROGRAM...
# SHAPE is what `tests/cluster/cluster.sh up` takes, in one word: 'leaves 20mbit 8mbit 2 2'. A PROGRAM is
# NAME:TRACED:TIMED=COMMAND: it prints "Time in seconds = S", "S s a step", "S s a solve" or "Loop time of S" for TIMED
# steps, of TRACED that it makes. Its times are predicted before it runs on the cluster: what all TIMED steps spend on
# messages, on computing (measured with all processes on one host, where messages cost little), and both. Then it runs.
# Medians of RUNS, which alternate.
# $KEEP, if set, is a folder for profile, traffic, predictions and rankfiles; $BUDGET, the seconds for measuring, are 60
# if not set; $EACH is the number of processes on a host, 2.
# shellcheck disable=SC2031 # functions of these files that run in subshells have a count of their own
set -eu
build=$1 shape=$2 runs=$3
shift 3
cluster_tools=$(CDPATH='' cd -- "$(dirname -- "$0")/../../cluster" && pwd -P)
# shellcheck source=tests/cluster/hosts.sh
. "$cluster_tools/hosts.sh"
# shellcheck source=tests/cluster/links.sh
. "$cluster_tools/links.sh"
for reason in "$(cluster_lacks)" "$(cluster_lacks_mpi)"; do
  [ -z "$reason" ] || { echo "no virtual cluster: $reason" && exit 77; }
done
folder=${KEEP:-$(mktemp -d)}
mkdir -p "$folder"
trap 'cluster_end; [ -n "${KEEP:-}" ] || rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
each=${EACH:-2}

# lay_out SHAPE WORD...: as `cluster.sh up`.
lay_out() {
  kind=$1
  shift
  case $kind in
    leaves) cluster_hosts "$(printf '%s\n' "$@" | awk 'NR > 2 { sum += $1 } END { print sum }')" ;;
    *) cluster_hosts "$1" && shift ;;
  esac
  "cluster_$kind" "$@"
}

# ranks HOSTS OPTION... PROGRAM [ARGUMENT]...: all ranks, on these hosts.
ranks() {
  hosts=$1
  shift
  cluster_mpi
  in_host h0 timeout 300 sh "$cluster_tools/../mpi/launch.sh" "$count" --host "$hosts" "$@" 2>>"$folder/errors"
}

# seconds: what a program said.
seconds() {
  sed -n 's/.*[tT]ime in seconds *= *\([0-9.]*\).*/\1/p; s/.*: *\([0-9.]*\) s a [a-z]*.*/\1/p
    s/^Loop time of \([0-9.]*\) .*/\1/p'
}

median() {
  sort -g | awk '{ value[NR] = $1 } END { if (NR) print value[int((NR + 1) / 2)]; else print "nan" }'
}

# trace NAME STEPS COMMAND...: what each rank sends to each other in a step, by Open MPI itself.
trace() {
  traced=$folder/$1.sent steps=$2
  shift 2
  OMPI_MCA_pml_monitoring_enable=2 OMPI_MCA_pml_monitoring_enable_output=3 \
    OMPI_MCA_pml_monitoring_filename="$traced" ranks "$together" env OMPI_MCA_pml=ob1,monitoring "$@" >/dev/null
  cat "$traced".*.prof | awk -v steps="$steps" -v count="$count" '
    ($1 == "E" || $1 == "I") && $2 != $3 { bytes[$2 " " $3] += $4 }
    END { for (pair in bytes) print pair, bytes[pair] / steps
          for (rank = 0; rank < count; rank++) print rank, (rank + 1) % count, 0 }'
  rm -f "$traced".*.prof
}

# predicted ORDER FILE: the time of a step's messages.
predicted() {
  "$build/servet" map -n "$count" --order "$1" --matrix "$2" --explain --json "$folder/measured/profile.json" |
    tr -d '\n' | tr '{' '\n' | sed -n "s/.*\"order\": *\"$1\".*\"seconds\": *\([^,]*\),.*/\1/p"
}

place() {
  "$build/servet" map -n "$count" --order "$1" --matrix "$2" --format openmpi-rankfile \
    "$folder/measured/profile.json" >"$3"
}

# predict NAME COMMAND...: "ORDER MESSAGES COMPUTING" of each placement, before any of them runs.
predict() {
  predicting=$1
  shift
  for _ in $(seq "$runs"); do
    ranks "$together" "$@" | seconds >>"$folder/$predicting.computing.times"
  done
  computing=$(median <"$folder/$predicting.computing.times")
  for order in block cyclic servet; do
    place "$order" "$folder/$predicting.traffic" "$folder/$predicting.$order.ranks"
    echo "$order $(predicted "$order" "$folder/$predicting.traffic") $computing"
  done
}

# run_placed ORDER NAME COMMAND...
run_placed() {
  rankfile=$folder/$2.$1.ranks
  shift 2
  ranks "$apart" --mca rmaps_rank_file_physical 1 --use-hwthread-cpus --rankfile "$rankfile" "$@"
}

compare() {
  words=${1%%=*} command=${1#*=}
  name=${words%%:*} timed=${words##*:}
  traced=${words#*:} traced=${traced%%:*}
  rm -f "$folder/$name".*.times
  # shellcheck disable=SC2086 # words
  trace "$name" "$traced" $command >"$folder/$name.traffic"
  # shellcheck disable=SC2086 # words
  predict "$name" $command >"$folder/$name.predicted"
  for _ in $(seq "$runs"); do
    for order in block cyclic servet; do
      # shellcheck disable=SC2086 # words
      run_placed "$order" "$name" $command | seconds >>"$folder/$name.$order.times"
    done
  done
  while read -r order messages computing; do
    echo "$name $order $messages $timed $computing $(median <"$folder/$name.$order.times")"
  done <"$folder/$name.predicted" | awk '{ messages = $3 * $4; both = messages + $5
    printf "%-12s %-7s %9.3f %9.3f %9.3f %9.3f %9.2f\n", $1, $2, messages, $5, both, $6, both / $6 }'
}

cluster_begin
# shellcheck disable=SC2086 # words
lay_out $shape
apart=$(ranks_each "$each")
count=$(($(cluster_list | wc -l) * each))
together=h0:$count
[ -f "$folder/measured/profile.json" ] ||
  mpi_on "$apart" "$build/servet-mpi" measure --quiet --only layers,curves,scalability,distance,access \
    --message-size 256K --budget "${BUDGET:-60}" -o "$folder/measured" >"$folder/measured.log" 2>&1
echo "$shape, $count processes, medians of $runs runs; load $(cut -d ' ' -f 1 /proc/loadavg)"
printf '%-12s %-7s %9s %9s %9s %9s %9s\n' program order messages computing both real both/real
for program; do
  compare "$program"
done
