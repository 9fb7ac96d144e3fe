! SPDX-License-Identifier: BSD-3-Clause
!
! Sets of cores as numbers, and binding. The C tests compare the binding with the system's report.
program test_cores
  use servet
  use tap
  implicit none

  call test_all()
  call done_testing()

contains

  ! Variables of the main program are never freed.
  subroutine test_all()
    integer, allocatable :: cores(:), usable(:)
    character(len=:), allocatable :: text
    character(len=200) :: message
    integer :: i, here, stat

    call servet_cores_from_text('0-2,12,30-31', cores)
    call is_int(size(cores), 6, 'a set has its number of cores')
    call ok(all(cores == [0, 1, 2, 12, 30, 31]), 'its cores ascend')
    call servet_cores_from_text('', cores)
    call is_int(size(cores), 0, 'an empty set')
    call servet_cores_from_text('3-1', cores, stat=stat, errmsg=message)
    call is_int(stat, servet_eformat, 'no set')
    call is_text(message, "set of cores '3-1': malformed input", 'message for a malformed set')
    call is_int(size(cores), 0, 'no set has no cores')

    call servet_cores_to_text([31, 12, 0, 2, 1, 12, 30], text)
    call is_text(text, '0-2,12,30-31', 'numbers as a set')
    call servet_cores_to_text([-1], text, stat=stat)
    call is_int(stat, servet_eargument, 'no core')
    call is_text(text, '', 'no core gives no set')
    call servet_cores_to_text([(1000000000 + 2 * i, i = 0, 99)], text)
    call is_int(len(text), 1099, 'the longest numbers have room')

    call servet_cores_usable(usable)
    call ok(size(usable) > 0, 'the thread may use cores')
    call ok(all(usable(2:) > usable(:size(usable) - 1)), 'they ascend')
    do i = 1, size(usable)
      call servet_bind_thread(usable(i))
      call servet_core_here(here)
      if (here /= usable(i)) exit
    end do
    call is_int(i, size(usable) + 1, 'the thread runs on each that it is bound to')
    call servet_cores_usable(cores)
    call ok(size(cores) == 1, 'a thread that is bound may use one core')
    call servet_bind_thread(16383, stat=stat, errmsg=message)
    call is_int(stat, servet_erange, 'a core that no machine has')
    call is_text(message, 'the process may not use core 16383', 'such a core, in words')
    call servet_bind_thread(usable)
    call servet_cores_usable(cores)
    call ok(size(cores) == size(usable), 'a thread is bound to several')
    call servet_bind_thread(cores(:0), stat=stat)
    call is_int(stat, servet_eargument, 'no cores to be bound to')
  end subroutine test_all

end program test_cores
