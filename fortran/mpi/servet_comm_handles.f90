! SPDX-License-Identifier: BSD-3-Clause
!
! Communicators after the machine, as numbers: those of mpif.h and the module mpi. What they are is
! said in servet/mpi.h; failures as in servet_errors, alike on all ranks.
module servet_comm_handles
  use, intrinsic :: iso_c_binding
  use servet_errors
  use servet_profile_base
  use servet_raw
  use servet_raw_comm
  implicit none
  private

  public :: servet_comm_split_layer, servet_comm_reorder

  interface servet_comm_split_layer
    module procedure split_layer
  end interface servet_comm_split_layer

  interface servet_comm_reorder
    module procedure reorder
  end interface servet_comm_reorder

contains

  ! The ranks of `comm` that layer `layer` joins, in their order, as `newcomm`. `profile` matters on
  ! rank 0 only; without it the profile is that which programs find.
  recursive subroutine split_layer(comm, layer, newcomm, profile, stat, errmsg)
    integer, intent(in) :: comm
    integer, intent(in) :: layer
    integer, intent(out) :: newcomm
    class(profile_base), intent(in), optional :: profile
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_error) :: error
    integer(c_int) :: code, made

    code = raw_comm_split_layer(int(comm, c_int), pointer_to(profile), int(layer, c_int), made, &
      error)
    newcomm = int(made)
    call finish_error(int(code), error, stat, errmsg)
  end subroutine split_layer

  ! The ranks of `comm` in an order in which those that follow each other are near to each other.
  recursive subroutine reorder(comm, newcomm, profile, stat, errmsg)
    integer, intent(in) :: comm
    integer, intent(out) :: newcomm
    class(profile_base), intent(in), optional :: profile
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_error) :: error
    integer(c_int) :: code, made

    code = raw_comm_reorder(int(comm, c_int), pointer_to(profile), made, error)
    newcomm = int(made)
    call finish_error(int(code), error, stat, errmsg)
  end subroutine reorder

  ! What C is asked through; NULL for none, and for one that is closed.
  function pointer_to(profile) result(handle)
    class(profile_base), intent(in), optional :: profile
    type(c_ptr) :: handle

    handle = c_null_ptr
    if (present(profile)) handle = handle_of(profile)
  end function pointer_to

end module servet_comm_handles
