! SPDX-License-Identifier: BSD-3-Clause
!
! Communicators that fit the machine, for programs that use mpi_f08:
!
!   use mpi_f08
!   use servet_mpi_f08
!   call servet_comm_split_layer(MPI_COMM_WORLD, 1, neighbours)
!
! The module has all procedures of servet_mpi. They take a type(MPI_Comm) or a number.
module servet_mpi_f08
  use servet_mpi
  use servet_comm_f08
  implicit none
  public
end module servet_mpi_f08
