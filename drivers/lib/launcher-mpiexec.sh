# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# mpiexec, of whatever MPI library it is. What each function does is said in launcher-none.sh.
# shellcheck source=drivers/lib/mpi.sh disable=SC2154
. "$lib/mpi.sh"

launcher_rank() {
  say 20
}

# PBS has one of its own, which starts no MPI program.
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
