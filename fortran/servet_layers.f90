! SPDX-License-Identifier: BSD-3-Clause
!
! Layers of cores from a matrix of costs (servet/analyze.h): anybody's measurements, no profile.
! Failures as in servet_errors.
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

  ! One layer: the pairs of cores that are in one group here, but in none of the layer before.
  type :: servet_layer
    type(servet_value) :: cost         ! of a typical pair
    real(c_double) :: near = 0         ! nine of ten pairs cost between these
    real(c_double) :: far = 0
    real(c_double) :: confidence = 0   ! 0..1 that the layer is real
    integer :: group_count = 0
    integer, allocatable :: group(:)   ! of each core the number of its group, 1..group_count
  end type servet_layer

contains

  ! Reads a square matrix from a CSV file: element (i, j) is field j of row i, 0 where it is empty.
  recursive subroutine servet_matrix_read(path, cost, stat, errmsg)
    character(len=*), intent(in) :: path
    real(c_double), allocatable, intent(out) :: cost(:, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    real(c_double), pointer :: by_rows(:, :)
    type(raw_matrix) :: matrix
    type(raw_error) :: error
    integer(c_int) :: code

    code = raw_matrix_read(c_text(path), matrix, error)
    if (code == servet_ok) then
      call c_f_pointer(matrix%cost, by_rows, [matrix%n, matrix%n])
      cost = transpose(by_rows)
      call raw_matrix_free(matrix)
    else
      allocate(cost(0, 0))
    end if
    call finish_error(int(code), error, stat, errmsg)
  end subroutine servet_matrix_read

  ! Groups cores into layers, nearest first. cost(i, j) is what it costs core i to reach core j, in
  ! any unit (`unit` is one of servet_unit_*) in which farther is more; 0 where it was not measured.
  recursive subroutine servet_analyze_layers(cost, layers, unit, stat, errmsg)
    real(c_double), intent(in) :: cost(:, :)
    type(servet_layer), allocatable, intent(out) :: layers(:)
    character(len=*), intent(in), optional :: unit
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=servet_word_max) :: symbol
    integer(c_int) :: number

    allocate(layers(0))
    symbol = servet_unit_none
    if (present(unit)) symbol = unit
    number = word_number(raw_unit_symbol, symbol)
    if (f_text(raw_unit_symbol(number)) /= symbol) then
      call finish(servet_eargument, 'not a unit: ' // symbol, stat, errmsg)
    else if (size(cost, 1) /= size(cost, 2)) then
      call finish(servet_eargument, 'the matrix of costs is not square', stat, errmsg)
    else
      call analyze(size(cost, 1), cost, number, layers, stat, errmsg)
    end if
  end subroutine servet_analyze_layers

  ! The same for a matrix without gaps. C finds it transposed, which changes nothing: of the two
  ! directions of a pair the cheaper one counts.
  recursive subroutine analyze(n, cost, unit, layers, stat, errmsg)
    integer, intent(in) :: n
    real(c_double), intent(in), target :: cost(n, n)
    integer(c_int), intent(in) :: unit
    type(servet_layer), allocatable, intent(inout) :: layers(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_matrix) :: matrix
    type(raw_layers) :: raw
    type(raw_error) :: error
    integer(c_int) :: code
    integer :: i

    matrix%n = int(n, c_size_t)
    matrix%unit = unit
    if (n > 0) matrix%cost = c_loc(cost(1, 1))
    code = raw_analyze_layers(matrix, raw, error)
    if (code == servet_ok) then
      deallocate(layers)
      allocate(layers(raw%layer_count))
      do i = 1, size(layers)
        call copy_layer(n, raw%layer(i), layers(i))
      end do
      call raw_layers_free(raw)
    end if
    call finish_error(int(code), error, stat, errmsg)
  end subroutine analyze

  subroutine copy_layer(n, raw, layer)
    integer, intent(in) :: n
    type(raw_layer), intent(in) :: raw
    type(servet_layer), intent(out) :: layer
    integer(c_int), pointer :: group(:)

    layer%cost = to_value(raw%cost)
    layer%near = raw%near
    layer%far = raw%far
    layer%confidence = raw%confidence
    layer%group_count = int(raw%group_count)
    call c_f_pointer(raw%group, group, [n])
    allocate(layer%group(n))
    layer%group = int(group) + 1
  end subroutine copy_layer

end module servet_layers
