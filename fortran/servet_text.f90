! SPDX-License-Identifier: BSD-3-Clause
!
! Text between Fortran and C. Not part of the Fortran interface, which is the module servet.
module servet_text
  use, intrinsic :: iso_c_binding
  implicit none
  private

  public :: f_text, c_text, pointer_length, word_number

  interface

    ! size_t strlen(const char *text);
    pure function raw_strlen(text) bind(c, name='strlen') result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), intent(in), value :: text
      integer(c_size_t) :: length
    end function raw_strlen

  end interface

  abstract interface

    ! const char *servet_..._name(int number); "?" for a number that has no name
    pure function raw_names(number) bind(c) result(text)
      import :: c_int, c_ptr
      integer(c_int), intent(in), value :: number
      type(c_ptr) :: text
    end function raw_names

  end interface

  ! C text as a Fortran one: an array is filled up with blanks, NULL gives ''. Here and in the
  ! modules above, results have their length from a specification expression: gfortran 12 keeps the
  ! length of a result with len=: in static memory, where threads overwrite each other's.
  interface f_text
    module procedure f_text_array, f_text_pointer
  end interface f_text

contains

  function f_text_array(chars) result(text)
    character(kind=c_char), intent(in) :: chars(:)
    character(len=size(chars)) :: text
    integer :: i

    text = ''
    do i = 1, size(chars)
      if (chars(i) == c_null_char) exit
      text(i:i) = chars(i)
    end do
  end function f_text_array

  function f_text_pointer(chars) result(text)
    type(c_ptr), intent(in) :: chars
    character(len=pointer_length(chars)) :: text
    character(kind=c_char), pointer :: array(:)

    if (len(text) == 0) return
    call c_f_pointer(chars, array, [len(text)])
    text = f_text_array(array)
  end function f_text_pointer

  pure function pointer_length(chars) result(length)
    type(c_ptr), intent(in) :: chars
    integer :: length

    length = 0
    if (c_associated(chars)) length = int(raw_strlen(chars))
  end function pointer_length

  ! Fortran text as C wants it, without the blanks that fill it up.
  function c_text(text) result(chars)
    character(len=*), intent(in) :: text
    character(kind=c_char) :: chars(len_trim(text) + 1)
    integer :: i

    do i = 1, len_trim(text)
      chars(i) = text(i:i)
    end do
    chars(len_trim(text) + 1) = c_null_char
  end function c_text

  ! The number of a word in the list that C names by `name_of`; one beyond the list if it has no
  ! such word.
  function word_number(name_of, word) result(number)
    procedure(raw_names) :: name_of
    character(len=*), intent(in) :: word
    integer(c_int) :: number

    number = 0
    do while (f_text(name_of(number)) /= word)
      if (f_text(name_of(number)) == '?') exit
      number = number + 1_c_int
    end do
  end function word_number

end module servet_text
