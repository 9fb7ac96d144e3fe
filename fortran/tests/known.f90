! SPDX-License-Identifier: BSD-3-Clause
!
! known.h for Fortran: structs and a profile whose every value the tests know.
module known
  use, intrinsic :: iso_c_binding
  use servet_raw
  use tap, only: is_int, is_real, is_text, ok
  implicit none
  public

  interface

    ! void known_fill_value(servet_value *value);
    subroutine known_fill_value(value) bind(c)
      import :: raw_value
      type(raw_value), intent(inout) :: value
    end subroutine known_fill_value

    ! void known_fill_error(servet_error *error);
    subroutine known_fill_error(error) bind(c)
      import :: raw_error
      type(raw_error), intent(inout) :: error
    end subroutine known_fill_error

    ! void known_fill_at(servet_at *at);
    subroutine known_fill_at(at) bind(c)
      import :: raw_at
      type(raw_at), intent(inout) :: at
    end subroutine known_fill_at

    ! void known_fill_run(servet_run *run);
    subroutine known_fill_run(run) bind(c)
      import :: raw_run
      type(raw_run), intent(inout) :: run
    end subroutine known_fill_run

    ! void known_fill_kind(servet_kind *kind);
    subroutine known_fill_kind(kind) bind(c)
      import :: raw_kind
      type(raw_kind), intent(inout) :: kind
    end subroutine known_fill_kind

    ! void known_fill_machine(servet_machine *machine);
    subroutine known_fill_machine(machine) bind(c)
      import :: raw_machine
      type(raw_machine), intent(inout) :: machine
    end subroutine known_fill_machine

    ! void known_fill_cache(servet_cache *cache);
    subroutine known_fill_cache(cache) bind(c)
      import :: raw_cache
      type(raw_cache), intent(inout) :: cache
    end subroutine known_fill_cache

    ! size_t known_size(const char *name);
    function raw_known_size(name) bind(c, name='known_size') result(size)
      import :: c_char, c_size_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t) :: size
    end function raw_known_size

    ! int known_write_profile(const char *path);
    function raw_known_write_profile(path) bind(c, name='known_write_profile') result(code)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: code
    end function raw_known_write_profile

  end interface

contains

  function known_size(name) result(bytes)
    character(len=*), intent(in) :: name
    integer :: bytes

    bytes = int(raw_known_size(c_text(name)))
  end function known_size

  ! Writes the known profile into the working folder as `path`.
  subroutine write_profile(path)
    character(len=*), intent(in) :: path

    call is_int(int(raw_known_write_profile(c_text(path))), 0, 'the known profile is written')
  end subroutine write_profile

  subroutine remove(path)
    character(len=*), intent(in) :: path
    integer :: unit

    unit = 10
    open(unit, file=path)
    close(unit, status='delete')
  end subroutine remove

end module known
