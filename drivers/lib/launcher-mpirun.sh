# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# mpirun, of whatever MPI library it is.
# shellcheck source=drivers/lib/mpi.sh disable=SC2154
. "$lib/mpi.sh"

# The function `launch` of a job script: becomes $tasks processes of its words on each of $nodes
# nodes, those of a node one after the other in the order of ranks. Processes are not bound: they
# choose their cores themselves.
launcher_text() {
  mpi_text mpirun
}
