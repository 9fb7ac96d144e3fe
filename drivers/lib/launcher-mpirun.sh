# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Launches servet-mpi by the mpirun of any MPI library. launcher-none.sh describes each function.
# shellcheck source=drivers/lib/mpi.sh
. "$lib/mpi.sh"

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
