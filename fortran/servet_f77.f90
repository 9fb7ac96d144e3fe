! SPDX-License-Identifier: BSD-3-Clause
!
! Facts for programs that cannot use modules: external subroutines with names of six letters, as in FORTRAN 77.
!
!   call svget8('caches.2.bytes', x, ierr)
!
! They read one profile, which the first call opens. A fact is queried by its key (see servet-keys(7)), and the answer is
! what `servet get` prints. servet/advice.h describes advice. If ierr is negative, the variables keep their values. If it
! is f77_doubtful, the advice is not trusted. sverrm returns the reason.
module servet_f77
  use servet_constants
  use servet_profiles
  use servet_text
  implicit none
  private

  public :: profile, message, f77_doubtful, f77_open, f77_fact, f77_fail, f77_doubt, is_number

  ! The value of ierr for an answer that is not trusted.
  integer, parameter :: f77_doubtful = 1

  ! One profile for all, because FORTRAN 77 has no type to hold a profile.
  type(servet_profile), save :: profile
  character(len=servet_error_text_max + servet_error_file_max + 16), save :: message = ''

contains

  ! Opens the profile that programs find, unless one is open.
  subroutine f77_open(ierr)
    integer, intent(out) :: ierr
    external :: svopen

    ierr = servet_ok
    if (.not. profile%is_open()) call svopen(' ', ierr)
  end subroutine f77_open

  ! The text that `servet get` prints.
  subroutine f77_fact(key, text, ierr)
    character(len=*), intent(in) :: key
    character(len=:), allocatable, intent(out) :: text
    integer, intent(out) :: ierr

    text = ''
    call f77_open(ierr)
    if (ierr == servet_ok) call profile%get(key, text, stat=ierr, errmsg=message)
  end subroutine f77_fact

  ! False for a set of cores: list-directed input would stop at a comma, and would read '4-7' as 4E-7.
  logical function is_number(text)
    character(len=*), intent(in) :: text
    integer :: i

    is_number = verify(text, '0123456789+-.eE') == 0
    do i = 2, len(text)
      if (scan(text(i:i), '+-') == 1 .and. scan(text(i-1:i-1), 'eE') == 0) is_number = .false.
    end do
  end function is_number

  ! Stores the code, and a message "KEY SAID FOUND".
  subroutine f77_fail(code, key, said, found, ierr)
    integer, intent(in) :: code
    character(len=*), intent(in) :: key, said, found
    integer, intent(out) :: ierr
    integer :: used

    used = 0
    call append(message, used, key(:len_trim(key)))
    call append(message, used, said)
    call append(message, used, found)
    ierr = code
  end subroutine f77_fail

  ! After a success: if the answer is not trusted, stores the reason.
  subroutine f77_doubt(trusted, why, ierr)
    logical, intent(in) :: trusted
    character(len=*), intent(in) :: why
    integer, intent(out) :: ierr

    ierr = servet_ok
    if (trusted) return
    ierr = f77_doubtful
    message = why
  end subroutine f77_doubt

end module servet_f77

! Opens the profile in file `path` and closes the one that was open. If `path` is ' ', opens the profile
! that programs find.
subroutine svopen(path, ierr)
  use servet_f77
  implicit none
  character(len=*), intent(in) :: path
  integer, intent(out) :: ierr

  if (path == '') then
    call profile%open(stat=ierr, errmsg=message)
  else
    call profile%open(path, ierr, message)
  end if
end subroutine svopen

! Frees the profile. The next call opens one again.
subroutine svclos()
  use servet_f77
  implicit none

  call profile%close()
end subroutine svclos

! Returns a fact that is a number.
subroutine svget8(key, x, ierr)
  use servet_constants
  use servet_f77
  implicit none
  character(len=*), intent(in) :: key
  double precision, intent(inout) :: x
  integer, intent(out) :: ierr
  character(len=:), allocatable :: text
  double precision :: found
  integer :: status

  call f77_fact(key, text, ierr)
  if (ierr /= servet_ok) return
  status = 1
  if (is_number(text)) read(text, *, iostat=status) found
  if (status == 0) then
    x = found
  else
    call f77_fail(servet_eargument, key, ' is not a number: ', text, ierr)
  end if
end subroutine svget8

! Returns a fact that is a number, rounded to the nearest integer.
subroutine svgeti(key, n, ierr)
  use servet_constants
  use servet_f77
  implicit none
  character(len=*), intent(in) :: key
  integer, intent(inout) :: n
  integer, intent(out) :: ierr
  double precision :: x
  external :: svget8

  x = 0
  call svget8(key, x, ierr)
  if (ierr /= servet_ok) return
  if (abs(x) < huge(n)) then
    n = nint(x)
  else
    call f77_fail(servet_erange, key, ' is too large for an integer', '', ierr)
  end if
end subroutine svgeti

! Returns a fact that is yes or no, such as 'caches.2.bytes.trusted'.
subroutine svgetl(key, l, ierr)
  use servet_constants
  use servet_f77
  implicit none
  character(len=*), intent(in) :: key
  logical, intent(inout) :: l
  integer, intent(out) :: ierr
  character(len=:), allocatable :: text

  call f77_fact(key, text, ierr)
  if (ierr /= servet_ok) return
  if (text == 'yes' .or. text == 'no') then
    l = text == 'yes'
  else
    call f77_fail(servet_eargument, key, ' is not yes or no: ', text, ierr)
  end if
end subroutine svgetl

! Returns any fact as text, padded with blanks.
subroutine svgets(key, text, ierr)
  use servet_constants
  use servet_f77
  implicit none
  character(len=*), intent(in) :: key
  character(len=*), intent(inout) :: text
  integer, intent(out) :: ierr
  character(len=:), allocatable :: found

  call f77_fact(key, found, ierr)
  if (ierr /= servet_ok) return
  if (len(found) <= len(text)) then
    text = found
  else
    call f77_fail(servet_erange, key, ' is longer than the variable: ', found, ierr)
  end if
end subroutine svgets

! Returns the size of a block of each of `arrays` arrays, so that all blocks fit cache `level` together (0: the last level
! that is not a turnover): the number of elements, and the side of a square block. An element has `nbytes` bytes, and
! `nshare` processors use one instance of the cache at the same time (0: all that share it).
subroutine svblok(level, arrays, nbytes, nshare, nelem, nside, ierr)
  use servet_constants
  use servet_facts
  use servet_f77
  implicit none
  integer, intent(in) :: level, arrays, nbytes, nshare
  integer, intent(inout) :: nelem, nside
  integer, intent(out) :: ierr
  type(servet_block) :: block

  call f77_open(ierr)
  if (ierr == servet_ok) call profile%cache_block(level, arrays, nbytes, nshare, block, stat=ierr, errmsg=message)
  if (ierr /= servet_ok) return
  nelem = int(min(block%elements, int(huge(nelem), kind(block%elements))))
  nside = int(min(block%side, int(huge(nside), kind(block%side))))
  if (block%assumed) then
    call f77_doubt(block%trusted, 'which processors share the cache was not measured', ierr)
  else if (block%emptied) then
    call f77_doubt(block%trusted, 'others use the cache, too', ierr)
  else
    call f77_doubt(block%trusted, 'the size of the cache, or who shares it, is doubtful', ierr)
  end if
end subroutine svblok

! Returns the number of threads that a policy ('memory-balanced', 'one-per-l2', ...) can use.
subroutine svthrd(policy, n, ierr)
  use servet_constants
  use servet_threads
  use servet_f77
  implicit none
  character(len=*), intent(in) :: policy
  integer, intent(inout) :: n
  integer, intent(out) :: ierr
  integer :: threads
  logical :: trusted

  call f77_open(ierr)
  if (ierr == servet_ok) &
    call servet_thread_room(profile, trim(policy), threads, trusted=trusted, stat=ierr, errmsg=message)
  if (ierr /= servet_ok) return
  n = threads
  call f77_doubt(trusted, 'the number of threads depends on facts that are not trusted', ierr)
end subroutine svthrd

! Returns the cores on which a policy places n threads.
subroutine svplac(policy, cores, n, ierr)
  use servet_constants
  use servet_threads
  use servet_f77
  implicit none
  character(len=*), intent(in) :: policy
  integer, intent(in) :: n
  integer, intent(inout) :: cores(*)
  integer, intent(out) :: ierr
  integer, allocatable :: found(:)
  logical :: trusted

  call f77_open(ierr)
  if (ierr == servet_ok) &
    call servet_thread_place(profile, trim(policy), found, threads=n, trusted=trusted, stat=ierr, errmsg=message)
  if (ierr /= servet_ok) return
  cores(1:n) = found
  call f77_doubt(trusted, 'the cores depend on facts that are not trusted', ierr)
end subroutine svplac

! Returns the value of the first advice on a topic ('padding', 'loads', 'pages', ...) for this level;
! level 0: for any level.
subroutine svadvi(topic, level, x, ierr)
  use servet_constants
  use servet_facts
  use servet_f77
  implicit none
  character(len=*), intent(in) :: topic
  integer, intent(in) :: level
  double precision, intent(inout) :: x
  integer, intent(out) :: ierr
  type(servet_advice), allocatable :: advice(:)
  integer :: count, i

  call f77_open(ierr)
  if (ierr /= servet_ok) return
  allocate(advice(0))
  call profile%advise(servet_advice_for_process, advice, count, stat=ierr, errmsg=message)
  if (ierr /= servet_ok) return
  deallocate(advice)
  allocate(advice(count))
  call profile%advise(servet_advice_for_process, advice, count, stat=ierr, errmsg=message)
  if (ierr /= servet_ok) return
  do i = 1, min(count, size(advice))
    if (advice(i)%topic /= topic .or. (level /= 0 .and. advice(i)%level /= level)) cycle
    if (.not. advice(i)%value%known) cycle
    x = advice(i)%value%value
    call f77_doubt(advice(i)%trusted, advice(i)%doubt, ierr)
    return
  end do
  call f77_fail(servet_eunmeasured, topic, ': no such advice in this profile', '', ierr)
end subroutine svadvi

! Returns the reason of the last failure.
subroutine sverrm(text)
  use servet_f77
  implicit none
  character(len=*), intent(out) :: text

  text = message
end subroutine sverrm
