! SPDX-License-Identifier: BSD-3-Clause
!
! How every procedure that can fail ends. `stat` and `errmsg` work as with allocate: stat becomes
! servet_ok or one of the negative servet_e* codes, errmsg is set on failure only; without stat a
! failure prints the message on error_unit and stops the program with status 1.
module servet_errors
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  use servet_constants
  use servet_raw
  use servet_text
  implicit none
  private

  public :: finish, finish_error, finish_about

  ! Enough for "FILE:LINE: TEXT" of the longest file and text.
  integer, parameter :: line_max = servet_error_file_max + servet_error_text_max + 16

contains

  ! With the message `text`.
  subroutine finish(code, text, stat, errmsg)
    integer, intent(in) :: code
    character(len=*), intent(in) :: text
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (present(stat)) stat = code
    if (code == servet_ok) return
    if (present(errmsg)) errmsg = text
    if (present(stat)) return
    write(error_unit, '(2a)') 'servet: ', text
    flush(error_unit)
    stop 1
  end subroutine finish

  ! Where the library explains: 'profile.json:7: a number is missing'.
  recursive subroutine finish_error(code, error, stat, errmsg)
    integer, intent(in) :: code
    type(raw_error), intent(in) :: error
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char) :: line(line_max)
    type(c_ptr) :: unused

    unused = raw_error_line(error, line, size(line, kind=c_size_t))
    call finish(code, trim(f_text(line)), stat, errmsg)
  end subroutine finish_error

  ! Where it only gives a code: 'cache level 7: out of range'; with `because` in place of the code's text.
  recursive subroutine finish_about(code, what, stat, errmsg, number, because)
    integer, intent(in) :: code
    character(len=*), intent(in) :: what
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer, intent(in), optional :: number
    character(len=*), intent(in), optional :: because
    character(len=12) :: digits

    digits = ''
    if (present(number)) write(digits, '(1x, i0)') number
    if (present(because)) then
      call finish(code, what // trim(digits) // ': ' // because, stat, errmsg)
    else
      call finish(code, what // trim(digits) // ': ' // f_text(raw_error_text(int(code, c_int))), &
                  stat, errmsg)
    end if
  end subroutine finish_about

end module servet_errors
