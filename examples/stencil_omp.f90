! SPDX-License-Identifier: BSD-3-Clause
!
! A stencil with OpenMP that places itself: stencil_omp_c.c in Fortran. Of each grid point the mean of its
! four neighbours is computed, sweep after sweep; memory bandwidth limits it. From the profile come the
! number of threads and their cores, balanced over the groups of cores that contend for memory, and the
! height of the blocks: three columns of a block stay in the part of the cache that a thread has.
!
!   gfortran -O3 -fopenmp stencil_omp.f90 $(pkg-config --cflags --libs servet-fortran) -o stencil_omp
!   ./stencil_omp [N [SWEEPS [PROFILE]]]
!
! With 0 sweeps it runs nothing, and predicts what the placement gains on the machine of the profile: the
! copy bandwidth of all threads, against as many threads packed together.
program stencil_omp
  use, intrinsic :: iso_c_binding, only: c_double
  use omp_lib
  use servet
  implicit none

  integer, parameter :: dp = c_double, columns = 3, bytes_per_element = 8
  type(servet_profile) :: profile
  integer, allocatable :: cores(:)
  character(len=1000) :: path, message
  integer :: n, sweeps, threads, height, stat
  real(dp) :: before, after, same, total

  n = argument(1, 4000)
  sweeps = argument(2, 20)
  path = ''
  if (command_argument_count() > 2) call get_command_argument(3, path)
  threads = omp_get_max_threads()
  height = n
  allocate(cores(0))
  if (path /= '') then
    call profile%open(path, stat, message)
  else
    call profile%open(stat=stat, errmsg=message)
  end if
  if (stat == servet_ok) then
    call make_plan()
  else
    print '(2a)', 'no profile: ', trim(message)
  end if
  print '(a, i0, a, *(1x, i0))', 'threads: ', threads, ', on cores', cores
  print '(a, i0, a)', 'blocks: ', height, ' rows high'
  if (sweeps == 0) then
    call predict()
  else
    before = run([integer ::], omp_get_max_threads(), n, same)
    after = run(cores, threads, height, total)
    if (abs(total - same) > 1e-9_dp * abs(same)) stop 'stencil_omp: the results differ'
    print '(a, es15.8)', 'all threads bound, checksum ', total
    print '(2(i0, a), f0.3, a, i0, a, f0.3, a)', n, ' squared, ', sweeps, ' sweeps: ', after, &
      ' s, as the system places ', omp_get_max_threads(), ' threads ', before, ' s'
  end if
  call profile%close()

contains

  function argument(index, default) result(number)
    integer, intent(in) :: index, default
    integer :: number, failed
    character(len=20) :: text

    number = default
    call get_command_argument(index, text)
    if (text /= '') read(text, *, iostat=failed) number
  end function argument

  ! Without facts the threads stay where the system puts them, and there are no blocks.
  subroutine make_plan()
    type(servet_block) :: block
    integer :: sharers

    call servet_thread_place(profile, servet_policy_memory, cores, stat=stat, errmsg=message)
    if (stat /= servet_ok) then
      print '(2a)', 'threads: ', trim(message)
      return
    end if
    threads = size(cores)
    call servet_cache_sharers(profile, 2, cores, sharers, core=cores(1), stat=stat)
    if (stat /= servet_ok) sharers = 1
    call profile%cache_block(2, columns + 1, bytes_per_element, sharers, block, core=cores(1), &
                             stat=stat, errmsg=message)
    if (stat == servet_ok) height = int(block%elements)
    if (stat /= servet_ok) print '(2a)', 'block: ', trim(message)
  end subroutine make_plan

  ! Each core gets what its level leaves to each of the cores that are busy in its group.
  function bandwidth_of(some) result(total)
    integer, intent(in) :: some(:)
    real(dp) :: total, least
    integer, allocatable :: set(:)
    character(len=:), allocatable :: text
    type(servet_value) :: each
    integer :: i, k, level, levels, group

    total = 0
    call profile%memory_level_count(levels, stat=stat)
    do i = 1, size(some)
      call profile%memory_single(each, stat=stat)
      least = 0
      if (stat == servet_ok) least = each%value
      do level = 1, levels
        call profile%memory_group_of(level, some(i), group, stat=stat)
        if (stat /= servet_ok) cycle
        call profile%memory_group(level, group, text)
        call servet_cores_from_text(text, set)
        call profile%memory_scaling(level, count([(any(set == some(k)), k = 1, size(some))]), each, stat=stat)
        if (stat == servet_ok) least = min(least, each%value)
      end do
      total = total + least
    end do
  end function bandwidth_of

  subroutine predict()
    integer, allocatable :: packed(:)
    real(dp) :: own, other

    if (size(cores) == 0) return
    call servet_thread_place(profile, servet_policy_compact, packed, size(cores), stat=stat)
    if (stat /= servet_ok) return
    own = bandwidth_of(cores)
    other = bandwidth_of(packed)
    if (other > 0) print '(3(a, f0.2), a)', 'predicted: ', own * 1e-9_dp, ' GB/s, packed together ', &
      other * 1e-9_dp, ' GB/s: ', own / other, ' times as fast'
  end subroutine predict

  ! Seconds for all sweeps with the threads on `where_to`, or where the system puts them if it is empty.
  function run(where_to, team, high, checksum) result(seconds)
    integer, intent(in) :: where_to(:), team, high
    real(dp), intent(out) :: checksum
    real(dp) :: seconds, started
    real(dp), allocatable :: grid(:, :, :)
    integer :: i, first, last, thread, core

    allocate(grid(n, n, 0:1))
    checksum = 0
    seconds = 0
    !$omp parallel num_threads(team) private(i, first, last, thread, core, started) reduction(+: checksum)
    thread = omp_get_thread_num()
    if (size(where_to) > 0) then
      call servet_bind_thread(where_to(thread + 1))
      call servet_core_here(core)
      if (core /= where_to(thread + 1)) stop 'stencil_omp: a thread is not on its core'
    end if
    first = n * thread / team + 1
    last = n * (thread + 1) / team
    ! Memory is where it is first written.
    grid(:, first:last, :) = 0
    if (first == 1) grid(:, 1, :) = 1
    first = max(first, 2)
    last = min(last, n - 1)
    !$omp barrier
    started = omp_get_wtime()
    do i = 0, sweeps - 1
      call sweep(grid(:, :, mod(i, 2)), grid(:, :, mod(i + 1, 2)), first, last, high)
      !$omp barrier
    end do
    !$omp single
    seconds = omp_get_wtime() - started
    !$omp end single
    checksum = sum(grid(2:n - 1, first:last, mod(sweeps, 2)))
    !$omp end parallel
  end function run

  ! Columns first..last of a sweep, block by block.
  subroutine sweep(from, to, first, last, high)
    real(dp), intent(in) :: from(:, :)
    real(dp), intent(inout) :: to(:, :)
    integer, intent(in) :: first, last, high
    integer :: i, j, low

    do low = 2, n - 1, high
      do j = first, last
        do i = low, min(low + high - 1, n - 1)
          to(i, j) = 0.25_dp * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1))
        end do
      end do
    end do
  end subroutine sweep

end program stencil_omp
