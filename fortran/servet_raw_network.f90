! SPDX-License-Identifier: BSD-3-Clause
!
! network.h and degradation.h as they are: their structs and functions, each under its C
! declaration. Not part of the Fortran interface, which is the module servet.
module servet_raw_network
  use, intrinsic :: iso_c_binding
  use servet_constants, only: servet_name_max
  use servet_raw, only: raw_value
  implicit none
  private :: servet_name_max, raw_value
  public

  ! struct servet_network
  type, bind(c) :: raw_network
    character(kind=c_char) :: benchmarks(servet_name_max)
    integer(c_int) :: nodes
    integer(c_int) :: ranks
    integer(c_int) :: nodes_asked
    real(c_double) :: message_bytes
  end type raw_network

  ! struct servet_place
  type, bind(c) :: raw_place
    integer(c_int) :: node
    integer(c_int) :: core
  end type raw_place

  ! struct servet_network_layer
  type, bind(c) :: raw_network_layer
    logical(c_bool) :: between_nodes
    type(raw_value) :: latency
    type(raw_value) :: bandwidth
    real(c_double) :: confidence
    type(raw_place) :: from
    type(raw_place) :: to
  end type raw_network_layer

  ! struct servet_message
  type, bind(c) :: raw_message
    real(c_double) :: bytes
    type(raw_value) :: time
  end type raw_message

  ! struct servet_protocol
  type, bind(c) :: raw_protocol
    type(raw_value) :: from
    type(raw_value) :: latency
    type(raw_value) :: bandwidth
  end type raw_protocol

  ! struct servet_together
  type, bind(c) :: raw_together
    integer(c_int) :: messages
    real(c_double) :: bytes
    type(raw_value) :: time
    type(raw_value) :: ratio
  end type raw_together

  ! struct servet_gather
  type, bind(c) :: raw_gather
    integer(c_int) :: messages
    real(c_double) :: below
    logical(c_bool) :: unbounded
  end type raw_gather

  ! struct servet_ratios
  type, bind(c) :: raw_ratios
    real(c_double) :: bytes
    integer(c_int) :: largest
    logical(c_bool) :: constant_total
  end type raw_ratios

  ! struct servet_ratio
  type, bind(c) :: raw_ratio
    integer(c_int) :: at
    integer(c_int) :: nodes
    type(raw_value) :: bandwidth
    type(raw_value) :: ratio
  end type raw_ratio

  ! struct degr_desc
  type, bind(c) :: raw_degr_desc
    type(c_ptr) :: ratios = c_null_ptr
    integer(c_int) :: distances = 0
    integer(c_int) :: processes = 0
  end type raw_degr_desc

  interface

    ! int servet_network_get(const servet_profile *profile, servet_network *network);
    function raw_network_get(profile, network) bind(c, name='servet_network_get') result(code)
      import :: c_int, c_ptr, raw_network
      type(c_ptr), value :: profile
      type(raw_network), intent(inout) :: network
      integer(c_int) :: code
    end function raw_network_get

    ! const char *servet_network_node(const servet_profile *profile, int node);
    pure function raw_network_node(profile, node) bind(c, name='servet_network_node') result(name)
      import :: c_int, c_ptr
      type(c_ptr), intent(in), value :: profile
      integer(c_int), intent(in), value :: node
      type(c_ptr) :: name
    end function raw_network_node

    ! int servet_network_node_of(const servet_profile *profile, const char *host, int *node);
    function raw_network_node_of(profile, host, node) bind(c, name='servet_network_node_of') &
        result(code)
      import :: c_char, c_int, c_ptr
      type(c_ptr), value :: profile
      character(kind=c_char), intent(in) :: host(*)
      integer(c_int), intent(inout) :: node
      integer(c_int) :: code
    end function raw_network_node_of

    ! int servet_network_layer_count(const servet_profile *profile, int *count);
    function raw_network_layer_count(profile, count) bind(c, name='servet_network_layer_count') &
        result(code)
      import :: c_int, c_ptr
      type(c_ptr), value :: profile
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_network_layer_count

    ! int servet_network_layer_get(const servet_profile *profile, int layer,
    !                              servet_network_layer *answer);
    function raw_network_layer_get(profile, layer, answer) &
        bind(c, name='servet_network_layer_get') result(code)
      import :: c_int, c_ptr, raw_network_layer
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      type(raw_network_layer), intent(inout) :: answer
      integer(c_int) :: code
    end function raw_network_layer_get

    ! int servet_network_group_count(const servet_profile *profile, int layer, int *count);
    function raw_network_group_count(profile, layer, count) &
        bind(c, name='servet_network_group_count') result(code)
      import :: c_int, c_ptr
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_network_group_count

    ! int servet_network_group(const servet_profile *profile, int layer, int index,
    !                          const char **places);
    function raw_network_group(profile, layer, index, places) &
        bind(c, name='servet_network_group') result(code)
      import :: c_int, c_ptr
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      integer(c_int), value :: index
      type(c_ptr), intent(inout) :: places
      integer(c_int) :: code
    end function raw_network_group

    ! int servet_network_layer_of(const servet_profile *profile, servet_place a, servet_place b,
    !                             int *layer);
    function raw_network_layer_of(profile, a, b, layer) bind(c, name='servet_network_layer_of') &
        result(code)
      import :: c_int, c_ptr, raw_place
      type(c_ptr), value :: profile
      type(raw_place), value :: a
      type(raw_place), value :: b
      integer(c_int), intent(inout) :: layer
      integer(c_int) :: code
    end function raw_network_layer_of

    ! int servet_network_time(const servet_profile *profile, int layer, double bytes,
    !                         servet_value *time);
    function raw_network_time(profile, layer, bytes, time) bind(c, name='servet_network_time') &
        result(code)
      import :: c_double, c_int, c_ptr, raw_value
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      real(c_double), value :: bytes
      type(raw_value), intent(inout) :: time
      integer(c_int) :: code
    end function raw_network_time

    ! int servet_network_bandwidth(const servet_profile *profile, int layer, double bytes,
    !                              servet_value *bandwidth);
    function raw_network_bandwidth(profile, layer, bytes, bandwidth) &
        bind(c, name='servet_network_bandwidth') result(code)
      import :: c_double, c_int, c_ptr, raw_value
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      real(c_double), value :: bytes
      type(raw_value), intent(inout) :: bandwidth
      integer(c_int) :: code
    end function raw_network_bandwidth

    ! int servet_network_point_count(const servet_profile *profile, int layer, int *count);
    function raw_network_point_count(profile, layer, count) &
        bind(c, name='servet_network_point_count') result(code)
      import :: c_int, c_ptr
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_network_point_count

    ! int servet_network_point(const servet_profile *profile, int layer, int index,
    !                          servet_message *point);
    function raw_network_point(profile, layer, index, point) &
        bind(c, name='servet_network_point') result(code)
      import :: c_int, c_ptr, raw_message
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      integer(c_int), value :: index
      type(raw_message), intent(inout) :: point
      integer(c_int) :: code
    end function raw_network_point

    ! int servet_network_protocol_count(const servet_profile *profile, int layer, int *count);
    function raw_network_protocol_count(profile, layer, count) &
        bind(c, name='servet_network_protocol_count') result(code)
      import :: c_int, c_ptr
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_network_protocol_count

    ! int servet_network_protocol(const servet_profile *profile, int layer, int index,
    !                             servet_protocol *protocol);
    function raw_network_protocol(profile, layer, index, protocol) &
        bind(c, name='servet_network_protocol') result(code)
      import :: c_int, c_ptr, raw_protocol
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      integer(c_int), value :: index
      type(raw_protocol), intent(inout) :: protocol
      integer(c_int) :: code
    end function raw_network_protocol

    ! int servet_network_slowdown(const servet_profile *profile, int layer, double bytes,
    !                             int messages, servet_value *factor);
    function raw_network_slowdown(profile, layer, bytes, messages, factor) &
        bind(c, name='servet_network_slowdown') result(code)
      import :: c_double, c_int, c_ptr, raw_value
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      real(c_double), value :: bytes
      integer(c_int), value :: messages
      type(raw_value), intent(inout) :: factor
      integer(c_int) :: code
    end function raw_network_slowdown

    ! int servet_network_cost(const servet_profile *profile, int layer, double bytes,
    !                         int messages, servet_value *time);
    function raw_network_cost(profile, layer, bytes, messages, time) &
        bind(c, name='servet_network_cost') result(code)
      import :: c_double, c_int, c_ptr, raw_value
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      real(c_double), value :: bytes
      integer(c_int), value :: messages
      type(raw_value), intent(inout) :: time
      integer(c_int) :: code
    end function raw_network_cost

    ! int servet_network_together_count(const servet_profile *profile, int layer, int *count);
    function raw_network_together_count(profile, layer, count) &
        bind(c, name='servet_network_together_count') result(code)
      import :: c_int, c_ptr
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_network_together_count

    ! int servet_network_together(const servet_profile *profile, int layer, int index,
    !                             servet_together *together);
    function raw_network_together(profile, layer, index, together) &
        bind(c, name='servet_network_together') result(code)
      import :: c_int, c_ptr, raw_together
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      integer(c_int), value :: index
      type(raw_together), intent(inout) :: together
      integer(c_int) :: code
    end function raw_network_together

    ! int servet_network_gather_count(const servet_profile *profile, int layer, int *count);
    function raw_network_gather_count(profile, layer, count) &
        bind(c, name='servet_network_gather_count') result(code)
      import :: c_int, c_ptr
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_network_gather_count

    ! int servet_network_gather(const servet_profile *profile, int layer, int index,
    !                           servet_gather *gather);
    function raw_network_gather(profile, layer, index, gather) &
        bind(c, name='servet_network_gather') result(code)
      import :: c_int, c_ptr, raw_gather
      type(c_ptr), value :: profile
      integer(c_int), value :: layer
      integer(c_int), value :: index
      type(raw_gather), intent(inout) :: gather
      integer(c_int) :: code
    end function raw_network_gather

    ! const char *servet_degradation_name(servet_degradation degradation);
    function raw_degradation_name(number) bind(c, name='servet_degradation_name') result(name)
      import :: c_int, c_ptr
      integer(c_int), value :: number
      type(c_ptr) :: name
    end function raw_degradation_name

    ! int servet_network_ratios(const servet_profile *profile, servet_degradation degradation,
    !                           servet_ratios *ratios);
    function raw_network_ratios(profile, degradation, ratios) &
        bind(c, name='servet_network_ratios') result(code)
      import :: c_int, c_ptr, raw_ratios
      type(c_ptr), value :: profile
      integer(c_int), value :: degradation
      type(raw_ratios), intent(inout) :: ratios
      integer(c_int) :: code
    end function raw_network_ratios

    ! int servet_network_ratios_count(const servet_profile *profile,
    !                                 servet_degradation degradation, int *count);
    function raw_network_ratios_count(profile, degradation, count) &
        bind(c, name='servet_network_ratios_count') result(code)
      import :: c_int, c_ptr
      type(c_ptr), value :: profile
      integer(c_int), value :: degradation
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_network_ratios_count

    ! int servet_network_ratios_at(const servet_profile *profile, servet_degradation degradation,
    !                              int index, servet_ratios *ratios);
    function raw_network_ratios_at(profile, degradation, index, ratios) &
        bind(c, name='servet_network_ratios_at') result(code)
      import :: c_int, c_ptr, raw_ratios
      type(c_ptr), value :: profile
      integer(c_int), value :: degradation
      integer(c_int), value :: index
      type(raw_ratios), intent(inout) :: ratios
      integer(c_int) :: code
    end function raw_network_ratios_at

    ! int servet_network_ratio_at(const servet_profile *profile, servet_degradation degradation,
    !                             int index, int at, servet_ratio *ratio);
    function raw_network_ratio_at(profile, degradation, index, at, ratio) &
        bind(c, name='servet_network_ratio_at') result(code)
      import :: c_int, c_ptr, raw_ratio
      type(c_ptr), value :: profile
      integer(c_int), value :: degradation
      integer(c_int), value :: index
      integer(c_int), value :: at
      type(raw_ratio), intent(inout) :: ratio
      integer(c_int) :: code
    end function raw_network_ratio_at

    ! int servet_network_ratio(const servet_profile *profile, servet_degradation degradation,
    !                          int at, servet_ratio *ratio);
    function raw_network_ratio(profile, degradation, at, ratio) &
        bind(c, name='servet_network_ratio') result(code)
      import :: c_int, c_ptr, raw_ratio
      type(c_ptr), value :: profile
      integer(c_int), value :: degradation
      integer(c_int), value :: at
      type(raw_ratio), intent(inout) :: ratio
      integer(c_int) :: code
    end function raw_network_ratio

    ! int load_degr_info(degr_desc *degr_info);
    function raw_load_degr_info(degr_info) bind(c, name='load_degr_info') result(code)
      import :: c_int, raw_degr_desc
      type(raw_degr_desc), intent(inout) :: degr_info
      integer(c_int) :: code
    end function raw_load_degr_info

    ! void release_degr_info(degr_desc *degr_info);
    subroutine raw_release_degr_info(degr_info) bind(c, name='release_degr_info')
      import :: raw_degr_desc
      type(raw_degr_desc), intent(inout) :: degr_info
    end subroutine raw_release_degr_info

    ! double get_network_dist_ratio(degr_desc *degr_info, int dist);
    function raw_dist_ratio(degr_info, dist) bind(c, name='get_network_dist_ratio') result(ratio)
      import :: c_double, c_int, raw_degr_desc
      type(raw_degr_desc), intent(in) :: degr_info
      integer(c_int), value :: dist
      real(c_double) :: ratio
    end function raw_dist_ratio

    ! double get_network_access_ratio(degr_desc *degr_info, int nprocs_per_node);
    function raw_access_ratio(degr_info, nprocs_per_node) &
        bind(c, name='get_network_access_ratio') result(ratio)
      import :: c_double, c_int, raw_degr_desc
      type(raw_degr_desc), intent(in) :: degr_info
      integer(c_int), value :: nprocs_per_node
      real(c_double) :: ratio
    end function raw_access_ratio

  end interface

end module servet_raw_network
