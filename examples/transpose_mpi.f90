! SPDX-License-Identifier: BSD-3-Clause
!
! Transposes a matrix that is distributed by columns: every rank sends a block to every other one, as in
! Fourier transforms and sorts. How long a step takes depends on where the ranks run; compare
!
!   mpifort -O3 transpose_mpi.f90 -o transpose_mpi
!   mpirun -n 8 ./transpose_mpi
!   servet map -n 8 --pattern all-to-all --format openmpi-rankfile -o ranks
!   mpirun -n 8 --mca rmaps_rank_file_physical 1 --use-hwthread-cpus --rankfile ranks ./transpose_mpi [COLUMNS [STEPS]]
!
! COLUMNS is of each rank, 64 if not given.
program transpose_mpi
  use mpi
  implicit none

  double precision, allocatable :: a(:, :), out(:, :, :), in(:, :, :)
  double precision :: seconds
  integer :: rank, ranks, n, steps, code
  logical :: agree

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  n = argument(1, 64)
  steps = argument(2, 10)
  allocate(a(n * ranks, n), out(n, n, ranks), in(n, n, ranks))
  call fill()
  seconds = time_steps()
  agree = right(steps + 1)
  if (rank == 0) print '(i0, a, i0, a, i0, a, f10.6, 2a)', ranks, ' ranks, ', n * ranks, ' x ', &
    n * ranks, ' elements: ', seconds, ' s a step, the results ', trim(merge('agree ', 'DIFFER', agree))
  call MPI_Finalize(code)
  if (.not. agree) stop 1

contains

  ! A whole number of at least 1 from the command line.
  integer function argument(number, default)
    integer, intent(in) :: number, default
    character(len=20) :: text
    integer :: stat

    argument = default
    if (command_argument_count() < number) return
    call get_command_argument(number, text)
    read(text, *, iostat=stat) argument
    if (stat == 0 .and. argument >= 1) return
    print '(a)', 'transpose_mpi: COLUMNS and STEPS are at least 1'
    call MPI_Abort(MPI_COMM_WORLD, 2, code)
  end function argument

  double precision function element(i, j)
    integer, intent(in) :: i, j

    element = dble(i) * n * ranks + j
  end function element

  subroutine fill()
    integer :: i, j

    do j = 1, n
      do i = 1, n * ranks
        a(i, j) = element(i, rank * n + j)
      end do
    end do
  end subroutine fill

  ! Block b of the rows goes to rank b - 1, transposed already.
  subroutine transpose_all()
    integer :: b

    do b = 1, ranks
      out(:, :, b) = transpose(a((b - 1) * n + 1:b * n, :))
    end do
    call MPI_Alltoall(out, n * n, MPI_DOUBLE_PRECISION, in, n * n, MPI_DOUBLE_PRECISION, &
      MPI_COMM_WORLD, code)
    do b = 1, ranks
      a((b - 1) * n + 1:b * n, :) = in(:, :, b)
    end do
  end subroutine transpose_all

  ! Seconds of a step, of the rank that took longest.
  double precision function time_steps() result(time)
    double precision :: own
    integer :: i

    call transpose_all() ! connections are made
    call MPI_Barrier(MPI_COMM_WORLD, code)
    own = MPI_Wtime()
    do i = 1, steps
      call transpose_all()
    end do
    own = (MPI_Wtime() - own) / steps
    call MPI_Allreduce(own, time, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, code)
  end function time_steps

  ! After an odd number of steps the matrix is transposed, after an even one it is itself again.
  logical function right(done)
    integer, intent(in) :: done
    double precision :: expected
    logical :: own
    integer :: i, j

    own = .true.
    do j = 1, n
      do i = 1, n * ranks
        expected = element(i, rank * n + j)
        if (mod(done, 2) == 1) expected = element(rank * n + j, i)
        own = own .and. abs(a(i, j) - expected) < 0.5
      end do
    end do
    call MPI_Allreduce(own, right, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, code)
  end function right

end program transpose_mpi
