! SPDX-License-Identifier: BSD-3-Clause
!
! What an open profile is: opened, closed, owned by one variable. And what all questions share.
module servet_profile_base
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_errors
  use servet_raw
  use servet_text
  implicit none
  private

  public :: profile_base, place, closed, handle_of, set_place

  ! Frees the profile when it is closed or goes out of scope.
  type :: profile_base
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: open => profile_open
    procedure :: close => profile_close
    procedure :: is_open => profile_is_open
    procedure :: path => profile_path
    final :: profile_final
  end type profile_base

  ! Owner of the text that a raw_at points to.
  type :: place
    type(raw_at) :: raw
    character(kind=c_char), allocatable :: node_class(:)
  end type place

contains

  ! Opens the profile at `path`, or where servet_profile_find points. A profile that was open in
  ! this variable is closed, unless the new one cannot be opened.
  recursive subroutine profile_open(self, path, stat, errmsg)
    class(profile_base), intent(inout) :: self
    character(len=*), intent(in), optional :: path
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: raw_path(:)
    type(c_ptr) :: handle, where
    type(raw_error) :: error
    integer(c_int) :: code

    where = c_null_ptr
    if (present(path)) then
      allocate(raw_path(len_trim(path) + 1), source=c_text(path))
      where = c_loc(raw_path)
    end if
    handle = c_null_ptr
    code = raw_profile_open(handle, where, error)
    if (code == servet_ok) then
      call self%close()
      self%handle = handle
    end if
    call finish_error(int(code), error, stat, errmsg)
  end subroutine profile_open

  ! Closes the profile; a closed one stays closed. Leaving the scope of the variable does the same.
  subroutine profile_close(self)
    class(profile_base), intent(inout) :: self

    call raw_profile_close(self%handle)
    self%handle = c_null_ptr
  end subroutine profile_close

  subroutine profile_final(self)
    type(profile_base), intent(inout) :: self

    call self%close()
  end subroutine profile_final


  function profile_is_open(self) result(is_open)
    class(profile_base), intent(in) :: self
    logical :: is_open

    is_open = c_associated(self%handle)
  end function profile_is_open

  ! The path the profile was read from; '' when none is open.
  function profile_path(self) result(path)
    class(profile_base), intent(in) :: self
    character(len=path_length(self)) :: path

    if (self%is_open()) path = f_text(raw_profile_path(self%handle))
  end function profile_path

  pure function path_length(self) result(length)
    class(profile_base), intent(in) :: self
    integer :: length

    length = 0
    if (c_associated(self%handle)) length = pointer_length(raw_profile_path(self%handle))
  end function path_length

  ! --- shared by all questions ------------------------------------------------------------------

  ! What C is asked through.
  pure function handle_of(self) result(handle)
    class(profile_base), intent(in) :: self
    type(c_ptr) :: handle

    handle = self%handle
  end function handle_of

  ! What C is told about the class and core meant; `at` keeps the text it points to.
  subroutine set_place(at, node_class, core)
    type(place), intent(out), target :: at
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core

    at%raw = raw_at(c_null_ptr, servet_any_core)
    if (present(core)) at%raw%core = int(core, c_int)
    if (present(node_class)) then
      at%node_class = c_text(node_class)
      at%raw%node_class = c_loc(at%node_class)
    end if
  end subroutine set_place

  ! Whether no profile is open, which is then reported.
  function closed(self, stat, errmsg)
    class(profile_base), intent(in) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    logical :: closed

    closed = .not. self%is_open()
    if (closed) call finish(servet_eargument, 'no profile is open', stat, errmsg)
  end function closed

end module servet_profile_base
