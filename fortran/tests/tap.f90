! SPDX-License-Identifier: BSD-3-Clause
!
! The Test Anything Protocol for Fortran tests: one call per fact, done_testing() last. A failed
! fact prints the actual and the expected value.
module tap
  use, intrinsic :: iso_c_binding, only: c_double
  use, intrinsic :: iso_fortran_env, only: output_unit
  implicit none
  private

  public :: ok, is_int, is_real, is_text, skip, done_testing

  integer, save :: ran = 0, failed = 0

contains

  subroutine ok(passed, name)
    logical, intent(in) :: passed
    character(len=*), intent(in) :: name

    ran = ran + 1
    if (passed) then
      write(output_unit, '(a, i0, 2a)') 'ok ', ran, ' - ', name
    else
      failed = failed + 1
      write(output_unit, '(a, i0, 2a)') 'not ok ', ran, ' - ', name
    end if
  end subroutine ok

  subroutine is_int(got, expected, name)
    integer, intent(in) :: got, expected
    character(len=*), intent(in) :: name

    call ok(got == expected, name)
    if (got /= expected) write(output_unit, '(2(a, i0))') '# got ', got, ', expected ', expected
  end subroutine is_int

  ! `tolerance` is relative; 0 requires the same number exactly.
  subroutine is_real(got, expected, name, tolerance)
    real(c_double), intent(in) :: got, expected
    character(len=*), intent(in) :: name
    real(c_double), intent(in), optional :: tolerance
    real(c_double) :: allowed
    logical :: passed

    allowed = 0
    if (present(tolerance)) allowed = tolerance * abs(expected)
    passed = abs(got - expected) <= allowed
    call ok(passed, name)
    if (.not. passed) write(output_unit, '(2(a, es24.17))') '# got ', got, ', expected ', expected
  end subroutine is_real

  ! Fortran compares texts without blanks at the end.
  subroutine is_text(got, expected, name)
    character(len=*), intent(in) :: got, expected, name

    call ok(got == expected, name)
    if (got /= expected) write(output_unit, '(5a)') "# got '", got, "', expected '", expected, "'"
  end subroutine is_text

  subroutine skip(name, reason)
    character(len=*), intent(in) :: name, reason

    ran = ran + 1
    write(output_unit, '(a, i0, 4a)') 'ok ', ran, ' - ', name, ' # SKIP ', reason
  end subroutine skip

  ! The plan, and status 1 if anything failed.
  subroutine done_testing()
    write(output_unit, '(a, i0)') '1..', ran
    if (failed > 0) stop 1
  end subroutine done_testing

end module tap
