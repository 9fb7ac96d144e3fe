! SPDX-License-Identifier: BSD-3-Clause
!
! Texts and numbers of cores between Fortran and C. Not part of the Fortran interface, which is the
! module servet.
!
! gfortran does not check its own allocations: of results and local arrays whose size is known only at
! run time, of concatenations, of array constructors. Therefore this module, and the modules that use
! it, allocate all of these with stat=; without memory, `code`, which is servet_ok before, becomes
! servet_ememory.
module servet_text
  use, intrinsic :: iso_c_binding
  use servet_constants
  implicit none
  private

  public :: copy_text, new_text, to_c, append, append_number, f_word, pointer_length, word_number
  public :: new_numbers, cores_to_c, cores_from_c

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

  ! Copies a C text to an existing variable: cut to its length, or padded with blanks. NULL gives ''.
  interface copy_text
    module procedure copy_array, copy_pointer
  end interface copy_text

  ! Copies a C text to a new variable of its length; '' without memory.
  interface new_text
    module procedure new_of_array, new_of_pointer
  end interface new_text

contains

  ! --- texts ------------------------------------------------------------------------------------

  subroutine copy_array(chars, text)
    character(kind=c_char), intent(in) :: chars(:)
    character(len=*), intent(out) :: text
    integer :: i

    text = ''
    do i = 1, min(size(chars), len(text))
      if (chars(i) == c_null_char) exit
      text(i:i) = chars(i)
    end do
  end subroutine copy_array

  subroutine copy_pointer(chars, text)
    type(c_ptr), intent(in) :: chars
    character(len=*), intent(out) :: text
    character(kind=c_char), pointer :: array(:)

    text = ''
    if (.not. c_associated(chars)) return
    call c_f_pointer(chars, array, [pointer_length(chars)])
    call copy_array(array, text)
  end subroutine copy_pointer

  subroutine new_of_array(chars, text, code)
    character(kind=c_char), intent(in) :: chars(:)
    character(len=:), allocatable, intent(inout) :: text
    integer, intent(inout) :: code
    integer :: length

    do length = 0, size(chars) - 1
      if (chars(length + 1) == c_null_char) exit
    end do
    call allocate_text(length, text, code)
    if (allocated(text)) call copy_array(chars, text)
  end subroutine new_of_array

  subroutine new_of_pointer(chars, text, code)
    type(c_ptr), intent(in) :: chars
    character(len=:), allocatable, intent(inout) :: text
    integer, intent(inout) :: code

    call allocate_text(pointer_length(chars), text, code)
    if (allocated(text)) call copy_pointer(chars, text)
  end subroutine new_of_pointer

  subroutine allocate_text(length, text, code)
    integer, intent(in) :: length
    character(len=:), allocatable, intent(inout) :: text
    integer, intent(inout) :: code
    integer :: failed

    if (allocated(text)) deallocate(text)
    allocate(character(len=length) :: text, stat=failed)
    if (failed == 0) return
    code = servet_ememory
    allocate(character(len=0) :: text, stat=failed)
  end subroutine allocate_text

  pure function pointer_length(chars) result(length)
    type(c_ptr), intent(in) :: chars
    integer :: length

    length = 0
    if (c_associated(chars)) length = int(raw_strlen(chars))
  end function pointer_length

  ! Converts a Fortran text to C, without the blanks at its end. A NUL within the text is refused: C would end the text there.
  subroutine to_c(text, chars, code)
    character(len=*), intent(in) :: text
    character(kind=c_char), allocatable, intent(out) :: chars(:)
    integer, intent(inout) :: code
    integer :: i, failed

    allocate(chars(len_trim(text) + 1), stat=failed)
    if (failed /= 0) then
      code = servet_ememory
      return
    end if
    if (index(text, c_null_char) > 0) code = servet_eargument
    do i = 1, len_trim(text)
      chars(i) = text(i:i)
    end do
    chars(size(chars)) = c_null_char
  end subroutine to_c

  ! Writes `piece` behind the first `used` characters of a line; characters that do not fit are left
  ! out.
  subroutine append(line, used, piece)
    character(len=*), intent(inout) :: line
    integer, intent(inout) :: used
    character(len=*), intent(in) :: piece

    line(used + 1:) = piece
    used = min(used + len(piece), len(line))
  end subroutine append

  ! Writes a number behind the first `used` characters of a line. It does not use `write`, which allocates.
  subroutine append_number(line, used, number)
    character(len=*), intent(inout) :: line
    integer, intent(inout) :: used
    integer, intent(in) :: number
    character(len=range(number) + 2) :: digits
    integer :: at, rest ! negative: the smallest integer has no positive counterpart

    rest = number
    if (number > 0) rest = -number
    at = len(digits) + 1
    do
      at = at - 1
      digits(at:at) = achar(iachar('0') - mod(rest, 10))
      rest = rest / 10
      if (rest == 0) exit
    end do
    if (number < 0) call append(line, used, '-')
    call append(line, used, digits(at:))
  end subroutine append_number

  ! --- words ------------------------------------------------------------------------------------

  ! Returns a word of a list.
  function f_word(chars) result(word)
    type(c_ptr), intent(in) :: chars
    character(len=servet_word_max) :: word

    call copy_pointer(chars, word)
  end function f_word

  ! Returns the number of a word in the list whose names C returns by `name_of`; one beyond the list if it
  ! does not have the word.
  function word_number(name_of, word) result(number)
    procedure(raw_names) :: name_of
    character(len=*), intent(in) :: word
    integer(c_int) :: number

    number = 0
    do while (f_word(name_of(number)) /= word)
      if (f_word(name_of(number)) == '?') exit
      number = number + 1_c_int
    end do
  end function word_number

  ! --- numbers of cores -------------------------------------------------------------------------

  ! Allocates `count` elements; none without memory.
  subroutine new_numbers(count, raw, code)
    integer, intent(in) :: count
    integer(c_int), allocatable, intent(out) :: raw(:)
    integer, intent(inout) :: code
    integer :: failed

    allocate(raw(count), stat=failed)
    if (failed == 0) return
    code = servet_ememory
    allocate(raw(0), stat=failed)
  end subroutine new_numbers

  subroutine cores_to_c(cores, raw, code)
    integer, intent(in) :: cores(:)
    integer(c_int), allocatable, intent(out) :: raw(:)
    integer, intent(inout) :: code
    integer :: i

    call new_numbers(size(cores), raw, code)
    if (code /= servet_ok) return
    do i = 1, size(cores)
      raw(i) = int(cores(i), c_int)
    end do
  end subroutine cores_to_c

  ! Copies the numbers of cores; none if there was an error before.
  subroutine cores_from_c(raw, cores, code)
    integer(c_int), intent(in) :: raw(:)
    integer, allocatable, intent(out) :: cores(:)
    integer, intent(inout) :: code
    integer :: count, failed, i

    count = 0
    if (code == servet_ok) count = size(raw)
    allocate(cores(count), stat=failed)
    if (failed /= 0) then
      code = servet_ememory
      count = 0
      allocate(cores(count), stat=failed)
    end if
    do i = 1, count
      cores(i) = int(raw(i))
    end do
  end subroutine cores_from_c

end module servet_text
