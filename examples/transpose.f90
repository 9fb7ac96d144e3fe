! SPDX-License-Identifier: BSD-3-Clause
!
! Transposes a matrix in blocks for the cache that Servet measured.
!
!   gfortran -O3 transpose.f90 $(pkg-config --cflags --libs servet-fortran) -o transpose
!   ./transpose [N [PROFILE]]
!
! Both ways copy the same elements; all that differs is the order. Column by column, each element is
! written to another line and another page than the one before; a block's lines stay in the cache
! until they are full.
program transpose_blocked
  use, intrinsic :: iso_fortran_env, only: error_unit
  use servet
  implicit none

  integer, parameter :: dp = kind(1.0d0), long = selected_int_kind(18)
  real(dp), allocatable :: a(:, :), b(:, :)
  real(dp) :: start, plain, blocked
  integer :: n, block, i, j, differ

  n = size_wanted()
  block = block_size()
  allocate(a(n, n), b(n, n))
  do j = 1, n
    do i = 1, n
      a(i, j) = i + 1.0e-5_dp * j
    end do
  end do
  b = -1 ! its pages exist from now on

  start = seconds()
  call by_columns(n, a, b)
  plain = seconds() - start
  differ = wrong()
  b = -1
  start = seconds()
  call by_blocks(n, block, a, b)
  blocked = seconds() - start
  differ = differ + wrong()

  print '(2(i0, a), 2(f7.3, a), f7.2)', n, ' x ', n, ', unblocked', plain, &
    ' s, blocked', blocked, ' s, ratio', plain / blocked
  if (differ > 0) then
    write(error_unit, '(i0, a)') differ, ' elements are wrong'
    stop 1
  end if
  print '(a)', 'the results agree'
  deallocate(a, b)

contains

  ! The first argument. The default is no power of two: the lines of a block would compete for a few
  ! sets of the cache.
  integer function size_wanted()
    character(len=16) :: argument
    integer :: stat

    size_wanted = 5000
    if (command_argument_count() == 0) return
    call get_command_argument(1, argument)
    read(argument, *, iostat=stat) size_wanted
    if (stat /= 0 .or. size_wanted < 1 .or. size_wanted > 20000) then
      write(error_unit, '(a)') 'usage: transpose [N [PROFILE]], N from 1 to 20000'
      stop 2
    end if
  end function size_wanted

  ! The profile of the second argument, by default the one that Servet finds.
  subroutine open_profile(profile)
    type(servet_profile), intent(inout) :: profile
    character(len=4096) :: path

    if (command_argument_count() < 2) then
      call profile%open()
    else
      call get_command_argument(2, path)
      call profile%open(path)
    end if
  end subroutine open_profile

  ! Two blocks, of both matrices, are in use at a time. The first level is the right one: a block
  ! needs no more than a few lines for each of its columns, and its pages stay in the TLB. Any
  ! failure stops the program with a message, as there is no stat= here.
  integer function block_size()
    integer, parameter :: level = 1, matrices = 2, bytes_per_double = 8, alone = 1
    type(servet_profile) :: profile
    type(servet_block) :: room

    call open_profile(profile)
    call profile%cache_block(level, matrices, bytes_per_double, alone, room)
    block_size = int(room%side)
    print '(2a)', 'profile ', profile%path()
    print '(4(a, i0))', 'block ', block_size, ' x ', block_size, ': two fit into ', &
      nint(room%bytes / 1024), ' KiB of cache level ', room%level
  end function block_size

  subroutine by_columns(n, a, b)
    integer, intent(in) :: n
    real(dp), intent(in) :: a(n, n)
    real(dp), intent(out) :: b(n, n)
    integer :: i, j

    do j = 1, n
      do i = 1, n
        b(j, i) = a(i, j)
      end do
    end do
  end subroutine by_columns

  subroutine by_blocks(n, block, a, b)
    integer, intent(in) :: n, block
    real(dp), intent(in) :: a(n, n)
    real(dp), intent(inout) :: b(n, n)
    integer :: i, j, i0, j0

    do j0 = 1, n, block
      do i0 = 1, n, block
        do j = j0, min(j0 + block - 1, n)
          do i = i0, min(i0 + block - 1, n)
            b(j, i) = a(i, j)
          end do
        end do
      end do
    end do
  end subroutine by_blocks

  integer function wrong()
    wrong = 0
    do j = 1, n
      do i = 1, n
        if (abs(b(j, i) - a(i, j)) > 0) wrong = wrong + 1
      end do
    end do
  end function wrong

  real(dp) function seconds()
    integer(long) :: count, rate

    call system_clock(count, rate)
    seconds = real(count, dp) / real(rate, dp)
  end function seconds

end program transpose_blocked
