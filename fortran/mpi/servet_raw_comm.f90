! SPDX-License-Identifier: BSD-3-Clause
!
! The functions of mpi.h for Fortran handles as they are, each under its C declaration. Not part of
! the Fortran interface, which is the module servet_mpi.
module servet_raw_comm
  use, intrinsic :: iso_c_binding
  use servet_raw, only: raw_error
  implicit none
  private :: raw_error
  public

  interface

    ! const char *servet_pattern_name(servet_pattern pattern);
    function raw_pattern_name(pattern) bind(c, name='servet_pattern_name') result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: pattern
      type(c_ptr) :: text
    end function raw_pattern_name

    ! int servet_comm_split_layer_f(MPI_Fint comm, const servet_profile *profile, int layer,
    !                               MPI_Fint *newcomm, servet_error *error);
    function raw_comm_split_layer(comm, profile, layer, newcomm, error) &
        bind(c, name='servet_comm_split_layer_f') result(code)
      import :: c_int, c_ptr, raw_error
      integer(c_int), intent(in), value :: comm
      type(c_ptr), intent(in), value :: profile
      integer(c_int), intent(in), value :: layer
      integer(c_int), intent(out) :: newcomm
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_comm_split_layer

    ! int servet_comm_reorder_f(MPI_Fint comm, const servet_profile *profile, int pattern,
    !                           double bytes, const double *sends, int ranks, MPI_Fint *newcomm,
    !                           servet_error *error);
    function raw_comm_reorder(comm, profile, pattern, bytes, sends, ranks, newcomm, error) &
        bind(c, name='servet_comm_reorder_f') result(code)
      import :: c_double, c_int, c_ptr, raw_error
      integer(c_int), intent(in), value :: comm
      type(c_ptr), intent(in), value :: profile
      integer(c_int), intent(in), value :: pattern
      real(c_double), intent(in), value :: bytes
      type(c_ptr), intent(in), value :: sends
      integer(c_int), intent(in), value :: ranks
      integer(c_int), intent(out) :: newcomm
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_comm_reorder

  end interface

end module servet_raw_comm
