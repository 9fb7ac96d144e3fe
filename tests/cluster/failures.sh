#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Failures of a rank, a daemon of the launcher, a cable or a host during `servet-mpi measure`: the job ends within a
# minute, the results so far are in the profile, and --resume finishes.
# shellcheck disable=SC2317 # functions are called through others
# shellcheck source=tests/cluster/common.sh
. "$1/tests/cluster/common.sh"
hosts=$(echo h0:2 h1:1 h2:2 | tr ' ' ,) # uneven, an odd number
options='--only layers,distance --message-size 16M'
place=$folder/place
profile=$place/profile.json

# process_of HOST NAME [RANK]: its number.
process_of() {
  for process in $(processes "$1" | sed -n "s/ $2\$//p"); do
    if [ $# -lt 3 ] || tr '\0' '\n' <"/proc/$process/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$3"; then
      echo "$process"
      return
    fi
  done
}

all_processes() {
  for host in $(cluster_list); do
    processes "$host"
  done
}

has_layers() {
  "$servet" get layers.count "$profile"
}

is_quiet() {
  [ -z "$(all_processes)" ]
}

# measures_itself HOST
measures_itself() {
  [ -n "$(find "$place" -name "node-$1.json")" ]
}

# fails NAME COMMAND...: a job begins, the command is what happens to it when it knows the layers; leaves what
# it said in $said.
fails() {
  what=$1
  shift
  rm -rf "$place"
  # shellcheck disable=SC2086 # words
  mpi_on "$hosts" "$servet_mpi" measure -q $options -o "$place" >"$folder/said" 2>&1 &
  job=$!
  wait_until 60 has_layers || :
  "$@"
  began=$(date +%s)
  status=0
  wait "$job" || status=$?
  seconds=$(($(date +%s) - began))
  said=$(cat "$folder/said")
  ok "$what: the job fails" [ "$status" -ne 0 ]
  ok "the job ends within a minute: $seconds s" [ "$seconds" -le 60 ]
  ok "results before the failure are in the profile" has_layers
  ok "other results are not in the profile" sh -c '! "$@"' sh "$servet" get network.distance_ratio.1 "$profile"
}

# finishes [HOSTS]: another job goes on, when nothing of the first one is left.
finishes() {
  wait_until 60 is_quiet || :
  clean "no process of the job runs on" "$(all_processes)"
  began=$(date +%s)
  # shellcheck disable=SC2086 # words
  run mpi_on "${1:-$hosts}" "$servet_mpi" measure -q $options --resume -o "$place"
  same "--resume completes the measurement" "$status" 0
  same "--resume measures all that was requested" "$("$servet" get network.distance_ratio.1 "$profile")" 1
  clean "--resume removes temporary files" "$(find "$place" -mindepth 1 -maxdepth 1 ! -name profile.json ! -name raw)"
}

kill_process() {
  kill -s KILL "$(process_of "$@")"
}

signal_host() {
  for process in $(processes "$2" | cut -d ' ' -f 1); do
    kill -s "$1" "$process"
  done
}

cluster_begin
cluster_hosts 3
cluster_star 100mbit

fails "a rank is killed" kill_process h2 servet-mpi 3
holds "the message names the rank" "$said" "*rank 3 *on node h2*"
finishes h2:2,h0:2,h1:1 # the same nodes in another order

fails "rank 0 is killed" kill_process h0 servet-mpi 0
holds "the message names rank 0 and its host" "$said" "*rank 0 *on node h0*"
finishes

fails "a daemon is killed" kill_process h1 orted
holds "the message names the host of the daemon" "$said" "*h1*"
finishes

fails "a cable is cut" ip -n "$(namespace_of h2)" link set dev switch down
holds "the message names the host behind the cable" "$said" "*servet: *(h2, core *; --resume continues from there*"
ip -n "$(namespace_of h2)" link set dev switch up
ip -n "$(namespace_of h2)" route add 10.77.0.0/24 dev switch
finishes

fails "a host freezes" signal_host STOP h1
holds "the message names the host" "$said" "*servet: *(h1, core *; --resume continues from there*"
signal_host KILL h1
wait_until 60 is_quiet || :
# shellcheck disable=SC2086 # words
run mpi_on h0:2,h2:2 "$servet_mpi" measure -q $options --resume -o "$place"
same "another job continues with the remaining nodes" "$status" 0
clean "the lost node is not in the profile" "$(grep '"h1"' "$profile")"
same "the other job measures the rest" "$("$servet" get network.distance_ratio.1 "$profile")" 1

# Nodes measure themselves; h2 freezes when it is at it.
rm -rf "$place"
mpi_on h0:1,h1:1,h2:1 "$servet_mpi" measure -q --only node --budget 20 -o "$place" >"$folder/said" 2>&1 &
job=$!
wait_until 60 measures_itself h2 || :
signal_host STOP h2
began=$(date +%s)
status=0
wait "$job" || status=$?
seconds=$(($(date +%s) - began))
ok "a host freezes while nodes measure themselves: the job fails" [ "$status" -ne 0 ]
ok "the job ends within a minute beyond its time: $seconds s" [ "$seconds" -le 80 ]
holds "the message names the frozen host" "$(cat "$folder/said")" "*servet: node h2 does not respond: *; --resume continues from there*"
signal_host KILL h2
same "results of the other hosts are kept" "$(find "$place" -name 'done-*' | sed 's|.*/||' | sort)" "$(printf 'done-h0.json\ndone-h1.json')"
wait_until 60 is_quiet || :
run mpi_on h0:1,h1:1,h2:1 "$servet_mpi" measure -q --only node --budget 30 --resume -o "$place"
same "--resume completes the measurement of nodes" "$status" 0
for host in h0 h1 h2; do
  ok "$host is in the profile after --resume" grep -q "\"$host\"" "$profile"
done
done_testing
