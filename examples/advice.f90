! SPDX-License-Identifier: BSD-3-Clause
!
! What the facts of the profile mean for a program with threads: how far apart to keep data, which
! blocks to work in, how many threads to use, how many loads to keep in flight, which cores are near each other.
!
!   gfortran advice.f90 $(pkg-config --cflags --libs servet-fortran) -o advice
!   ./advice [PROFILE]
!
! A fact that was not measured says so and costs no more than its own advice: that is what `stat`
! and `errmsg` are for.
program advice
  use servet
  implicit none

  type(servet_profile) :: profile
  character(len=200) :: reason ! why a query has no result

  call open_profile()
  print '(2a)', 'profile ', profile%path()
  call padding()
  call blocks()
  call threads()
  call loads()
  call neighbours()
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

  ! Whether `stat` tells of a failure, which is then printed.
  logical function missing(topic, stat)
    character(len=*), intent(in) :: topic
    integer, intent(in) :: stat

    missing = stat /= servet_ok
    if (missing) print '(3a)', topic, ': ', trim(reason)
  end function missing

  ! Threads that write into one such block take it from each other all the time.
  subroutine padding()
    type(servet_coherence) :: coherence
    integer :: stat

    call profile%coherence(coherence, stat=stat, errmsg=reason)
    if (missing('padding', stat)) return
    print '(a, i0, a)', 'padding: keep what different threads write ', &
      nint(coherence%line%value), ' bytes apart'
  end subroutine padding

  ! Three blocks, of the two factors and the product of matrices, should stay in a thread's part of
  ! a cache. Of what is reachable we take the low end: a block that is too small costs little, one
  ! that is too large costs a lot.
  subroutine blocks()
    integer, parameter :: bytes_per_double = 8
    type(servet_cache) :: cache
    double precision :: bytes
    integer :: level, levels, side, stat

    call profile%cache_count(levels, stat=stat, errmsg=reason)
    if (missing('block', stat)) return
    do level = 1, levels
      call profile%cache(level, cache)
      if (cache%kind == servet_cache_turnover) then
        print '(a, i0, a)', 'block: none for level ', level, ', which others keep busy'
      else
        bytes = cache%reachable_bytes%low / sharers(level)
        side = int(sqrt(bytes / (3 * bytes_per_double)))
        print '(4(a, i0), a)', 'block: ', side, ' x ', side, ' doubles in level ', level, &
          ', of which a thread has ', int(bytes / 1024), ' KiB'
      end if
    end do
  end subroutine blocks

  ! How many cores share an instance of a cache; one if not known.
  integer function sharers(level)
    integer, intent(in) :: level
    character(len=:), allocatable :: cores
    integer :: stat

    sharers = 1
    call profile%cache_group(level, 1, cores, stat=stat)
    if (stat == servet_ok) sharers = cores_in(cores)
  end function sharers

  ! The number of cores in a set such as '0-2,12'.
  recursive integer function cores_in(set) result(count)
    character(len=*), intent(in) :: set
    integer :: comma, dash, first, last

    comma = index(set, ',')
    if (comma > 0) then
      count = cores_in(set(:comma - 1)) + cores_in(set(comma + 1:))
      return
    end if
    dash = index(set, '-')
    read(set(dash + 1:), *) last
    first = last
    if (dash > 0) read(set(:dash - 1), *) first
    count = last - first + 1
  end function cores_in

  ! More threads than that get no more out of the memory that they share.
  subroutine threads()
    type(servet_memory_level) :: memory
    character(len=:), allocatable :: cores
    integer :: level, levels, group, groups, enough, stat

    call profile%memory_level_count(levels, stat=stat, errmsg=reason)
    if (missing('threads', stat)) return
    do level = 1, levels
      call profile%memory_level(level, memory)
      if (memory%saturation == 0) cycle ! not measured
      call profile%memory_group_count(level, groups, stat=stat, errmsg=reason)
      if (missing('threads', stat)) cycle
      do group = 1, groups
        call profile%memory_group(level, group, cores)
        print '(a, i0, 2a)', 'threads: ', memory%saturation, ' fill the memory of cores ', cores
      end do
    end do
    call profile%memory_saturation(enough, stat=stat, errmsg=reason)
    if (missing('threads', stat)) return
    print '(a, i0, a)', 'threads: ', enough, ' fill the memory of the whole node'
  end subroutine threads

  ! In so many independent chains, or fetched so many ahead.
  subroutine loads()
    type(servet_concurrency) :: concurrency
    integer :: stat

    call profile%concurrency(0, concurrency, stat=stat, errmsg=reason)
    if (missing('loads', stat)) return
    print '(a, i0, a)', 'loads: ', concurrency%requests, ' in flight fetch as fast as a core can'
  end subroutine loads

  ! Threads that hand each other data belong on cores of a near group.
  subroutine neighbours()
    type(servet_distance_layer) :: distance
    character(len=:), allocatable :: cores
    integer :: layer, layers, group, groups, stat

    call profile%distance_layer_count(layers, stat=stat, errmsg=reason)
    if (missing('neighbours', stat)) return
    do layer = 1, layers
      call profile%distance_layer(layer, distance)
      call profile%distance_group_count(layer, groups, stat=stat, errmsg=reason)
      if (missing('neighbours', stat)) cycle
      do group = 1, groups
        call profile%distance_group(layer, group, cores)
        print '(a, i0, 2a)', 'neighbours: ', nint(1e9 * distance%latency%value), &
          ' ns between cores ', cores
      end do
    end do
  end subroutine neighbours

end program advice
