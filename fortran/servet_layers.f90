! SPDX-License-Identifier: BSD-3-Clause
!
! Layers of cores from a matrix of costs (servet/analyze.h), which any program may have measured. No
! profile is needed. Failures are reported as module servet_errors says.
module servet_layers
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_errors
  use servet_raw
  use servet_text
  use servet_values
  implicit none
  private

  public :: servet_layer, servet_analyze_layers, servet_matrix_read

  ! One layer: the pairs of cores that are in one group of this layer, but in no group of the layer before.
  type :: servet_layer
    type(servet_value) :: cost         ! of a typical pair
    real(c_double) :: near = 0         ! nine of ten pairs cost between near and far
    real(c_double) :: far = 0
    real(c_double) :: confidence = 0   ! 0..1 that the layer is real
    integer :: group_count = 0
    integer, allocatable :: group(:)   ! the number of each core's group, 1..group_count
    integer :: unmeasured = 0          ! pairs of the layer without a cost
  end type servet_layer

contains

  ! Reads a square matrix from a CSV file: element (i, j) is field j of row i. An empty field becomes 0.
  recursive subroutine servet_matrix_read(path, cost, stat, errmsg)
    character(len=*), intent(in) :: path
    real(c_double), allocatable, intent(out) :: cost(:, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable :: c_path(:)
    real(c_double), pointer :: by_rows(:, :)
    type(raw_matrix) :: matrix
    type(raw_error) :: error
    integer :: code, failed

    code = servet_ok
    call to_c(path, c_path, code)
    if (code == servet_ok) code = int(raw_matrix_read(c_path, matrix, error))
    if (code == servet_ok) then
      call c_f_pointer(matrix%cost, by_rows, [matrix%n, matrix%n])
      call copy_matrix(by_rows, .true., cost, code)
      call raw_matrix_free(matrix)
    end if
    if (code /= servet_ok) allocate(cost(0, 0), stat=failed)
    call finish_error(code, error, stat, errmsg)
  end subroutine servet_matrix_read

  ! Copies the elements to contiguous memory, transposed or not. Without memory, `to` is not allocated.
  subroutine copy_matrix(from, transposed, to, code)
    real(c_double), intent(in) :: from(:, :)
    logical, intent(in) :: transposed
    real(c_double), allocatable, intent(out) :: to(:, :)
    integer, intent(inout) :: code
    integer :: failed, i, j

    allocate(to(size(from, 1), size(from, 2)), stat=failed)
    if (failed /= 0) then
      code = servet_ememory
      return
    end if
    do j = 1, size(to, 2)
      do i = 1, size(to, 1)
        if (transposed) then
          to(i, j) = from(j, i)
        else
          to(i, j) = from(i, j)
        end if
      end do
    end do
  end subroutine copy_matrix

  ! Groups cores into layers, nearest first. cost(i, j) is the cost for core i to reach core j, in
  ! any unit (`unit` is one of servet_unit_*) that grows with the distance; 0 if it was not
  ! measured.
  recursive subroutine servet_analyze_layers(cost, layers, unit, stat, errmsg)
    real(c_double), intent(in) :: cost(:, :)
    type(servet_layer), allocatable, intent(out) :: layers(:)
    character(len=*), intent(in), optional :: unit
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=servet_word_max) :: symbol
    integer(c_int) :: number
    integer :: failed

    allocate(layers(0), stat=failed)
    symbol = servet_unit_none
    if (present(unit)) symbol = unit
    number = word_number(raw_unit_symbol, symbol)
    if (f_word(raw_unit_symbol(number)) /= symbol) then
      call finish_about(servet_eargument, 'not a unit', stat, errmsg, because=symbol)
    else if (size(cost, 1) /= size(cost, 2)) then
      call finish(servet_eargument, 'the matrix of costs is not square', stat, errmsg)
    else
      call analyze(cost, number, layers, stat, errmsg)
    end if
  end subroutine servet_analyze_layers

  ! C reads the matrix transposed. The result is the same, because the cheaper direction of a pair counts.
  recursive subroutine analyze(cost, unit, layers, stat, errmsg)
    real(c_double), intent(in) :: cost(:, :)
    integer(c_int), intent(in) :: unit
    type(servet_layer), allocatable, intent(inout) :: layers(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    real(c_double), allocatable, target :: copy(:, :)
    type(raw_matrix) :: matrix
    type(raw_layers) :: raw
    type(raw_error) :: error
    integer :: code

    code = servet_ok
    call copy_matrix(cost, .false., copy, code)
    if (code == servet_ok) then
      matrix%n = size(copy, 1, kind=c_size_t)
      matrix%unit = unit
      if (size(copy) > 0) matrix%cost = c_loc(copy(1, 1))
      code = int(raw_analyze_layers(matrix, raw, error))
    end if
    if (code == servet_ok) then
      call copy_layers(size(copy, 1), raw, layers, code)
      call raw_layers_free(raw)
    end if
    call finish_error(code, error, stat, errmsg)
  end subroutine analyze

  ! Copies the layers. Without memory, `layers` is empty.
  subroutine copy_layers(n, raw, layers, code)
    integer, intent(in) :: n
    type(raw_layers), intent(in) :: raw
    type(servet_layer), allocatable, intent(out) :: layers(:)
    integer, intent(inout) :: code
    integer :: i, failed

    allocate(layers(raw%layer_count), stat=failed)
    if (failed /= 0) then
      code = servet_ememory
    else
      do i = 1, size(layers)
        call copy_layer(n, raw%layer(i), layers(i), code)
      end do
      if (code /= servet_ok) deallocate(layers)
    end if
    if (code /= servet_ok) allocate(layers(0), stat=failed)
  end subroutine copy_layers

  subroutine copy_layer(n, raw, layer, code)
    integer, intent(in) :: n
    type(raw_layer), intent(in) :: raw
    type(servet_layer), intent(inout) :: layer
    integer, intent(inout) :: code
    integer(c_int), pointer :: group(:)
    integer :: i

    layer%cost = to_value(raw%cost)
    layer%near = raw%near
    layer%far = raw%far
    layer%confidence = raw%confidence
    layer%group_count = int(raw%group_count)
    layer%unmeasured = int(raw%unmeasured)
    call c_f_pointer(raw%group, group, [n])
    call cores_from_c(group, layer%group, code)
    do i = 1, size(layer%group)
      layer%group(i) = layer%group(i) + 1
    end do
  end subroutine copy_layer

end module servet_layers
