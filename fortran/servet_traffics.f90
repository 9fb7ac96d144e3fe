! SPDX-License-Identifier: BSD-3-Clause
!
! Messages between the processes of a program (servet/traffic.h). Ranks count from 0, as in
! MPI. Failures are reported as module servet_errors says.
module servet_traffics
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_errors
  use servet_raw
  use servet_text
  implicit none
  private

  public :: servet_traffic, traffic_handle, no_traffic

  ! The traffic belongs to one variable, which frees it when it is closed or goes out of scope. It cannot
  ! be copied: an assignment stops the program.
  type :: servet_traffic
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => traffic_create
    procedure :: add => traffic_add
    procedure :: next_phase => traffic_next_phase
    procedure :: pattern => traffic_pattern
    procedure :: read => traffic_read
    procedure :: close => traffic_close
    procedure :: processes => traffic_processes
    procedure :: bytes => traffic_bytes
    procedure, private :: copy => traffic_copy
    generic :: assignment(=) => copy
    final :: traffic_final
  end type servet_traffic

contains

  ! Creates the traffic of `processes` processes that send nothing yet.
  recursive subroutine traffic_create(self, processes, stat, errmsg)
    class(servet_traffic), intent(inout) :: self
    integer, intent(in) :: processes
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    type(raw_error) :: error
    integer(c_int) :: code

    handle = c_null_ptr
    code = raw_traffic_create(handle, int(processes, c_int), error)
    call take(self, handle, int(code))
    call finish_error(int(code), error, stat, errmsg)
  end subroutine traffic_create

  ! Adds `bytes` from rank `from` to rank `to`.
  recursive subroutine traffic_add(self, from, to, bytes, stat, errmsg)
    class(servet_traffic), intent(inout) :: self
    integer, intent(in) :: from, to
    real(c_double), intent(in) :: bytes
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_error) :: error
    integer(c_int) :: code

    if (no_traffic(self, stat, errmsg)) return
    code = raw_traffic_add(self%handle, int(from, c_int), int(to, c_int), bytes, error)
    call finish_error(int(code), error, stat, errmsg)
  end subroutine traffic_add

  ! Begins a phase: messages that are added from now on are sent when those before have arrived.
  recursive subroutine traffic_next_phase(self, stat, errmsg)
    class(servet_traffic), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (no_traffic(self, stat, errmsg)) return
    call raw_traffic_next_phase(self%handle)
    if (present(stat)) stat = servet_ok
  end subroutine traffic_next_phase

  ! Creates a pattern, one of servet_pattern_*, with messages of `bytes` bytes.
  recursive subroutine traffic_pattern(self, pattern, processes, bytes, stat, errmsg)
    class(servet_traffic), intent(inout) :: self
    character(len=*), intent(in) :: pattern
    integer, intent(in) :: processes
    real(c_double), intent(in) :: bytes
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    type(raw_error) :: error
    integer(c_int) :: code

    handle = c_null_ptr
    code = raw_traffic_pattern(handle, word_number(raw_pattern_name, pattern), &
                               int(processes, c_int), bytes, error)
    call take(self, handle, int(code))
    call finish_error(int(code), error, stat, errmsg)
  end subroutine traffic_pattern

  ! Reads lines 'FROM TO BYTES' of a file, or a matrix with a row for each sender; a line 'phase' begins a phase. All ranks
  ! below `processes` must appear; without `processes`, all ranks up to the highest.
  recursive subroutine traffic_read(self, path, processes, stat, errmsg)
    class(servet_traffic), intent(inout) :: self
    character(len=*), intent(in) :: path
    integer, intent(in), optional :: processes
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable :: c_path(:)
    type(c_ptr) :: handle
    type(raw_error) :: error
    integer(c_int) :: count
    integer :: code

    handle = c_null_ptr
    count = 0
    if (present(processes)) count = int(processes, c_int)
    code = servet_ok
    call to_c(path, c_path, code)
    if (code == servet_ok) code = int(raw_traffic_read(handle, c_path, count, error))
    call take(self, handle, code)
    call finish_error(code, error, stat, errmsg)
  end subroutine traffic_read

  ! Stores the new handle. If there is one, frees the variable's previous contents.
  subroutine take(self, handle, code)
    class(servet_traffic), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    integer, intent(in) :: code

    if (code /= servet_ok) return
    call self%close()
    self%handle = handle
  end subroutine take

  ! Frees the traffic; a closed one stays closed.
  subroutine traffic_close(self)
    class(servet_traffic), intent(inout) :: self

    call raw_traffic_destroy(self%handle)
    self%handle = c_null_ptr
  end subroutine traffic_close

  subroutine traffic_final(self)
    type(servet_traffic), intent(inout) :: self

    call self%close()
  end subroutine traffic_final

  ! Never changes `self`, but a defined assignment needs intent(inout).
  subroutine traffic_copy(self, other)
    class(servet_traffic), intent(inout) :: self
    class(servet_traffic), intent(in) :: other

    if (c_associated(self%handle) .or. c_associated(other%handle)) &
      call finish(servet_eunsupported, 'a traffic cannot be copied')
  end subroutine traffic_copy

  ! Number of processes; 0 if there is no traffic.
  function traffic_processes(self) result(count)
    class(servet_traffic), intent(in) :: self
    integer :: count

    count = 0
    if (c_associated(self%handle)) count = int(raw_traffic_processes(self%handle))
  end function traffic_processes

  ! Number of bytes that all processes send in one step.
  function traffic_bytes(self) result(bytes)
    class(servet_traffic), intent(in) :: self
    real(c_double) :: bytes

    bytes = 0
    if (c_associated(self%handle)) bytes = raw_traffic_bytes(self%handle)
  end function traffic_bytes

  ! --- for servet_maps --------------------------------------------------------------------------

  ! The handle for C; NULL if there is none.
  function traffic_handle(traffic) result(handle)
    class(servet_traffic), intent(in), optional :: traffic
    type(c_ptr) :: handle

    handle = c_null_ptr
    if (present(traffic)) handle = traffic%handle
  end function traffic_handle

  ! Returns true, and reports the error, if there is no traffic.
  function no_traffic(self, stat, errmsg) result(none)
    class(servet_traffic), intent(in) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    logical :: none

    none = .not. c_associated(self%handle)
    if (none) call finish(servet_eargument, 'no traffic was created', stat, errmsg)
  end function no_traffic

end module servet_traffics
