! SPDX-License-Identifier: BSD-3-Clause
!
! A stencil on a grid that is distributed in two of its three dimensions, as in models of the
! atmosphere: every rank exchanges the sides of its tile with four neighbours. With "reorder" the
! ranks are numbered anew by Servet first, so that neighbours on the grid are near to each other
! wherever the launcher has put them.
!
!   mpifort -O3 stencil_mpi.f90 $(pkg-config --cflags --libs servet-mpi-fortran) -o stencil_mpi
!   mpirun -n 8 ./stencil_mpi [EDGE [STEPS [reorder]]]
!
! EDGE is that of a rank's cube of cells, 32 if not given.
program stencil_mpi
  use mpi
  use servet
  use servet_mpi
  implicit none

  integer, parameter :: dp = kind(1.0d0)
  real(dp), allocatable :: now(:, :, :), next(:, :, :) ! (k, i, j) with a halo around i and j
  real(dp) :: seconds
  integer :: comm, grid, rank, ranks, code, n, steps
  integer :: dims(2), at(2), before(2), after(2)
  logical :: agree
  character(len=20) :: word

  call MPI_Init(code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  n = argument(1, 32)
  steps = argument(2, 10)
  comm = MPI_COMM_WORLD
  word = ''
  if (command_argument_count() > 2) call get_command_argument(3, word)
  if (word == 'reorder') call servet_comm_reorder(MPI_COMM_WORLD, comm, &
    servet_pattern_stencil_2d, bytes=8.0_dp * n**2)
  call make_grid()
  seconds = time_steps()
  agree = right()
  if (rank == 0) print '(2(i0, a), 3(i0, a), f10.6, 2a)', dims(1), ' x ', dims(2), &
    ' ranks, tiles of ', n, ' x ', n, ' x ', n, ' cells: ', seconds, ' s a step, the results ', &
    trim(merge('agree ', 'DIFFER', agree))
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
    print '(a)', 'stencil_mpi: EDGE and STEPS are at least 1'
    call MPI_Abort(MPI_COMM_WORLD, 2, code)
  end function argument

  subroutine make_grid()
    logical :: periods(2)
    integer :: d

    dims = 0
    periods = .false.
    call MPI_Dims_create(ranks, 2, dims, code)
    call MPI_Cart_create(comm, 2, dims, periods, .false., grid, code)
    call MPI_Comm_rank(grid, rank, code)
    call MPI_Cart_coords(grid, rank, 2, at, code)
    do d = 1, 2
      call MPI_Cart_shift(grid, d - 1, 1, before(d), after(d), code)
    end do
    allocate(now(n, 0:n + 1, 0:n + 1), next(n, 0:n + 1, 0:n + 1))
    call fill(now)
    call fill(next)
  end subroutine make_grid

  ! A linear field is its own average: whatever else comes out is a mistake.
  pure real(dp) function expected(k, i, j)
    integer, intent(in) :: k, i, j

    expected = (at(1) * n + i) + 2.0_dp * (at(2) * n + j) + 3.0_dp * k
  end function expected

  ! The data of neighbours are not known before they are sent.
  subroutine fill(field)
    real(dp), intent(out) :: field(:, 0:, 0:)
    integer :: k, i, j

    do j = 0, n + 1
      do i = 0, n + 1
        do k = 1, n
          field(k, i, j) = expected(k, i, j)
        end do
      end do
    end do
    if (before(1) /= MPI_PROC_NULL) field(:, 0, :) = -huge(field)
    if (after(1) /= MPI_PROC_NULL) field(:, n + 1, :) = -huge(field)
    if (before(2) /= MPI_PROC_NULL) field(:, :, 0) = -huge(field)
    if (after(2) /= MPI_PROC_NULL) field(:, :, n + 1) = -huge(field)
  end subroutine fill

  ! The sides of the four neighbours come into the halo.
  subroutine exchange()
    call pass(now(:, n, 1:n), after(1), now(:, 0, 1:n), before(1))
    call pass(now(:, 1, 1:n), before(1), now(:, n + 1, 1:n), after(1))
    call pass(now(:, 1:n, n), after(2), now(:, 1:n, 0), before(2))
    call pass(now(:, 1:n, 1), before(2), now(:, 1:n, n + 1), after(2))
  end subroutine exchange

  ! Without a neighbour the halo stays unchanged.
  subroutine pass(side, to, halo, from)
    real(dp), intent(in) :: side(:, :)
    integer, intent(in) :: to, from
    real(dp), intent(inout) :: halo(:, :)
    real(dp) :: out(n, n), in(n, n)
    integer :: status(MPI_STATUS_SIZE)

    out = side
    in = halo
    call MPI_Sendrecv(out, n * n, MPI_DOUBLE_PRECISION, to, 0, in, n * n, MPI_DOUBLE_PRECISION, &
      from, 0, grid, status, code)
    halo = in
  end subroutine pass

  subroutine step()
    integer :: i, j

    call exchange()
    do j = 1, n
      do i = 1, n
        next(:, i, j) = 0.25_dp * (now(:, i - 1, j) + now(:, i + 1, j) + now(:, i, j - 1) &
          + now(:, i, j + 1))
      end do
    end do
    now(:, 1:n, 1:n) = next(:, 1:n, 1:n)
  end subroutine step

  ! Seconds of a step, of the rank that took longest.
  real(dp) function time_steps() result(time)
    real(dp) :: own
    integer :: i

    call step() ! connections are made
    call MPI_Barrier(grid, code)
    own = MPI_Wtime()
    do i = 1, steps
      call step()
    end do
    own = (MPI_Wtime() - own) / steps
    call MPI_Allreduce(own, time, 1, MPI_DOUBLE_PRECISION, MPI_MAX, grid, code)
  end function time_steps

  logical function right()
    logical :: own
    integer :: k, i, j

    own = .true.
    do j = 1, n
      do i = 1, n
        do k = 1, n
          own = own .and. abs(now(k, i, j) - expected(k, i, j)) < 1e-6_dp
        end do
      end do
    end do
    call MPI_Allreduce(own, right, 1, MPI_LOGICAL, MPI_LAND, grid, code)
  end function right

end program stencil_mpi
