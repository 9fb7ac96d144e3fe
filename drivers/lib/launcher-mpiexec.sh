# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# mpiexec, of whatever MPI library it is.
# shellcheck source=drivers/lib/mpi.sh disable=SC2154
. "$lib/mpi.sh"

launcher_text() {
  mpi_text mpiexec
}
