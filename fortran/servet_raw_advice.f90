! SPDX-License-Identifier: BSD-3-Clause
!
! What node.h and network.h advise, as they are: structs and functions, each under its C declaration.
! Not part of the Fortran interface, which is the module servet.
module servet_raw_advice
  use, intrinsic :: iso_c_binding
  use servet_raw, only: raw_at, raw_value
  use servet_raw_network, only: raw_place
  implicit none
  private :: raw_at, raw_value, raw_place
  public

  ! struct servet_saturation
  type, bind(c) :: raw_saturation
    integer(c_int) :: level
    type(c_ptr) :: cores
    integer(c_int) :: enough
    type(raw_value) :: bandwidth
  end type raw_saturation

  ! struct servet_gathering
  type, bind(c) :: raw_gathering
    logical(c_bool) :: gather
    type(raw_value) :: apart
    type(raw_value) :: together
  end type raw_gathering

  interface

    ! int servet_distance_group_of(const servet_profile *profile, const servet_at *at, int layer,
    !                              int *index);
    function raw_distance_group_of(profile, at, layer, index) &
        bind(c, name='servet_distance_group_of') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: layer
      integer(c_int), intent(inout) :: index
      integer(c_int) :: code
    end function raw_distance_group_of

    ! int servet_distance_nearest(const servet_profile *profile, const servet_at *at, int *cores,
    !                             int size, int *count);
    function raw_distance_nearest(profile, at, cores, size, count) &
        bind(c, name='servet_distance_nearest') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: size
      integer(c_int), intent(inout) :: cores(size)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_distance_nearest

    ! int servet_memory_group_of(const servet_profile *profile, const servet_at *at, int level,
    !                            int *index);
    function raw_memory_group_of(profile, at, level, index) &
        bind(c, name='servet_memory_group_of') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: level
      integer(c_int), intent(inout) :: index
      integer(c_int) :: code
    end function raw_memory_group_of

    ! int servet_memory_saturation_of(const servet_profile *profile, const servet_at *at,
    !                                 servet_saturation *advice);
    function raw_memory_saturation_of(profile, at, advice) &
        bind(c, name='servet_memory_saturation_of') result(code)
      import :: c_int, c_ptr, raw_at, raw_saturation
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      type(raw_saturation), intent(inout) :: advice
      integer(c_int) :: code
    end function raw_memory_saturation_of

    ! int servet_network_group_of(const servet_profile *profile, int layer, servet_place place,
    !                             int *index);
    function raw_network_group_of(profile, layer, place, index) &
        bind(c, name='servet_network_group_of') result(code)
      import :: c_int, c_ptr, raw_place
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      type(raw_place), value :: place
      integer(c_int), intent(inout) :: index
      integer(c_int) :: code
    end function raw_network_group_of

    ! int servet_network_nearest(const servet_profile *profile, servet_place place,
    !                            servet_place *places, int size, int *count);
    function raw_network_nearest(profile, place, places, size, count) &
        bind(c, name='servet_network_nearest') result(code)
      import :: c_int, c_ptr, raw_place
      type(c_ptr), value :: profile
      type(raw_place), value :: place
      integer(c_int), value :: size
      type(raw_place), intent(inout) :: places(size)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_network_nearest

    ! int servet_network_cost_between(const servet_profile *profile, servet_place a,
    !                                 servet_place b, double bytes, int messages,
    !                                 servet_value *time);
    function raw_network_cost_between(profile, a, b, bytes, messages, time) &
        bind(c, name='servet_network_cost_between') result(code)
      import :: c_double, c_int, c_ptr, raw_place, raw_value
      type(c_ptr), value :: profile
      type(raw_place), value :: a, b
      real(c_double), value :: bytes
      integer(c_int), value :: messages
      type(raw_value), intent(inout) :: time
      integer(c_int) :: code
    end function raw_network_cost_between

    ! int servet_network_gathering(const servet_profile *profile, int layer, double bytes,
    !                              int messages, servet_gathering *advice);
    function raw_network_gathering(profile, layer, bytes, messages, advice) &
        bind(c, name='servet_network_gathering') result(code)
      import :: c_double, c_int, c_ptr, raw_gathering
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      real(c_double), value :: bytes
      integer(c_int), value :: messages
      type(raw_gathering), intent(inout) :: advice
      integer(c_int) :: code
    end function raw_network_gathering

  end interface

end module servet_raw_advice
