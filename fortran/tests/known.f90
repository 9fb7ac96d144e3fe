! SPDX-License-Identifier: BSD-3-Clause
!
! The functions of known.h for Fortran: they write profiles, and the tests know every value in them.
module known
  use, intrinsic :: iso_c_binding
  use tap, only: is_int
  implicit none
  public

  interface

    ! int known_write_profile(const char *path);
    function raw_known_write_profile(path) bind(c, name='known_write_profile') result(code)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: code
    end function raw_known_write_profile

    ! int known_write_cluster(const char *path);
    function raw_known_write_cluster(path) bind(c, name='known_write_cluster') result(code)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: code
    end function raw_known_write_cluster

  end interface

contains

  ! Writes the known profile into the working folder as `path`.
  subroutine write_profile(path)
    character(len=*), intent(in) :: path

    call is_int(int(raw_known_write_profile(path // c_null_char)), 0, 'the known profile is written')
  end subroutine write_profile

  ! Writes in the same way the profile of a cluster, on which processes are placed.
  subroutine write_cluster(path)
    character(len=*), intent(in) :: path

    call is_int(int(raw_known_write_cluster(path // c_null_char)), 0, 'the known cluster is written')
  end subroutine write_cluster

  subroutine remove(path)
    character(len=*), intent(in) :: path
    integer :: unit

    unit = 10
    open(unit, file=path)
    close(unit, status='delete')
  end subroutine remove

end module known
