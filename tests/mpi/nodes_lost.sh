#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A node that is lost while nodes measure themselves: the job ends within a bounded time, names it, and keeps
# the others; --resume measures only the missing nodes, also a new node in place of a lost one. Usage:
# nodes_lost.sh SOURCE_ROOT SERVET_MPI SERVET
set -eu
. "$1/tests/tap.sh"
. "$1/tests/processes.sh"
several_hosts=$1/tests/mpi/several_hosts.sh
servet_mpi=$2
servet=$3
case $("${MPIEXEC:-mpiexec}" --version 2>/dev/null) in
*"Open MPI"* | *OpenRTE*) ;;
*) echo "1..0 # SKIP only Open MPI can be told of several hosts" && exit 0 ;;
esac
unshare --uts true 2>/dev/null || { echo "1..0 # SKIP host names are root's" && exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
budget=30
only=node,layers
place=$folder/place

# measure HOSTS OPTION...: a rank on each of these hosts.
measure() {
  hosts=$1
  shift
  {
    echo '#!/bin/sh'
    echo "exec '$servet_mpi' measure --quiet --only $only --budget $budget -o '$place' $*"
  } >"$folder/program"
  chmod +x "$folder/program"
  # shellcheck disable=SC2046,SC2086 # words
  sh "$several_hosts" "$folder/program" $(printf '%s:1 ' $hosts) >"$folder/out" 2>"$folder/err"
}

# get KEY: the answer on node alpha; nodes that are not listed may be of more than one class.
get() {
  unshare --uts sh -c 'hostname alpha && exec "$@"' - "$servet" get "$1" "$place/profile.json"
}

# The file of that name among what is unfinished.
unfinished() {
  find "$place" -path "*/unfinished-*/$1"
}

# shellcheck disable=SC2317 # called through others
is_there() {
  [ -n "$(unfinished "$1")" ]
}

# begin COMMAND...: a job on three hosts that is at it; what happens to rank 2, that on gamma.
begin() {
  rm -rf "$place"
  measure 'alpha beta gamma' &
  job=$!
  wait_until 60 is_there node-gamma.json || :
  at_work=$("$servet" show "$place/profile.json" 2>&1) || :
  kill -s "$1" "$(rank_below "$job" 2 "$(basename "$servet_mpi")" | head -n 1)"
  began=$(date +%s)
  status=0
  wait "$job" || status=$?
  seconds=$(($(date +%s) - began))
}

begin KILL
holds "a job that has just begun has a profile that says what is unfinished" "$at_work" \
  "*! Unfinished: node and layers not measured yet; --resume continues*"
ok "a rank is killed while nodes measure themselves: the job fails" [ "$status" -ne 0 ]
ok "before a node that hangs would be noticed: $seconds s" [ "$seconds" -lt 45 ]
holds "the message names the rank and the node" "$(cat "$folder/err")" "*rank 2 *on node gamma*"
holds "the profile says what is unfinished" "$("$servet" show "$place/profile.json")" \
  "*! Unfinished: node and layers not measured yet*"

begin STOP
ok "a node hangs while nodes measure themselves: the job fails" [ "$status" -ne 0 ]
ok "within a minute beyond the others' time: $seconds s" [ "$seconds" -le $((budget + 60)) ]
holds "the message names the node that hangs" "$(cat "$folder/err")" \
  "*servet: node gamma does not respond: no progress for 45 s; --resume continues from there*"
ok "results of the first other node are kept" is_there done-alpha.json
ok "results of the second other node are kept" is_there done-beta.json
ok "the node that hangs has no results" [ -z "$(unfinished done-gamma.json)" ]
ok "the first other node is in the profile" grep -q '"alpha"' "$place/profile.json"
ok "the second other node is in the profile" grep -q '"beta"' "$place/profile.json"
clean "the node that hangs is not in the profile" "$(grep '"gamma"' "$place/profile.json")"
same "the profile says that nodes are unfinished" "$(get run.unfinished)" node,layers
cp -a "$place" "$folder/copy"

# resume_on HOSTS: another job, to its end; leaves the names of the nodes that it measured in $measured.
resume_on() {
  touch "$folder/before"
  measure "$1" --resume &
  job=$!
  measured=
  while kill -0 "$job" 2>/dev/null; do
    for host in alpha beta gamma delta; do
      case $measured in *$host*) continue ;; esac
      file=$(find "$place" -name "done-$host.json" -newer "$folder/before" 2>/dev/null) || :
      [ -z "$file" ] || measured="$measured$host "
    done
    sleep 0.2
  done
  status=0
  wait "$job" || status=$?
}

resume_on 'alpha beta gamma'
same "--resume completes the measurement" "$status" 0
same "--resume measures only the missing node" "$measured" "gamma "
clean "nothing is unfinished after --resume" "$(get run.unfinished)"
for host in alpha beta gamma; do
  ok "$host is in the profile" grep -q "\"$host\"" "$place/profile.json"
done

rm -rf "$place"
cp -a "$folder/copy" "$place"
resume_on 'delta beta alpha'
same "--resume with another node in its place completes the measurement" "$status" 0
same "--resume measures the new node" "$measured" "delta "
clean "nothing is unfinished on other nodes" "$(get run.unfinished)"
clean "the lost node is not in the profile" "$(grep '"gamma"' "$place/profile.json")"
ok "messages between the new nodes were measured" get layers.1.latency_us

# The remnants of a job on other nodes that was killed before it kept anything: its nodes, and the earlier results of
# those.
only=layers,curves
rm -rf "$place"
measure 'alpha beta' &
job=$!
wait_until 60 grep -rq --include=progress.json layers "$place" || :
kill -s KILL "$(rank_below "$job" 1 "$(basename "$servet_mpi")" | head -n 1)"
wait "$job" || :
sed -i 's/^node beta/node gamma/' "$place"/unfinished-*/job.txt
status=0
measure 'alpha gamma' --resume || status=$?
same "a job on other nodes that was killed at once can be resumed" "$status" 0
ok "the resumed profile has the present nodes" grep -q '"gamma"' "$place/profile.json"
done_testing
