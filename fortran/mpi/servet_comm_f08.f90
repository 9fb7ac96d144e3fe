! SPDX-License-Identifier: BSD-3-Clause
!
! The same for communicators of the module mpi_f08.
module servet_comm_f08
  use, intrinsic :: iso_c_binding, only: c_double
  use mpi_f08, only: MPI_Comm
  use servet_comm_handles, only: split_layer => servet_comm_split_layer, &
    reorder => servet_comm_reorder
  use servet_profile_base
  implicit none
  private

  public :: servet_comm_split_layer, servet_comm_reorder

  interface servet_comm_split_layer
    module procedure split_layer_f08
  end interface servet_comm_split_layer

  interface servet_comm_reorder
    module procedure reorder_f08
  end interface servet_comm_reorder

contains

  recursive subroutine split_layer_f08(comm, layer, newcomm, profile, stat, errmsg)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: layer
    type(MPI_Comm), intent(out) :: newcomm
    class(profile_base), intent(in), optional :: profile
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call split_layer(comm%mpi_val, layer, newcomm%mpi_val, profile, stat, errmsg)
  end subroutine split_layer_f08

  recursive subroutine reorder_f08(comm, newcomm, pattern, bytes, sends, profile, stat, errmsg)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Comm), intent(out) :: newcomm
    character(len=*), intent(in), optional :: pattern
    real(c_double), intent(in), optional :: bytes
    real(c_double), intent(in), optional :: sends(:, :)
    class(profile_base), intent(in), optional :: profile
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call reorder(comm%mpi_val, newcomm%mpi_val, pattern, bytes, sends, profile, stat, errmsg)
  end subroutine reorder_f08

end module servet_comm_f08
