! SPDX-License-Identifier: BSD-3-Clause
!
! The layers of cores of analyze.h as they are: structs and functions, each under its C declaration.
! Not part of the Fortran interface, which is the module servet.
module servet_raw_layers
  use, intrinsic :: iso_c_binding
  use servet_constants, only: servet_layers_max
  use servet_raw, only: raw_error, raw_value
  implicit none
  private :: servet_layers_max, raw_error, raw_value
  public

  ! struct servet_matrix, as SERVET_MATRIX_INIT leaves it
  type, bind(c) :: raw_matrix
    integer(c_size_t) :: n = 0
    type(c_ptr) :: cost = c_null_ptr
    integer(c_int) :: unit = 0
  end type raw_matrix

  ! struct servet_layer
  type, bind(c) :: raw_layer
    type(raw_value) :: cost
    real(c_double) :: near, far
    real(c_double) :: confidence
    integer(c_int) :: group_count
    type(c_ptr) :: group
  end type raw_layer

  ! struct servet_layers
  type, bind(c) :: raw_layers
    integer(c_size_t) :: n
    integer(c_int) :: layer_count
    type(raw_layer) :: layer(servet_layers_max)
  end type raw_layers

  interface

    ! int servet_matrix_read(const char *path, servet_matrix *matrix, servet_error *error);
    function raw_matrix_read(path, matrix, error) bind(c, name='servet_matrix_read') result(code)
      import :: c_char, c_int, raw_error, raw_matrix
      character(kind=c_char), intent(in) :: path(*)
      type(raw_matrix), intent(inout) :: matrix
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_matrix_read

    ! void servet_matrix_free(servet_matrix *matrix);
    subroutine raw_matrix_free(matrix) bind(c, name='servet_matrix_free')
      import :: raw_matrix
      type(raw_matrix), intent(inout) :: matrix
    end subroutine raw_matrix_free

    ! int servet_analyze_layers(const servet_matrix *matrix, servet_layers *layers,
    !                           servet_error *error);
    function raw_analyze_layers(matrix, layers, error) bind(c, name='servet_analyze_layers') &
        result(code)
      import :: c_int, raw_error, raw_layers, raw_matrix
      type(raw_matrix), intent(in) :: matrix
      type(raw_layers), intent(inout) :: layers
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_analyze_layers

    ! void servet_layers_free(servet_layers *layers);
    subroutine raw_layers_free(layers) bind(c, name='servet_layers_free')
      import :: raw_layers
      type(raw_layers), intent(inout) :: layers
    end subroutine raw_layers_free

  end interface

end module servet_raw_layers
