! SPDX-License-Identifier: BSD-3-Clause
!
! Prints all advice for this process, with its reasons, and shows how to get
! the numbers that a program needs.
!
!   gfortran advice.f90 $(pkg-config --cflags --libs servet-fortran) -o advice
!   ./advice [PROFILE]
!
! A fact that was not measured costs no more than its own advice: that is what `stat` is for.
program advise
  use servet
  implicit none

  type(servet_profile) :: profile

  call open_profile()
  print '(2a)', 'profile ', profile%path()
  call print_advice()
  call print_blocks()
  call print_threads()
  call profile%close()

contains

  ! The profile of the first argument, by default the one that Servet finds. There is no stat= here:
  ! without a profile the program stops with a message.
  subroutine open_profile()
    character(len=4096) :: path

    if (command_argument_count() == 0) then
      call profile%open()
    else
      call get_command_argument(1, path)
      call profile%open(path)
    end if
  end subroutine open_profile

  ! Everything that `servet advise` says.
  subroutine print_advice()
    type(servet_advice), allocatable :: advice(:)
    integer :: count, i

    allocate(advice(0))
    call profile%advise(servet_advice_for_process, advice, count)
    deallocate(advice)
    allocate(advice(count))
    call profile%advise(servet_advice_for_process, advice, count)
    do i = 1, min(count, size(advice))
      print '(3a)', trim(advice(i)%topic), ': ', trim(advice(i)%text)
      print '(2a)', '    because: ', trim(advice(i)%why)
      if (.not. advice(i)%trusted) print '(2a)', '    not trusted: ', trim(advice(i)%doubt)
    end do
  end subroutine print_advice

  ! Three blocks, of the two factors and the product of matrices, in each cache level.
  subroutine print_blocks()
    type(servet_block) :: block
    integer :: level, levels, stat

    call profile%cache_count(levels, stat=stat)
    do level = 1, levels
      call profile%cache_block(level, 3, 8, 0, block, stat=stat)
      if (stat /= servet_ok) cycle
      print '(3(a, i0), a)', 'level ', level, ': ', block%side, ' x ', block%side, &
        ' doubles of each of three matrices'
      if (block%emptied) print '(a)', '    others use this level, too: better not rely on it'
      if (block%assumed) print '(a)', '    if its sharing is the worst there is'
    end do
  end subroutine print_blocks

  ! The cores for a loop that streams through memory: no more than it can use.
  subroutine print_threads()
    integer, allocatable :: cores(:)
    integer :: stat

    call servet_thread_place(profile, servet_policy_memory, cores, stat=stat)
    if (stat == servet_ok) print '(a, 4096(1x, i0))', 'threads:', cores
  end subroutine print_threads

end program advise
