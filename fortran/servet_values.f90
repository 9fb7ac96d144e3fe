! SPDX-License-Identifier: BSD-3-Clause
!
! The types of Fortran that do not follow the rules of facts.awk, and their conversion from C. A measured
! value has the additional component `known`, and unknown numbers are NaN.
module servet_values
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_raw
  use servet_text
  implicit none
  private

  public :: servet_value, servet_modes
  public :: to_value, to_modes

  ! A quiet NaN, the content of an unknown value: a result that uses it is NaN, too.
  real(c_double), parameter :: nan = &
    transfer(9221120237041090560_c_int64_t, 1.0_c_double)

  ! One measured value. Look at `known` first.
  type :: servet_value
    logical :: known = .false.      ! true if the value was measured or reported
    real(c_double) :: value = nan   ! the estimate
    real(c_double) :: low = nan     ! 95 % interval of the estimate
    real(c_double) :: high = nan
    integer :: samples = 0          ! independent samples behind it
    character(len=servet_word_max) :: unit = servet_unit_none     ! one of servet_unit_*
    character(len=servet_word_max) :: method = servet_method_none ! one of servet_method_*
    logical :: trusted = .false.    ! false if disturbed, extrapolated, or only reported by the OS
  end type servet_value

  ! The two modes between which a value alternated while it was measured.
  type :: servet_modes
    integer :: count = 0            ! 2; or 0: one mode, or too few repeats to decide
    real(c_double) :: value(2) = nan       ! value of each mode, ascending, in the unit of the value
    real(c_double) :: share(2) = nan       ! share of the repeats in each mode, 0..1
  end type servet_modes

contains

  function to_value(raw) result(value)
    type(raw_value), intent(in) :: raw
    type(servet_value) :: value

    value%known = raw_value_known(raw)
    value%value = raw%value
    value%low = raw%low
    value%high = raw%high
    value%samples = int(raw%samples)
    value%unit = f_word(raw_unit_symbol(raw%unit))
    value%method = f_word(raw_method_name(raw%method))
    value%trusted = raw%trusted
  end function to_value

  function to_modes(raw) result(modes)
    type(raw_modes), intent(in) :: raw
    type(servet_modes) :: modes

    modes%count = int(raw%count)
    if (modes%count == 0) return
    modes%value = raw%value
    modes%share = raw%share
  end function to_modes

end module servet_values
