! SPDX-License-Identifier: BSD-3-Clause
!
! Reports errors for every procedure that can fail. `stat` and `errmsg` work as in an allocate statement.
! `stat` becomes servet_ok or one of the negative servet_e* codes; `errmsg` is set on failure only.
! Without `stat`, a failure prints the message on error_unit and stops the program with status 1.
module servet_errors
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  use servet_constants
  use servet_raw
  use servet_text
  implicit none
  private

  public :: finish, finish_error, finish_about

  ! The length of "FILE:LINE: TEXT" with the longest file name and text.
  integer, parameter :: line_max = servet_error_file_max + servet_error_text_max + 16

contains

  ! Ends a procedure with the message `text`.
  subroutine finish(code, text, stat, errmsg)
    integer, intent(in) :: code
    character(len=*), intent(in) :: text
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (present(stat)) stat = code
    if (code == servet_ok) return
    if (present(errmsg)) errmsg = text
    if (present(stat)) return
    write(error_unit, '(2a)') 'servet: ', text(:len_trim(text))
    flush(error_unit)
    stop 1
  end subroutine finish

  ! Ends a procedure with the error text of the library: 'profile.json:7: a number is missing'. If there
  ! is no text, memory was short on the Fortran side.
  recursive subroutine finish_error(code, error, stat, errmsg)
    integer, intent(in) :: code
    type(raw_error), intent(in) :: error
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char) :: chars(line_max)
    character(len=line_max) :: line
    type(c_ptr) :: unused

    line = ''
    if (code /= servet_ok .and. error%code == servet_ok) then
      call copy_text(raw_error_text(int(code, c_int)), line)
    else if (code /= servet_ok) then
      unused = raw_error_line(error, chars, size(chars, kind=c_size_t))
      call copy_text(chars, line)
    end if
    call finish(code, line, stat, errmsg)
  end subroutine finish_error

  ! Ends a procedure if the library returns only a code: 'cache level 7: out of range'. `because`, if
  ! present, replaces the text of the code. `name` replaces '{}' in `what`.
  recursive subroutine finish_about(code, what, stat, errmsg, number, because, name)
    integer, intent(in) :: code
    character(len=*), intent(in) :: what
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer, intent(in), optional :: number
    character(len=*), intent(in), optional :: because, name
    character(len=line_max) :: line
    integer :: used

    used = 0
    if (code /= servet_ok) then
      call append_named(line, used, what, name)
      if (present(number)) then
        call append(line, used, ' ')
        call append_number(line, used, number)
      end if
      call append(line, used, ': ')
      if (present(because)) then
        call append(line, used, because)
      else
        call copy_text(raw_error_text(int(code, c_int)), line(used + 1:))
        used = len_trim(line)
      end if
    end if
    call finish(code, line(:used), stat, errmsg)
  end subroutine finish_about

  subroutine append_named(line, used, what, name)
    character(len=*), intent(inout) :: line
    integer, intent(inout) :: used
    character(len=*), intent(in) :: what
    character(len=*), intent(in), optional :: name
    integer :: hole

    hole = index(what, '{}')
    if (.not. present(name) .or. hole == 0) then
      call append(line, used, what)
      return
    end if
    call append(line, used, what(:hole - 1))
    call append(line, used, name(:len_trim(name)))
    call append(line, used, what(hole + 2:))
  end subroutine append_named

end module servet_errors
