! SPDX-License-Identifier: BSD-3-Clause
!
! The degradation of the network, with the names of the Servet 3.0 paper (servet/degradation.h): load
! once, query, release.
!
!   type(degr_desc) :: degr
!   if (load_degr_info(degr) == servet_ok) then
!     slower = get_network_access_ratio(degr, 8)
!     call release_degr_info(degr)
!   end if
module servet_degradation
  use, intrinsic :: iso_c_binding
  use servet_raw
  implicit none
  private

  public :: degr_desc, load_degr_info, release_degr_info
  public :: get_network_dist_ratio, get_network_access_ratio

  ! The loaded ratios. Only release_degr_info() frees them; loading again without it leaks memory.
  type :: degr_desc
    private
    type(raw_degr_desc) :: raw
  end type degr_desc

contains

  ! Reads ratDist and ratNC from the profile that servet_profile_find finds. Returns servet_ok, or one
  ! of the servet_e* codes; after a failure, nothing is loaded.
  function load_degr_info(degr_info) result(stat)
    type(degr_desc), intent(inout) :: degr_info
    integer :: stat

    stat = int(raw_load_degr_info(degr_info%raw))
  end function load_degr_info

  ! Frees the loaded ratios; then every ratio is NaN.
  subroutine release_degr_info(degr_info)
    type(degr_desc), intent(inout) :: degr_info

    call raw_release_degr_info(degr_info%raw)
  end subroutine release_degr_info

  ! ratDist(dist); NaN if it was not measured.
  function get_network_dist_ratio(degr_info, dist) result(ratio)
    type(degr_desc), intent(in) :: degr_info
    integer, intent(in) :: dist
    real(c_double) :: ratio
    type(raw_degr_desc) :: raw

    raw = degr_info%raw
    ratio = raw_get_network_dist_ratio(raw, int(dist, c_int))
  end function get_network_dist_ratio

  ! ratNC(nprocs_per_node); NaN if it was not measured.
  function get_network_access_ratio(degr_info, nprocs_per_node) result(ratio)
    type(degr_desc), intent(in) :: degr_info
    integer, intent(in) :: nprocs_per_node
    real(c_double) :: ratio
    type(raw_degr_desc) :: raw

    raw = degr_info%raw
    ratio = raw_get_network_access_ratio(raw, int(nprocs_per_node, c_int))
  end function get_network_access_ratio

end module servet_degradation
