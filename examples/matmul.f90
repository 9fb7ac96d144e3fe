! SPDX-License-Identifier: BSD-3-Clause
!
! Matrix multiplication blocked for the cache that Servet measured.
!
!   gfortran -O3 matmul.f90 $(pkg-config --cflags --libs servet-fortran) -o matmul
!   ./matmul [N [PROFILE]]
!
! Both times are of the same loops; all that differs is the size of the blocks, so their ratio is what blocking alone
! gains. Without -O3 arithmetic takes so long that memory hardly matters.
program matmul_blocked
  use, intrinsic :: iso_fortran_env, only: error_unit
  use servet
  implicit none

  integer, parameter :: dp = kind(1.0d0), long = selected_int_kind(18)
  real(dp), allocatable :: a(:, :), b(:, :), plain(:, :), blocked(:, :)
  real(dp) :: start, middle, finish
  integer :: n, block, i, j

  n = size_wanted()
  block = block_size()

  ! Small whole numbers: every sum is exact in any order, so both results must be the same.
  allocate(a(n, n), b(n, n), plain(n, n), blocked(n, n))
  do j = 1, n
    do i = 1, n
      a(i, j) = modulo(i + 2 * j, 7) - 3
      b(i, j) = modulo(3 * i + j, 5) - 2
    end do
  end do
  plain = 0
  blocked = 0

  start = seconds()
  call multiply(n, n, a, b, plain)
  middle = seconds()
  call multiply(n, block, a, b, blocked)
  finish = seconds()

  print '(2(i0, a), 2(f7.3, a), f7.2)', n, ' x ', n, ', unblocked', middle - start, &
    ' s, blocked', finish - middle, ' s, ratio', (middle - start) / (finish - middle)
  if (finish - middle >= middle - start) print '(2a)', 'blocking gains nothing here: the matrices fit into a cache, or ', &
    'arithmetic takes longer than memory (compile with -O3)'
  if (any(abs(plain - blocked) > 0)) then
    write(error_unit, '(a)') 'the results differ'
    stop 1
  end if
  print '(a)', 'the results agree'
  deallocate(a, b, plain, blocked)

contains

  ! The first argument. The default is no power of two: the columns of a block would compete for a
  ! few sets of the cache.
  integer function size_wanted()
    character(len=16) :: argument
    integer :: stat

    size_wanted = 1500
    if (command_argument_count() == 0) return
    call get_command_argument(1, argument)
    read(argument, *, iostat=stat) size_wanted
    if (stat /= 0 .or. size_wanted < 1 .or. size_wanted > 20000) then
      write(error_unit, '(a)') 'usage: matmul [N [PROFILE]], N from 1 to 20000'
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

  ! Three blocks, of A, B and C, are in use at a time and should stay in the cache together. The
  ! second level is the right one on most machines: the largest that a core has to itself. The first
  ! is so small that the inner loops become too short to pay, later ones are shared. Any failure
  ! stops the program with a message, as there is no stat= here.
  integer function block_size()
    integer, parameter :: matrices = 3, bytes_per_double = 8, alone = 1
    type(servet_profile) :: profile
    type(servet_block) :: room
    integer :: levels

    call open_profile(profile)
    call profile%cache_count(levels)
    call profile%cache_block(min(levels, 2), matrices, bytes_per_double, alone, room)
    block_size = int(room%side)
    print '(2a)', 'profile ', profile%path()
    print '(4(a, i0))', 'block ', block_size, ' x ', block_size, ': three fit into ', &
      nint(room%bytes / 1024), ' KiB of cache level ', room%level
  end function block_size

  ! Unblocked is a single block as large as the matrices.
  subroutine multiply(n, block, a, b, c)
    integer, intent(in) :: n, block
    real(dp), intent(in) :: a(n, n), b(n, n)
    real(dp), intent(inout) :: c(n, n)
    integer :: rows, j, k, i0, j0, k0

    do j0 = 1, n, block
      do k0 = 1, n, block
        do i0 = 1, n, block
          rows = min(block, n - i0 + 1)
          do j = j0, min(j0 + block - 1, n)
            do k = k0, min(k0 + block - 1, n)
              call add_column(rows, b(k, j), a(i0, k), c(i0, j))
            end do
          end do
        end do
      end do
    end do
  end subroutine multiply

  ! The inner loop on its own: compilers then make the same of it, whatever the loops around it.
  subroutine add_column(rows, factor, from, to)
    integer, intent(in) :: rows
    real(dp), intent(in) :: factor, from(rows)
    real(dp), intent(inout) :: to(rows)
    integer :: i

    do i = 1, rows
      to(i) = to(i) + factor * from(i)
    end do
  end subroutine add_column

  real(dp) function seconds()
    integer(long) :: count, rate

    call system_clock(count, rate)
    seconds = real(count, dp) / real(rate, dp)
  end function seconds

end program matmul_blocked
