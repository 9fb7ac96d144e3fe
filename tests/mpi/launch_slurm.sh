#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Slurm file of `servet map` is taken by a real Slurm, and `servet-mpi where` says so; and it says why
# no rank is bound if Slurm has no task plugin that binds. Usage: launch_slurm.sh SOURCE_ROOT SERVET_MPI
# SERVET
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
unset OMP_NUM_THREADS OMP_PLACES OMP_PROC_BIND

reason=$(cluster_lacks)
[ -n "$reason" ] || reason=$(slurm_lacks)
taskset -c 0,1 true 2>/dev/null || reason='the profile has the cores 0 and 1, and not both are here'
if [ -n "$reason" ]; then
  echo "1..0 # SKIP $reason"
  exit 0
fi
trap cluster_end EXIT

# cluster_with PLUGIN: four hosts under a Slurm with that task plugin.
cluster_with() {
  cluster_begin
  cluster_hosts 4
  cluster_star 400mbit
  slurm_task_plugin=$1 slurm_cores=0,1
  slurm_begin
  cd "$SERVET_CLUSTER"
}

# placed RANKS THREADS: runs `where` as the first line of the file says, in a job that has whole nodes.
placed() {
  set -- -n "$1" --threads-per-process "$2" --nodes h2,h0,h3
  "$servet" map "$@" "$profile" >placement
  "$servet" map "$@" --format slurm "$profile" >FILE
  command=$(sed -n '1s/^# \(.*\) PROGRAM$/\1/p' FILE)
  in_host h0 salloc --quiet --nodes 3 --nodelist h2,h0,h3 --exclusive \
    sh -c "$command '$servet_mpi' where placement"
}

# Where a rank is late, Open MPI 4.1.4 now and then calls nothing in MPI_Init, for the connection of another
# (mca_btl_tcp, "#0 0x0000000000000000"): such a job is started again.
run_placed() {
  run placed "$@"
  [ "$status" -ne 139 ] || run placed "$@"
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
done_testing
