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
! The modules servet_profile_base and servet_profile_queries have the procedures of a profile;
! servet_values and servet_facts have the types of their results. servet_traffics and servet_maps place
! processes, servet_threads places threads, and servet_cores binds threads. The constants are the
! error codes (servet_e*) and the names of enumerations (servet_unit_*, servet_method_*, servet_cache_*,
! servet_verdict_*, servet_kernel_*, servet_degradation_*, servet_pattern_*, servet_code_*,
! servet_order_*, servet_map_*, servet_limit_*, servet_resource_*, servet_policy_*).
module servet
  use servet_constants
  use servet_values, only: servet_value, servet_modes
  use servet_facts
  use servet_degradation
  use servet_profiles
  use servet_traffics, only: servet_traffic
  use servet_maps
  use servet_cores
  use servet_threads
  implicit none
  public
end module servet
