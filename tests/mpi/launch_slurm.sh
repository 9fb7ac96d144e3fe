#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command that `servet map` prints for Slurm puts ranks where it says, as `servet-mpi where` finds; which
# says why no rank is bound if Slurm has no task plugin that binds. Then the same where the numbers of the
# operating system are not hwloc's, on nodes that are pretended (pretend.c). Usage:
# launch_slurm.sh SOURCE_ROOT SERVET_MPI SERVET PRETEND
# shellcheck disable=SC2119,SC2317 # arguments that may be left out; called through run
set -eu
. "$1/tests/tap.sh"
cluster_tools=$1/tests/cluster
# shellcheck source=tests/cluster/hosts.sh
. "$cluster_tools/hosts.sh"
# shellcheck source=tests/cluster/links.sh
. "$cluster_tools/links.sh"
# shellcheck source=tests/cluster/slurm.sh
. "$cluster_tools/slurm.sh"
profile=$1/tests/data/profiles/four.json
servet_mpi=$(realpath "$2")
servet=$(realpath "$3")
library=${4:+$(realpath "$4")}
unset OMP_NUM_THREADS OMP_PLACES OMP_PROC_BIND

reason=$(cluster_lacks)
[ -n "$reason" ] || reason=$(slurm_lacks)
taskset -c 0,1 true 2>/dev/null || reason='the profile has the cores 0 and 1, and not both are here'
if [ -n "$reason" ]; then
  echo "1..0 # SKIP $reason"
  exit 0
fi
trap cluster_end EXIT
trap 'exit 1' HUP INT TERM PIPE

# cluster_with PLUGIN: four hosts under a Slurm with that task plugin.
cluster_with() {
  cluster_begin
  cluster_hosts 4
  cluster_star 400mbit
  slurm_task_plugin=$1 slurm_cores=0,1
  slurm_begin
  cd "$SERVET_CLUSTER"
}

# placed RANKS THREADS: runs `where` by the command that is printed, in a job that has whole nodes.
placed() {
  set -- -n "$1" --threads-per-process "$2" --nodes h2,h0,h3
  "$servet" map "$@" "$profile" >placement
  command=$("$servet" map "$@" --format slurm -o hosts "$profile" 2>&1)
  in_host h0 env LD_PRELOAD="${slurm_preload-}" salloc --quiet --nodes 3 --nodelist h2,h0,h3 --exclusive \
    sh -c "${command% PROGRAM} '$servet_mpi' where placement"
}

# If a rank is late, Open MPI 4.1.4 sometimes calls a null pointer in MPI_Init, for the connection of another
# (mca_btl_tcp, "#0 0x0000000000000000"): such a job is started again; on a busy machine two in a row failed.
run_placed() {
  for _ in 1 2 3 4 5; do
    run placed "$@"
    [ "$status" -eq 139 ] || break
  done
}

cluster_with task/affinity
run_placed 6 1
same "ranks on cores of their own: status" "$status" 0
holds "ranks on cores of their own: placement" "$out" 'rank 0 on h2, cores 0*6 of 6 ranks run as placed'
run_placed 3 2
same "two cores for each rank: status" "$status" 0
holds "two cores for each rank: placement" "$out" 'rank 0 on h2, cores 0-1*3 of 3 ranks run as placed'
cd /
cluster_end

cluster_with task/none
run_placed 6 1
ok "without a task plugin that binds, bindings differ from the placement" [ "$status" -ne 0 ]
holds "the message names the missing task plugin" "$out" '*not bound: Slurm has no task plugin that binds, although * is set*0 of 6 ranks run as placed*'

# Two packages of two cores of two PUs: 0,4 and 1,5, then 2,6 and 3,7.
pretended() {
  cd /
  cluster_end
  slurm_node='CPUs=8 Boards=1 SocketsPerBoard=2 CoresPerSocket=2 ThreadsPerCore=2' slurm_preload=$library
  HWLOC_SYNTHETIC='pack:2 [numa] core:2 pu:2(indexes=0,4,1,5,2,6,3,7)'
  PRETEND=$(mktemp -d) PRETEND_PUS=8 HWLOC_THISSYSTEM=1
  export HWLOC_SYNTHETIC HWLOC_THISSYSTEM PRETEND PRETEND_PUS
  cluster_with task/affinity
  jq '.classes[0].machine |= (.cores = "0-7" | .pu_count = 8)' "$profile" >eight.json
  profile=$PWD/eight.json
  for threads in 1 2; do
    ranks=$((24 / threads))
    export OMP_NUM_THREADS=$threads
    run_placed "$ranks" "$threads"
    holds "numbers that are not hwloc's, $ranks ranks of $threads" "$out" "*$ranks of $ranks ranks run as placed"
  done
  rm -rf "$PRETEND"
}

if [ -z "$library" ]; then
  skip "numbers that are not hwloc's" 'a sanitizer must be loaded first'
else
  pretended
fi
done_testing
