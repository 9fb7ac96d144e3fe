# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Launches servet-mpi by the mpirun of any MPI library. launcher-none.sh describes each function.
# shellcheck source=drivers/lib/mpi.sh disable=SC2154
. "$lib/mpi.sh"

# shellcheck disable=SC2034 # known.sh reads it
launcher_rank() {
  rank=10
}

launcher_found() {
  have mpirun
}

launcher_text() {
  mpi_text mpirun
}

launcher_hint() {
  mpi_hint mpirun
}
