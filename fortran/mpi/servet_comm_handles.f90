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
  use servet_text
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

    code = raw_comm_split_layer_f(int(comm, c_int), pointer_to(profile), int(layer, c_int), made, &
      error)
    newcomm = int(made)
    call finish_error(int(code), error, stat, errmsg)
  end subroutine split_layer

  ! The ranks of `comm` in an order that suits what they send: a `pattern` (one of
  ! servet_pattern_*) of messages of `bytes` bytes, 1 MiB if that is absent; or sends(i, j) bytes from
  ! rank i - 1 to rank j - 1, which matters on rank 0 only. With neither of them, those that follow
  ! each other are near to each other.
  recursive subroutine reorder(comm, newcomm, pattern, bytes, sends, profile, stat, errmsg)
    integer, intent(in) :: comm
    integer, intent(out) :: newcomm
    character(len=*), intent(in), optional :: pattern
    real(c_double), intent(in), optional :: bytes
    real(c_double), intent(in), optional :: sends(:, :)
    class(profile_base), intent(in), optional :: profile
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_error) :: error
    real(c_double), allocatable, target :: matrix(:, :)
    type(c_ptr) :: first
    integer(c_int) :: number, ranks, code, made
    real(c_double) :: each

    number = -1
    if (present(pattern)) number = word_number(raw_pattern_name, pattern)
    each = 1048576
    if (present(bytes)) each = bytes
    first = c_null_ptr
    ranks = 0
    if (present(sends)) then
      allocate(matrix(size(sends, 1), size(sends, 2)), source=sends)
      if (size(sends) > 0) first = c_loc(matrix)
      if (size(sends, 1) == size(sends, 2)) ranks = int(size(sends, 1), c_int)
    end if
    code = raw_comm_reorder_f(int(comm, c_int), pointer_to(profile), number, each, first, ranks, &
      made, error)
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
