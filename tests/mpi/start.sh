#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `servet-mpi` refuses to measure if processes are each alone, if another version runs, or with a single process. Usage:
# start.sh SOURCE_ROOT SERVET_MPI OTHER_VERSION SERVET
set -eu
. "$1/tests/tap.sh"
launch=$1/tests/mpi/launch.sh
servet_mpi=$2 other=$3 servet=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
host=$(hostname)

# Four processes as srun starts them for an MPI library that knows nothing of it.
as_srun_does() {
  status='' out='' err=''
  for rank in 0 1 2 3; do
    run env SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=$rank "$servet_mpi" "$@"
    all_status="${all_status:-}$status" all_err="${all_err:-}$err" all_out="${all_out:-}$out"
  done
  status=$all_status err=$all_err out=$all_out
  unset all_status all_err all_out
}

for command in "measure --quiet --only node -o $folder/alone" where; do
  # shellcheck disable=SC2086 # words
  as_srun_does $command
  same "${command%% *}: processes that are each alone all fail" "$status" 1111
  same "one process reports the cause and what to do" "$err" "servet: srun started 4 processes (SLURM_STEP_NUM_TASKS), \
but each is alone in its MPI job: srun needs a plugin that fits the MPI library (--mpi=pmix or --mpi=pmi2), or take mpirun"
  clean "no other output is printed" "$out"
done
ok "processes that are each alone measure nothing" [ ! -e "$folder/alone" ]

case $("${MPIEXEC:-mpiexec}" --version 2>/dev/null) in
*"Open MPI"* | *OpenRTE*) foreign=PMI_SIZE foreign_rank=PMI_RANK launcher="the mpiexec of MPICH" ;;
*) foreign=OMPI_COMM_WORLD_SIZE foreign_rank=OMPI_COMM_WORLD_RANK launcher="Open MPI's mpirun" ;;
esac
run env "$foreign=2" "$foreign_rank=0" MPI_LOCALRANKID=0 "$servet_mpi" where
holds "the launcher of another MPI library is reported" "$err" \
  "servet: $launcher started 2 processes ($foreign), *use the launcher of the MPI library that servet-mpi was built with"

run "$servet_mpi" measure --quiet -o "$folder/one"
same "one process alone is refused" "$status" 1
holds "the message to one process says what to do" "$err" "servet: network benchmarks need at least 2 processes: start one on each core with the \
launcher (mpirun -n RANKS servet-mpi measure); to measure this node alone, use 'servet measure' or --only node"
ok "one process alone measures nothing" [ ! -e "$folder/one" ]

# mixed COMMAND OPTION...: two ranks of this version, then one of another.
mixed() {
  run timeout 60 sh "$launch" 2 "$servet_mpi" "$@" : -n 1 "$other" "$@"
}
mixed measure --quiet --only layers -o "$folder/mixed"
ok "another version on one host is refused" [ "$status" -ne 0 ]
holds "the message names both versions and hosts" "$err" "*servet: servet-mpi is $("$servet" --version | sed 's/.* //') on $host (rank 0), \
but 0.0.1 on $host (rank 2): install one version on all nodes*"
same "only one rank reports the versions" "$(printf '%s\n' "$err" | grep -c '^servet: ')" 1
ok "ranks of different versions measure nothing" [ ! -e "$folder/mixed" ]
mixed where
holds "servet-mpi where refuses different versions, too" "$err" "*servet: servet-mpi is * (rank 0), but 0.0.1 on $host (rank 2): *"
clean "servet-mpi where prints nothing else" "$out"
done_testing
