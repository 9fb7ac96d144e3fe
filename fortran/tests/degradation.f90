! SPDX-License-Identifier: BSD-3-Clause
!
! The functions of the third paper on the ratios of known_network.c: ratDist is 1 and 4 at 1 and 3,
! ratNC is 1 and 2.
program degradation
  use, intrinsic :: iso_c_binding
  use known
  use servet
  use tap
  implicit none

  interface

    ! int setenv(const char *name, const char *value, int overwrite);
    function setenv(name, value, overwrite) bind(c) result(code)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*), value(*)
      integer(c_int), value :: overwrite
      integer(c_int) :: code
    end function setenv

  end interface

  character(len=*), parameter :: path = 'degradation.json'
  type(degr_desc) :: degr

  call is_int(load_degr_info(degr), servet_enotfound, 'without a profile')
  call is_unknown(get_network_dist_ratio(degr, 1), 'ratDist that was not loaded')
  call write_profile(path)
  call is_int(int(setenv('SERVET_PROFILE' // c_null_char, path // c_null_char, 1_c_int)), 0, &
              'the profile is the one to find')
  call is_int(load_degr_info(degr), servet_ok, 'with a profile')
  call is_real(get_network_dist_ratio(degr, 1), 1.0_c_double, 'ratDist(1)')
  call is_real(get_network_dist_ratio(degr, 2), 2.5_c_double, 'ratDist(2), between')
  call is_real(get_network_dist_ratio(degr, 3), 4.0_c_double, 'ratDist(3)')
  call is_unknown(get_network_dist_ratio(degr, 4), 'ratDist(4)')
  call is_real(get_network_access_ratio(degr, 2), 2.0_c_double, 'ratNC(2)')
  call is_unknown(get_network_access_ratio(degr, 0), 'ratNC(0)')
  call release_degr_info(degr)
  call is_unknown(get_network_access_ratio(degr, 1), 'ratNC that was released')
  call remove(path)
  call done_testing()

contains

  ! NaN is neither above nor below any number.
  subroutine is_unknown(ratio, name)
    real(c_double), intent(in) :: ratio
    character(len=*), intent(in) :: name

    call ok(.not. (ratio <= 0 .or. ratio >= 0), name)
  end subroutine is_unknown

end program degradation
