! SPDX-License-Identifier: BSD-3-Clause
!
! Measured facts about this machine, for Fortran programs:
!
!   use servet
!   type(servet_profile) :: profile
!   type(servet_cache) :: cache
!   call profile%open()
!   call profile%cache(2, cache)
!   print *, cache%bytes%value, cache%latency%value
!
! servet_profiles.f90 says where each procedure is, servet_types.f90, servet_node_types.f90 and
! servet_network_types.f90 what the results hold; servet_traffics.f90 and servet_maps.f90 place
! processes. The constants are the error codes (servet_e*) and the words in use (servet_unit_*,
! servet_method_*, servet_cache_*, servet_verdict_*, servet_kernel_*, servet_degradation_*,
! servet_pattern_*, servet_code_*, servet_order_*, servet_map_*, servet_limit_*,
! servet_resource_*).
module servet
  use servet_constants
  use servet_types, only: servet_value, servet_modes, servet_cache, servet_kind, servet_machine, &
    servet_run
  use servet_node_types, only: servet_sharing, servet_coherence, servet_distance_layer, &
    servet_memory_level, servet_numa, servet_concurrency
  use servet_network_types, only: servet_network, servet_place, servet_network_layer, &
    servet_message, servet_protocol, servet_together, servet_gather, servet_ratios, servet_ratio
  use servet_profile_advice, only: servet_saturation, servet_gathering
  use servet_layers
  use servet_degradation
  use servet_profiles
  use servet_traffics, only: servet_traffic
  use servet_maps
  implicit none
  public
end module servet
