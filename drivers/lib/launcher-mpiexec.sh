# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# mpiexec of any MPI library. launcher-none.sh describes each function.
# shellcheck source=drivers/lib/mpi.sh disable=SC2154
. "$lib/mpi.sh"

launcher_rank() {
  say 20
}

# The mpiexec of PBS itself starts no MPI programs.
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
