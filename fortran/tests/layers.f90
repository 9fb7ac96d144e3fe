! SPDX-License-Identifier: BSD-3-Clause
!
! Finds layers of cores in a matrix that the program has, or reads from a file.
program layers_of_cores
  use, intrinsic :: iso_c_binding
  use known, only: remove
  use servet
  use tap
  implicit none

  integer, parameter :: dp = c_double
  character(len=*), parameter :: path = 'layers.csv'
  character(len=300) :: errmsg
  integer :: stat

  call two_packages()
  call part_of_an_array()
  call a_single_core()
  call from_a_file()
  call failures()
  call done_testing()

contains

  ! Eight cores in two packages: the even ones and the odd ones. In each package, the first two cores
  ! share a cache, and so do the last two. Costs are 20 within such a pair, 60 within a package and
  ! 150 between packages. One direction of each pair is disturbed.
  subroutine fill(cost)
    real(dp), intent(out) :: cost(8, 8)
    integer :: i, j

    do j = 1, 8
      do i = 1, 8
        cost(i, j) = 150
        if (modulo(i - j, 2) == 0) cost(i, j) = 60
        if (modulo(i - j, 2) == 0 .and. (i - 1) / 4 == (j - 1) / 4) cost(i, j) = 20
        if (i == j) cost(i, j) = 0
        if (i > j) cost(i, j) = 3 * cost(i, j)
      end do
    end do
  end subroutine fill

  subroutine are_the_layers(layers, unit)
    type(servet_layer), intent(in) :: layers(:)
    character(len=*), intent(in) :: unit

    call is_int(size(layers), 3, 'number of layers')
    if (size(layers) /= 3) return
    call is_layer(layers(1), 20.0_dp, [1, 2, 1, 2, 3, 4, 3, 4], unit, 'nearest layer')
    call is_layer(layers(2), 60.0_dp, [1, 2, 1, 2, 1, 2, 1, 2], unit, 'second layer')
    call is_layer(layers(3), 150.0_dp, [1, 1, 1, 1, 1, 1, 1, 1], unit, 'farthest layer')
  end subroutine are_the_layers

  subroutine is_layer(layer, cost, group, unit, name)
    type(servet_layer), intent(in) :: layer
    real(dp), intent(in) :: cost
    integer, intent(in) :: group(:)
    character(len=*), intent(in) :: unit, name

    call is_real(layer%cost%value, cost, name // ' cost')
    call is_text(layer%cost%unit, unit, name // ' unit')
    call is_real(layer%near, cost, name // ' near')
    call is_real(layer%far, cost, name // ' far')
    call ok(layer%confidence > 0.5_dp .and. layer%confidence <= 1, name // ' confidence')
    call is_int(layer%group_count, maxval(group), name // ' group_count')
    call is_int(layer%unmeasured, 0, name // ' unmeasured')
    call ok(size(layer%group) == size(group), name // ' has every core')
    if (size(layer%group) == size(group)) call ok(all(layer%group == group), name // ' group')
  end subroutine is_layer

  subroutine two_packages()
    type(servet_layer), allocatable :: layers(:)
    real(dp) :: cost(8, 8)

    call fill(cost)
    call servet_analyze_layers(cost, layers)
    call are_the_layers(layers, servet_unit_none)
    call servet_analyze_layers(cost, layers, servet_unit_second, stat, errmsg)
    call is_int(stat, servet_ok, 'success')
    call are_the_layers(layers, servet_unit_second)
  end subroutine two_packages

  subroutine part_of_an_array()
    type(servet_layer), allocatable :: layers(:)
    real(dp) :: all_costs(17, 24)

    all_costs = 1
    call fill(all_costs(3:17:2, 2:23:3))
    call servet_analyze_layers(all_costs(3:17:2, 2:23:3), layers, unit=servet_unit_cycle)
    call are_the_layers(layers, servet_unit_cycle)
  end subroutine part_of_an_array

  subroutine a_single_core()
    type(servet_layer), allocatable :: layers(:)
    real(dp) :: cost(1, 1)

    ! The old content is lost. (Without this line, gfortran 12 at -O0 warns of uninitialized bounds,
    ! although it reads them only if the array is allocated.)
    allocate(layers(2))
    cost = 0
    call servet_analyze_layers(cost, layers)
    call is_int(size(layers), 0, 'a single core has no layers')
  end subroutine a_single_core

  subroutine from_a_file()
    real(dp), allocatable :: cost(:, :)
    integer, parameter :: unit = 11

    open(unit, file=path)
    write(unit, '(a)') '# row by row', '0,12.5,13', '21,,23', '31,nan,0'
    close(unit)
    call servet_matrix_read(path, cost)
    call ok(all(shape(cost) == 3), 'shape of a matrix')
    call is_real(cost(1, 2), 12.5_dp, 'first row, second column')
    call is_real(cost(3, 1), 31.0_dp, 'last row, first column')
    call is_real(cost(2, 3), 23.0_dp, 'second row, last column')
    call ok(.not. cost(3, 2) > 0, 'not measured')
    call remove(path)
  end subroutine from_a_file

  subroutine failures()
    type(servet_layer), allocatable :: layers(:)
    real(dp), allocatable :: cost(:, :)

    call servet_matrix_read('nowhere.csv', cost, stat, errmsg)
    call is_int(stat, servet_enotfound, 'a file that is not there')
    call ok(index(errmsg, 'nowhere.csv') > 0, 'the message names the file')
    call is_int(size(cost), 0, 'no costs then')
    call servet_analyze_layers(cost, layers, stat=stat)
    call is_int(stat, servet_eargument, 'no cores')
    call is_int(size(layers), 0, 'no layers then')
    deallocate(cost)
    allocate(cost(2, 3))
    cost = 1
    call servet_analyze_layers(cost, layers, stat=stat, errmsg=errmsg)
    call is_int(stat, servet_eargument, 'a matrix that is not square')
    call is_text(errmsg, 'the matrix of costs is not square', 'message of such a matrix')
    call servet_analyze_layers(cost(:, :2), layers, unit='furlongs', stat=stat, errmsg=errmsg)
    call is_int(stat, servet_eargument, 'a unit that is none')
    call is_text(errmsg, 'not a unit: furlongs', 'message of such a unit')
  end subroutine failures

end program layers_of_cores
