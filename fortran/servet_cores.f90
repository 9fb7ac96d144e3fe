! SPDX-License-Identifier: BSD-3-Clause
!
! Sets of cores as numbers, and binding of threads (servet/place.h). Cores have the numbers of the
! operating system, from 0. After a failure, sets are empty. Module servet_errors describes `stat` and
! `errmsg`.
module servet_cores
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_errors
  use servet_raw
  use servet_text
  implicit none
  private

  public :: servet_cores_from_text, servet_cores_to_text, servet_cores_usable, servet_core_here
  public :: servet_bind_thread

  ! Binds the calling thread to one core, or to a set of cores.
  interface servet_bind_thread
    module procedure bind_to_core, bind_to_cores
  end interface servet_bind_thread

contains

  ! The cores of a set in ascending order. The text is that of queries: '0-2,12'; '' is the empty set.
  recursive subroutine servet_cores_from_text(text, cores, stat, errmsg)
    character(len=*), intent(in) :: text
    integer, allocatable, intent(out) :: cores(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable :: c_set(:)
    integer(c_int), allocatable :: raw(:)
    integer(c_int) :: count, none(1)
    integer :: code

    count = 0
    code = servet_ok
    call to_c(text, c_set, code)
    if (code == servet_ok) code = int(raw_cores_from_text(c_set, none, 0_c_int, count))
    if (code /= servet_ok) count = 0
    call new_numbers(int(count), raw, code)
    if (code == servet_ok) code = int(raw_cores_from_text(c_set, raw, count, count))
    call cores_from_c(raw, cores, code)
    call finish_about(code, "set of cores '{}'", stat, errmsg, name=text)
  end subroutine servet_cores_from_text

  ! The text of a set of cores. The cores may have any order.
  recursive subroutine servet_cores_to_text(cores, text, stat, errmsg)
    integer, intent(in) :: cores(:)
    character(len=:), allocatable, intent(out) :: text
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer, parameter :: digits = 11 ! of a number and the comma behind it
    character(kind=c_char), allocatable :: buffer(:)
    integer(c_int), allocatable :: raw(:)
    integer :: code, failed

    text = ''
    code = servet_ok
    call cores_to_c(cores, raw, code)
    allocate(buffer(digits * size(cores) + 1), stat=failed)
    if (failed /= 0) code = servet_ememory
    if (code == servet_ok) &
      code = int(raw_cores_to_text(raw, int(size(raw), c_int), buffer, size(buffer, kind=c_size_t)))
    if (code == servet_ok) call new_text(buffer, text, code)
    call finish_about(code, 'set of cores', stat, errmsg)
  end subroutine servet_cores_to_text

  ! The cores that the calling thread may run on, ascending.
  recursive subroutine servet_cores_usable(cores, stat, errmsg)
    integer, allocatable, intent(out) :: cores(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: raw(servet_cores_max), count
    type(raw_error) :: error
    integer :: code

    count = 0
    code = int(raw_cores_usable(raw, int(size(raw), c_int), count, error))
    call cores_from_c(raw(:min(int(count), size(raw))), cores, code)
    call finish_error(code, error, stat, errmsg)
  end subroutine servet_cores_usable

  ! The core that the calling thread runs on now; -1 if the system does not report it.
  recursive subroutine servet_core_here(core, stat, errmsg)
    integer, intent(out) :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: raw, code

    raw = -1
    code = raw_core_here(raw)
    core = int(raw)
    call finish_about(int(code), 'core of the thread', stat, errmsg)
  end subroutine servet_core_here

  ! Binds the calling thread: it runs on no other core.
  recursive subroutine bind_to_core(core, stat, errmsg)
    integer, intent(in) :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call bind_to_cores([core], stat, errmsg)
  end subroutine bind_to_core

  recursive subroutine bind_to_cores(cores, stat, errmsg)
    integer, intent(in) :: cores(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int), allocatable :: raw(:)
    type(raw_error) :: error
    integer :: code

    code = servet_ok
    call cores_to_c(cores, raw, code)
    if (code == servet_ok) code = int(raw_bind_thread(raw, int(size(raw), c_int), error))
    call finish_error(code, error, stat, errmsg)
  end subroutine bind_to_cores

end module servet_cores
