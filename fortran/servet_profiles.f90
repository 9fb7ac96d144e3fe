! SPDX-License-Identifier: BSD-3-Clause
!
! The type servet_profile: an open profile and the queries that it answers. In Fortran, the procedures
! of a type stand in the module that defines the type. To divide them among modules, each module
! extends the type of the module before it:
!
!   servet_profile_base       opening and closing, any fact by its key
!   servet_profile_queries    the queries of queries.txt
!   servet_profiles           the type under its public name
module servet_profiles
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_errors
  use servet_profile_base
  use servet_profile_queries
  use servet_raw
  use servet_text
  implicit none
  private

  public :: servet_profile, servet_profile_find, servet_profile_key, servet_version

  ! An open profile belongs to one variable, which frees it when it is closed or goes out of scope.
  ! It is not copied: an assignment stops the program, because two variables would free the same memory.
  ! (An assignment inherited from an ancestor would suffice, but gfortran 12 ignores that where it copies
  ! a type that has a component of this type.)
  type, extends(profile_queries) :: servet_profile
  contains
    procedure, private :: copy => profile_copy
    generic :: assignment(=) => copy
  end type servet_profile

contains

  ! Never changes `self`, but a defined assignment needs intent(inout).
  subroutine profile_copy(self, other)
    class(servet_profile), intent(inout) :: self
    class(servet_profile), intent(in) :: other

    if (self%is_open() .or. other%is_open()) &
      call finish(servet_eunsupported, 'an open profile cannot be copied')
  end subroutine profile_copy

  ! The version of the library in use, 'MAJOR.MINOR.PATCH'.
  function servet_version() result(version)
    character(len=pointer_length(raw_version())) :: version

    call copy_text(raw_version(), version)
  end function servet_version

  ! The place where open() without a path finds the profile.
  recursive subroutine servet_profile_find(path, stat, errmsg)
    character(len=:), allocatable, intent(out) :: path
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char) :: buffer(path_max)
    type(raw_error) :: error
    integer :: code

    path = ''
    code = int(raw_profile_find(buffer, size(buffer, kind=c_size_t), error))
    if (code == servet_ok) call new_text(buffer, path, code)
    call finish_error(code, error, stat, errmsg)
  end subroutine servet_profile_find

  ! Returns key pattern `index` (from 1) of get(), and a line that describes its answer. Both are ''
  ! beyond the last pattern, or if memory is short.
  subroutine servet_profile_key(index, pattern, summary)
    integer, intent(in) :: index
    character(len=:), allocatable, intent(out) :: pattern
    character(len=:), allocatable, intent(out), optional :: summary
    character(kind=c_char) :: buffer(servet_name_max)
    type(c_ptr) :: raw_summary
    integer :: code

    raw_summary = c_null_ptr
    pattern = ''
    code = int(raw_profile_key(int(index - 1, c_int), buffer, size(buffer, kind=c_size_t), raw_summary))
    if (code == servet_ok) call new_text(buffer, pattern, code)
    if (present(summary)) call new_text(raw_summary, summary, code)
  end subroutine servet_profile_key

end module servet_profiles
