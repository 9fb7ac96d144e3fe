! SPDX-License-Identifier: BSD-3-Clause
!
! The times of messages between the ranks of a communicator (servet/mpi.h), which
! servet_comm_times_create() finds. Ranks count from 0, as in MPI. Failures are reported as module
! servet_errors says.
module servet_comm_messages
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_errors
  use servet_raw
  use servet_raw_comm
  use servet_values
  implicit none
  private

  public :: servet_comm_times, hold_times

  ! The times belong to one variable, which frees them when it is closed or goes out of scope. They
  ! cannot be copied: an assignment stops the program.
  type :: servet_comm_times
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: message_time => times_message_time
    procedure :: close => times_close
    procedure, private :: copy => times_copy
    generic :: assignment(=) => copy
    final :: times_final
  end type servet_comm_times

contains

  ! Time of a message of `bytes` bytes from rank `from` to rank `to` while no other messages are sent.
  ! A rank may query any pair. The query does not communicate.
  recursive subroutine times_message_time(self, from, to, bytes, time, stat, errmsg)
    class(servet_comm_times), intent(in) :: self
    integer, intent(in) :: from, to
    real(c_double), intent(in) :: bytes
    type(servet_value), intent(out) :: time
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_value) :: found
    type(raw_error) :: error
    integer(c_int) :: code

    if (.not. c_associated(self%handle)) then
      call finish(servet_eargument, 'no times of messages were created', stat, errmsg)
      return
    end if
    code = raw_comm_message_time(self%handle, int(from, c_int), int(to, c_int), bytes, found, error)
    if (code == servet_ok) time = to_value(found)
    call finish_error(int(code), error, stat, errmsg)
  end subroutine times_message_time

  ! Stores the handle. Frees what the variable held before.
  subroutine hold_times(self, handle)
    type(servet_comm_times), intent(inout) :: self
    type(c_ptr), intent(in) :: handle

    call self%close()
    self%handle = handle
  end subroutine hold_times

  ! Frees the times; closed ones stay closed. Leaving the scope of the variable does the same.
  subroutine times_close(self)
    class(servet_comm_times), intent(inout) :: self

    call raw_comm_times_destroy(self%handle)
    self%handle = c_null_ptr
  end subroutine times_close

  subroutine times_final(self)
    type(servet_comm_times), intent(inout) :: self

    call self%close()
  end subroutine times_final

  subroutine times_copy(self, other)
    class(servet_comm_times), intent(inout) :: self
    class(servet_comm_times), intent(in) :: other

    if (c_associated(self%handle) .or. c_associated(other%handle)) &
      call finish(servet_eunsupported, 'times of messages cannot be copied')
  end subroutine times_copy

end module servet_comm_messages
