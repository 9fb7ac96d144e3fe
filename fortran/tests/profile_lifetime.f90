! SPDX-License-Identifier: BSD-3-Clause
!
! Opening and closing. Where valgrind is found this runs under it: nothing leaks, nothing is
! freed twice or used after that.
program profile_lifetime
  use known
  use servet
  use tap
  implicit none

  character(len=*), parameter :: first = 'profile_lifetime_1.json'
  character(len=*), parameter :: second = 'profile_lifetime_2.json'

  call write_profile(first)
  call write_profile(second)
  call version_of_the_library()
  call close_twice()
  call reopen()
  call left_open()
  call copy_closed()
  call remove(first)
  call remove(second)
  call done_testing()

contains

  subroutine version_of_the_library()
    call ok(verify(servet_version(), '0123456789.') == 0, 'a version is digits and points')
    call ok(index(servet_version(), '.') > 1, 'a version has parts')
  end subroutine version_of_the_library

  subroutine close_twice()
    type(servet_profile) :: profile

    call profile%close()
    call profile%open(first)
    call profile%close()
    call profile%close()
    call ok(.not. profile%is_open(), 'closed twice')
  end subroutine close_twice

  subroutine reopen()
    type(servet_profile) :: profile

    call profile%open(first)
    call profile%open(second)
    call is_text(profile%path(), second, 'opening again closes the first')
    call profile%close()
    call profile%open(first)
    call is_text(profile%path(), first, 'opened after closing')
  end subroutine reopen

  subroutine left_open()
    type(servet_profile) :: profile
    type(servet_profile), allocatable :: other

    allocate(other)
    call other%open(second)
    call profile%open(first)
    call is_int(profile%class_count() + other%class_count(), 4, 'left to finalisation')
  end subroutine left_open

  ! A closed profile may be copied: there is nothing to share or to free twice. stops.f90 copies an
  ! open one.
  subroutine copy_closed()
    type(servet_profile) :: one, two

    two = one
    call ok(.not. (one%is_open() .or. two%is_open()), 'a closed profile may be copied')
  end subroutine copy_closed

end program profile_lifetime
