# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Launches servet-mpi by the mpiexec of any MPI library. launcher-none.sh describes each function.
# shellcheck source=drivers/lib/mpi.sh
. "$lib/mpi.sh"

launcher_rank() {
  rank=20
}

# Looks for an mpiexec of an MPI library: PBS has an mpiexec, too, which cannot start MPI programs.
launcher_found() {
  have mpiexec || return 1
  case $(mpiexec --version 2>&1) in
  *pbs_version*) return 1 ;;
  esac
}

launcher_text() {
  mpi_text mpiexec
}

launcher_hint() {
  mpi_hint mpiexec
}
