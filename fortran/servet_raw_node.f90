! SPDX-License-Identifier: BSD-3-Clause
!
! node.h as it is: its structs and functions, each under its C declaration. Not part of the Fortran
! interface, which is the module servet.
module servet_raw_node
  use, intrinsic :: iso_c_binding
  use servet_raw, only: raw_at, raw_value
  implicit none
  private :: raw_at, raw_value
  public

  ! struct servet_sharing
  type, bind(c) :: raw_sharing
    real(c_double) :: confidence
    integer(c_int) :: verdict
  end type raw_sharing

  ! struct servet_coherence
  type, bind(c) :: raw_coherence
    type(raw_value) :: line
    integer(c_int) :: level
    type(raw_value) :: reported
    integer(c_int) :: verdict
  end type raw_coherence

  ! struct servet_distance_layer
  type, bind(c) :: raw_distance_layer
    type(raw_value) :: latency
    real(c_double) :: confidence
    integer(c_int) :: verdict
  end type raw_distance_layer

  ! struct servet_memory_level
  type, bind(c) :: raw_memory_level
    type(raw_value) :: bandwidth
    integer(c_int) :: saturation
    integer(c_int) :: verdict
  end type raw_memory_level

  ! struct servet_numa
  type, bind(c) :: raw_numa
    integer(c_int) :: number
    type(c_ptr) :: cores
  end type raw_numa

  ! struct servet_concurrency
  type, bind(c) :: raw_concurrency
    integer(c_int) :: requests
    integer(c_int) :: requests_low
    integer(c_int) :: requests_high
    type(raw_value) :: best
    integer(c_int) :: chains
    integer(c_int) :: threads
  end type raw_concurrency

  interface

    ! int servet_cache_sharing(const servet_profile *profile, const servet_at *at, int level,
    !                          servet_sharing *sharing);
    function raw_cache_sharing(profile, at, level, sharing) bind(c, name='servet_cache_sharing') &
        result(code)
      import :: c_int, c_ptr, raw_at, raw_sharing
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: level
      type(raw_sharing), intent(inout) :: sharing
      integer(c_int) :: code
    end function raw_cache_sharing

    ! int servet_coherence_get(const servet_profile *profile, const servet_at *at,
    !                          servet_coherence *coherence);
    function raw_coherence_get(profile, at, coherence) bind(c, name='servet_coherence_get') &
        result(code)
      import :: c_int, c_ptr, raw_at, raw_coherence
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      type(raw_coherence), intent(inout) :: coherence
      integer(c_int) :: code
    end function raw_coherence_get

    ! int servet_distance_layer_count(const servet_profile *profile, const servet_at *at,
    !                                 int *count);
    function raw_distance_layer_count(profile, at, count) &
        bind(c, name='servet_distance_layer_count') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_distance_layer_count

    ! int servet_distance_layer_get(const servet_profile *profile, const servet_at *at,
    !                               int layer, servet_distance_layer *answer);
    function raw_distance_layer_get(profile, at, layer, answer) &
        bind(c, name='servet_distance_layer_get') result(code)
      import :: c_int, c_ptr, raw_at, raw_distance_layer
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: layer
      type(raw_distance_layer), intent(inout) :: answer
      integer(c_int) :: code
    end function raw_distance_layer_get

    ! int servet_distance_group_count(const servet_profile *profile, const servet_at *at,
    !                                 int layer, int *count);
    function raw_distance_group_count(profile, at, layer, count) &
        bind(c, name='servet_distance_group_count') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: layer
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_distance_group_count

    ! int servet_distance_group(const servet_profile *profile, const servet_at *at, int layer,
    !                           int index, const char **cores);
    function raw_distance_group(profile, at, layer, index, cores) &
        bind(c, name='servet_distance_group') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: layer, index
      type(c_ptr), intent(inout) :: cores
      integer(c_int) :: code
    end function raw_distance_group

    ! int servet_distance_layer_of(const servet_profile *profile, const servet_at *at,
    !                              int other, int *layer);
    function raw_distance_layer_of(profile, at, other, layer) &
        bind(c, name='servet_distance_layer_of') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: other
      integer(c_int), intent(inout) :: layer
      integer(c_int) :: code
    end function raw_distance_layer_of

    ! const char *servet_kernel_name(servet_kernel kernel);
    function raw_kernel_name(kernel) bind(c, name='servet_kernel_name') result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: kernel
      type(c_ptr) :: text
    end function raw_kernel_name

    ! int servet_memory_bandwidth(const servet_profile *profile, const servet_at *at,
    !                             servet_kernel kernel, servet_value *bandwidth);
    function raw_memory_bandwidth(profile, at, kernel, bandwidth) &
        bind(c, name='servet_memory_bandwidth') result(code)
      import :: c_int, c_ptr, raw_at, raw_value
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: kernel
      type(raw_value), intent(inout) :: bandwidth
      integer(c_int) :: code
    end function raw_memory_bandwidth

    ! int servet_memory_single(const servet_profile *profile, const servet_at *at,
    !                          servet_value *bandwidth);
    function raw_memory_single(profile, at, bandwidth) bind(c, name='servet_memory_single') &
        result(code)
      import :: c_int, c_ptr, raw_at, raw_value
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      type(raw_value), intent(inout) :: bandwidth
      integer(c_int) :: code
    end function raw_memory_single

    ! int servet_memory_level_count(const servet_profile *profile, const servet_at *at,
    !                               int *count);
    function raw_memory_level_count(profile, at, count) &
        bind(c, name='servet_memory_level_count') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_memory_level_count

    ! int servet_memory_level_get(const servet_profile *profile, const servet_at *at,
    !                             int level, servet_memory_level *answer);
    function raw_memory_level_get(profile, at, level, answer) &
        bind(c, name='servet_memory_level_get') result(code)
      import :: c_int, c_ptr, raw_at, raw_memory_level
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: level
      type(raw_memory_level), intent(inout) :: answer
      integer(c_int) :: code
    end function raw_memory_level_get

    ! int servet_memory_group_count(const servet_profile *profile, const servet_at *at,
    !                               int level, int *count);
    function raw_memory_group_count(profile, at, level, count) &
        bind(c, name='servet_memory_group_count') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: level
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_memory_group_count

    ! int servet_memory_group(const servet_profile *profile, const servet_at *at, int level,
    !                         int index, const char **cores);
    function raw_memory_group(profile, at, level, index, cores) &
        bind(c, name='servet_memory_group') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: level, index
      type(c_ptr), intent(inout) :: cores
      integer(c_int) :: code
    end function raw_memory_group

    ! int servet_memory_scaling(const servet_profile *profile, const servet_at *at, int level,
    !                           int cores, servet_value *bandwidth);
    function raw_memory_scaling(profile, at, level, cores, bandwidth) &
        bind(c, name='servet_memory_scaling') result(code)
      import :: c_int, c_ptr, raw_at, raw_value
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: level, cores
      type(raw_value), intent(inout) :: bandwidth
      integer(c_int) :: code
    end function raw_memory_scaling

    ! int servet_memory_saturation(const servet_profile *profile, const servet_at *at,
    !                              int *cores);
    function raw_memory_saturation(profile, at, cores) bind(c, name='servet_memory_saturation') &
        result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), intent(inout) :: cores
      integer(c_int) :: code
    end function raw_memory_saturation

    ! int servet_numa_count(const servet_profile *profile, const servet_at *at, int *count);
    function raw_numa_count(profile, at, count) bind(c, name='servet_numa_count') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_numa_count

    ! int servet_numa_get(const servet_profile *profile, const servet_at *at, int index,
    !                     servet_numa *numa);
    function raw_numa_get(profile, at, index, numa) bind(c, name='servet_numa_get') result(code)
      import :: c_int, c_ptr, raw_at, raw_numa
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: index
      type(raw_numa), intent(inout) :: numa
      integer(c_int) :: code
    end function raw_numa_get

    ! int servet_numa_bandwidth(const servet_profile *profile, const servet_at *at, int from,
    !                           int to, servet_value *bandwidth);
    function raw_numa_bandwidth(profile, at, from, to, bandwidth) &
        bind(c, name='servet_numa_bandwidth') result(code)
      import :: c_int, c_ptr, raw_at, raw_value
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: from, to
      type(raw_value), intent(inout) :: bandwidth
      integer(c_int) :: code
    end function raw_numa_bandwidth

    ! int servet_numa_latency(const servet_profile *profile, const servet_at *at, int from,
    !                         int to, servet_value *latency);
    function raw_numa_latency(profile, at, from, to, latency) &
        bind(c, name='servet_numa_latency') result(code)
      import :: c_int, c_ptr, raw_at, raw_value
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: from, to
      type(raw_value), intent(inout) :: latency
      integer(c_int) :: code
    end function raw_numa_latency

    ! int servet_concurrency_get(const servet_profile *profile, const servet_at *at, int level,
    !                            servet_concurrency *concurrency);
    function raw_concurrency_get(profile, at, level, concurrency) &
        bind(c, name='servet_concurrency_get') result(code)
      import :: c_int, c_ptr, raw_at, raw_concurrency
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: level
      type(raw_concurrency), intent(inout) :: concurrency
      integer(c_int) :: code
    end function raw_concurrency_get

    ! int servet_concurrency_of_chains(const servet_profile *profile, const servet_at *at,
    !                                  int level, int chains, servet_value *bandwidth);
    function raw_concurrency_of_chains(profile, at, level, chains, bandwidth) &
        bind(c, name='servet_concurrency_of_chains') result(code)
      import :: c_int, c_ptr, raw_at, raw_value
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: level, chains
      type(raw_value), intent(inout) :: bandwidth
      integer(c_int) :: code
    end function raw_concurrency_of_chains

    ! int servet_concurrency_of_threads(const servet_profile *profile, const servet_at *at,
    !                                   int level, int threads, servet_value *bandwidth);
    function raw_concurrency_of_threads(profile, at, level, threads, bandwidth) &
        bind(c, name='servet_concurrency_of_threads') result(code)
      import :: c_int, c_ptr, raw_at, raw_value
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: level, threads
      type(raw_value), intent(inout) :: bandwidth
      integer(c_int) :: code
    end function raw_concurrency_of_threads

  end interface

end module servet_raw_node
