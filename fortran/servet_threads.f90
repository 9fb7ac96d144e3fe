! SPDX-License-Identifier: BSD-3-Clause
!
! Placement of the threads of a process (servet/place.h), and the useful number of threads
! (servet/advice.h). Failures are reported as module servet_errors says.
module servet_threads
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_errors
  use servet_profile_base
  use servet_raw
  use servet_text
  implicit none
  private

  public :: servet_thread_place, servet_thread_room, servet_cache_sharers

contains

  ! Places threads by a policy (one of servet_policy_*): cores(i) is for thread i, from 1. Without
  ! `threads`, servet_thread_room() gives their number. They get cores of `among`, by default of the
  ! cores that the calling thread may use. `trusted` is false if doubtful facts decide.
  recursive subroutine servet_thread_place(profile, policy, cores, threads, among, node_class, &
                                           trusted, stat, errmsg)
    class(profile_base), intent(in) :: profile
    character(len=*), intent(in) :: policy
    integer, allocatable, intent(out) :: cores(:)
    integer, intent(in), optional :: threads, among(:)
    character(len=*), intent(in), optional :: node_class
    logical, intent(out), optional :: trusted
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int), allocatable, target :: from(:)
    integer(c_int), allocatable :: raw(:)
    logical(c_bool) :: sure
    type(place), target :: at
    type(raw_error) :: error
    integer(c_int) :: count
    integer :: code

    allocate(cores(0), stat=code)
    sure = .false.
    if (present(trusted)) trusted = .false.
    if (closed(profile, stat, errmsg)) return
    code = servet_ok
    call set_place(at, code, node_class)
    call set_among(from, code, among)
    count = 0
    if (present(threads)) then
      count = int(threads, c_int)
    else if (code == servet_ok) then
      code = int(raw_thread_room(handle_of(profile), at%raw, word_number(raw_policy_name, policy), &
                                 address(from), number_of(from), count, sure, error))
    end if
    if (code == servet_ok) call new_numbers(max(0, int(count)), raw, code)
    if (code == servet_ok) &
      code = int(raw_thread_place(handle_of(profile), at%raw, word_number(raw_policy_name, policy), &
                                  address(from), number_of(from), raw, count, sure, error))
    if (code == servet_ok) call cores_from_c(raw, cores, code)
    if (code == servet_ok .and. present(trusted)) trusted = sure
    call finish_error(code, error, stat, errmsg)
  end subroutine servet_thread_place

  ! The number of threads that a policy can use. `trusted` is false if doubtful facts decide.
  recursive subroutine servet_thread_room(profile, policy, threads, among, node_class, trusted, &
                                          stat, errmsg)
    class(profile_base), intent(in) :: profile
    character(len=*), intent(in) :: policy
    integer, intent(out) :: threads
    integer, intent(in), optional :: among(:)
    character(len=*), intent(in), optional :: node_class
    logical, intent(out), optional :: trusted
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int), allocatable, target :: from(:)
    logical(c_bool) :: sure
    type(place), target :: at
    type(raw_error) :: error
    integer(c_int) :: count
    integer :: code

    threads = 0
    sure = .false.
    if (present(trusted)) trusted = .false.
    if (closed(profile, stat, errmsg)) return
    code = servet_ok
    call set_place(at, code, node_class)
    call set_among(from, code, among)
    count = 0
    if (code == servet_ok) &
      code = int(raw_thread_room(handle_of(profile), at%raw, word_number(raw_policy_name, policy), &
                                 address(from), number_of(from), count, sure, error))
    threads = int(count)
    if (code == servet_ok .and. present(trusted)) trusted = sure
    call finish_error(code, error, stat, errmsg)
  end subroutine servet_thread_room

  ! The number of `cores` that share the instance of cache level `level` with core `core`. By default,
  ! `core` is the core that the thread runs on.
  recursive subroutine servet_cache_sharers(profile, level, cores, sharers, core, node_class, stat, &
                                            errmsg)
    class(profile_base), intent(in) :: profile
    integer, intent(in) :: level, cores(:)
    integer, intent(out) :: sharers
    integer, intent(in), optional :: core
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int), allocatable :: raw(:)
    type(place), target :: at
    integer(c_int) :: count
    integer :: code

    sharers = 0
    if (closed(profile, stat, errmsg)) return
    code = servet_ok
    call set_place(at, code, node_class, core)
    call cores_to_c(cores, raw, code)
    count = 0
    if (code == servet_ok) &
      code = int(raw_cache_sharers(handle_of(profile), at%raw, int(level, c_int), raw, &
                                   int(size(raw), c_int), count))
    sharers = int(count)
    call finish_about(code, 'threads that share cache level', stat, errmsg, level)
  end subroutine servet_cache_sharers

  ! --- cores to choose from, for C: NULL if none are given ----------------------------------------

  ! The array has one more element than cores, so that an empty set has an address, too.
  subroutine set_among(from, code, among)
    integer(c_int), allocatable, intent(out) :: from(:)
    integer, intent(inout) :: code
    integer, intent(in), optional :: among(:)
    integer :: failed, i

    if (.not. present(among)) return
    allocate(from(size(among) + 1), stat=failed)
    if (failed /= 0) then
      code = servet_ememory
      return
    end if
    from = 0
    do i = 1, size(among)
      from(i) = int(among(i), c_int)
    end do
  end subroutine set_among

  function address(from)
    integer(c_int), allocatable, intent(in), target :: from(:)
    type(c_ptr) :: address

    address = c_null_ptr
    if (allocated(from)) address = c_loc(from(1))
  end function address

  pure function number_of(from) result(number)
    integer(c_int), allocatable, intent(in) :: from(:)
    integer(c_int) :: number

    number = 0
    if (allocated(from)) number = int(size(from), c_int) - 1_c_int
  end function number_of

end module servet_threads
