! SPDX-License-Identifier: BSD-3-Clause
! The same as query.c.
program query
  use servet
  implicit none
  type(servet_profile) :: profile
  type(servet_ratio) :: ratio
  type(degr_desc) :: degradation
  integer :: code, count, i

  call profile%open()
  code = load_degr_info(degradation)
  if (code /= 0) stop 1
  call profile%network_ratios_count(servet_degradation_distance, count)
  print '(a)', trim(profile%path())
  print '(i0)', nint(1e6 * get_network_dist_ratio(degradation, 2))
  do i = 1, count
    call profile%network_ratio_at(servet_degradation_distance, i, 1, ratio)
    print '(i0)', ratio%nodes
  end do
  call release_degr_info(degradation)
end program query
