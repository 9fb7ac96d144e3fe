! SPDX-License-Identifier: BSD-3-Clause
!
! Communicators after the machine, for programs that use mpi_f08:
!
!   use mpi_f08
!   use servet_mpi_f08
!   call servet_comm_split_layer(MPI_COMM_WORLD, 1, neighbours)
!
! All that servet_mpi has, for type(MPI_Comm) as well as for numbers.
module servet_mpi_f08
  use servet_mpi
  use servet_comm_f08
  implicit none
  public
end module servet_mpi_f08
