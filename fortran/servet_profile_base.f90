! SPDX-License-Identifier: BSD-3-Clause
!
! An open profile, which belongs to one variable. This module opens and closes it. It has the queries
! that do not follow the rules of queries.txt (functions, which cannot fail, and texts of any length),
! and the procedures that all queries share.
module servet_profile_base
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_errors
  use servet_raw
  use servet_text
  implicit none
  private

  public :: profile_base, place, closed, handle_of, set_place, fetch_item, last_of, path_max

  integer, parameter :: path_max = 4096 ! the longest path that the system accepts
  integer, parameter :: steps_max = 4   ! the most lists in a path of the profile

  ! Holds an open profile, and frees it when it is closed or goes out of scope.
  type :: profile_base
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: open => profile_open
    procedure :: close => profile_close
    procedure :: is_open => profile_is_open
    procedure :: path => profile_path
    procedure :: class_count => profile_class_count
    procedure :: network_node => profile_network_node
    procedure :: get => profile_get
    procedure :: doubtful => profile_doubtful
    procedure :: count => profile_count
    final :: profile_final
  end type profile_base

  ! Owns the text that its raw_at points to.
  type :: place
    type(raw_at) :: raw
    character(kind=c_char), allocatable :: node_class(:)
  end type place

contains

  ! Opens the profile at `path`, or without it the one that servet_profile_find finds. If that
  ! succeeds, a profile that the variable held before is closed. With `trusted_only`, queries of
  ! facts that are not trusted fail with servet_euntrusted.
  recursive subroutine profile_open(self, path, stat, errmsg, trusted_only)
    class(profile_base), intent(inout) :: self
    character(len=*), intent(in), optional :: path
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    logical, intent(in), optional :: trusted_only
    character(kind=c_char), allocatable :: c_path(:)
    type(c_ptr) :: handle
    type(raw_error) :: error
    integer :: code, failed

    handle = c_null_ptr
    code = servet_ok
    if (present(path)) then
      call to_c(path, c_path, code)
    else
      allocate(c_path(path_max), stat=failed)
      if (failed /= 0) code = servet_ememory
      if (code == servet_ok) &
        code = int(raw_profile_find(c_path, size(c_path, kind=c_size_t), error))
    end if
    if (code == servet_ok) code = int(raw_profile_open(handle, c_path, error))
    if (code == servet_ok) then
      call self%close()
      self%handle = handle
      if (present(trusted_only)) call raw_profile_trusted_only(handle, logical(trusted_only, c_bool))
    end if
    call finish_error(code, error, stat, errmsg)
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

    if (self%is_open()) call copy_text(raw_profile_path(self%handle), path)
  end function profile_path

  pure function path_length(self) result(length)
    class(profile_base), intent(in) :: self
    integer :: length

    length = 0
    if (c_associated(self%handle)) length = pointer_length(raw_profile_path(self%handle))
  end function path_length

  ! Number of node classes; 0 when no profile is open.
  function profile_class_count(self) result(count)
    class(profile_base), intent(in) :: self
    integer :: count

    count = 0
    if (self%is_open()) count = int(raw_profile_class_count(self%handle))
  end function profile_class_count

  ! Host name of node `node` of the job, from 1; '' if there is no such node.
  function profile_network_node(self, node) result(name)
    class(profile_base), intent(in) :: self
    integer, intent(in) :: node
    character(len=node_length(self, node)) :: name

    if (len(name) > 0) call copy_text(raw_network_node(self%handle, int(node - 1, c_int)), name)
  end function profile_network_node

  pure function node_length(self, node) result(length)
    class(profile_base), intent(in) :: self
    integer, intent(in) :: node
    integer :: length

    length = 0
    if (c_associated(self%handle)) &
      length = pointer_length(raw_network_node(self%handle, int(node - 1, c_int)))
  end function node_length

  ! One fact as text, by its key ('caches.2.bytes'), as `servet get` prints it.
  recursive subroutine profile_get(self, key, text, node_class, core, stat, errmsg)
    class(profile_base), intent(in) :: self
    character(len=*), intent(in) :: key
    character(len=:), allocatable, intent(out) :: text
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable :: c_key(:)
    type(place), target :: at
    type(raw_error) :: error
    integer :: code

    text = ''
    if (closed(self, stat, errmsg)) return
    code = servet_ok
    call set_place(at, code, node_class, core)
    call to_c(key, c_key, code)
    if (code == servet_ok) call read_text(self, at, text, code, error, c_key)
    call finish_error(code, error, stat, errmsg)
  end subroutine profile_get

  ! The names of the facts that `fitness` counts.
  recursive subroutine profile_doubtful(self, text, node_class, stat, errmsg)
    class(profile_base), intent(in) :: self
    character(len=:), allocatable, intent(out) :: text
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_error) :: error
    integer :: code

    text = ''
    if (closed(self, stat, errmsg)) return
    code = servet_ok
    call set_place(at, code, node_class)
    if (code == servet_ok) call read_text(self, at, text, code, error)
    call finish_error(code, error, stat, errmsg)
  end subroutine profile_doubtful

  ! The number of structs in the list `path`, such as 'network.layers.points'; `numbers` has one for each
  ! list on the way (from 1).
  recursive subroutine profile_count(self, path, count, numbers, node_class, stat, errmsg)
    class(profile_base), intent(in) :: self
    character(len=*), intent(in) :: path
    integer, intent(out) :: count
    integer, intent(in), optional :: numbers(:)
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    character(kind=c_char), allocatable :: c_path(:)
    integer(c_int) :: c_count
    integer :: code

    count = 0
    c_count = 0
    if (closed(self, stat, errmsg)) return
    code = servet_ok
    call set_place(at, code, node_class)
    call to_c(path, c_path, code)
    if (code == servet_ok) code = int(raw_profile_count(self%handle, at%raw, c_path, padded(numbers), c_count))
    if (code == servet_ok) count = int(c_count)
    call finish_about(code, '{}', stat, errmsg, name=path)
  end subroutine profile_count

  ! Copies an item of a list into the struct of C at `item`, which has `size` bytes.
  subroutine fetch_item(self, path, numbers, item, size, node_class, code)
    class(profile_base), intent(in) :: self
    character(len=*), intent(in) :: path
    integer, intent(in) :: numbers(:)
    type(c_ptr), intent(in) :: item
    integer(c_size_t), intent(in) :: size
    character(len=*), intent(in), optional :: node_class
    integer, intent(out) :: code
    type(place), target :: at
    character(kind=c_char), allocatable :: c_path(:)

    code = servet_ok
    call set_place(at, code, node_class)
    call to_c(path, c_path, code)
    if (code == servet_ok) code = int(raw_profile_item(self%handle, at%raw, c_path, padded(numbers), item, size))
  end subroutine fetch_item

  ! The number of the item in its own list: the last number.
  pure integer function last_of(numbers)
    integer, intent(in) :: numbers(:)

    last_of = 0
    if (size(numbers) > 0) last_of = numbers(size(numbers))
  end function last_of

  ! The numbers for C, which reads one for each list of the path. A missing number becomes 0, which is out of range.
  function padded(numbers) result(c_numbers)
    integer, intent(in), optional :: numbers(:)
    integer(c_int) :: c_numbers(steps_max)
    integer :: i

    c_numbers = 0
    if (.not. present(numbers)) return
    do i = 1, min(size(numbers), steps_max)
      c_numbers(i) = int(numbers(i), c_int)
    end do
  end function padded

  ! The answer to a key or, without a key, the names of doubtful facts. The buffer grows from `least` to `most`: the
  ! longest texts are the groups of a large node.
  subroutine read_text(self, at, text, code, error, c_key)
    class(profile_base), intent(in) :: self
    type(place), intent(in), target :: at
    character(len=:), allocatable, intent(inout) :: text
    integer, intent(out) :: code
    type(raw_error), intent(inout) :: error
    character(kind=c_char), intent(in), optional :: c_key(:)
    integer(c_size_t), parameter :: least = 1024, most = 1048576
    character(kind=c_char), allocatable :: buffer(:)
    integer(c_size_t) :: length
    integer :: failed

    length = least
    do
      error = raw_error()
      allocate(buffer(length), stat=failed)
      if (failed /= 0) then
        code = servet_ememory
        return
      end if
      if (present(c_key)) then
        code = int(raw_profile_get(self%handle, at%raw, c_key, buffer, length, error))
      else
        code = int(raw_profile_doubtful(self%handle, at%raw, buffer, length))
      end if
      if (code /= servet_erange .or. length == most) exit
      deallocate(buffer)
      length = 2 * length
    end do
    if (code == servet_ok) call new_text(buffer, text, code)
  end subroutine read_text

  ! --- shared by all queries ------------------------------------------------------------------

  ! The profile's handle for C.
  pure function handle_of(self) result(handle)
    class(profile_base), intent(in) :: self
    type(c_ptr) :: handle

    handle = self%handle
  end function handle_of

  ! The class and core for C; `at` keeps the text it points to.
  subroutine set_place(at, code, node_class, core)
    type(place), intent(out), target :: at
    integer, intent(inout) :: code
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core

    at%raw = raw_at(c_null_ptr, servet_this_core)
    if (present(core)) at%raw%core = int(core, c_int)
    if (present(node_class)) then
      call to_c(node_class, at%node_class, code)
      if (code == servet_ok) at%raw%node_class = c_loc(at%node_class)
    end if
  end subroutine set_place

  ! Returns true, and reports the error, if no profile is open.
  function closed(self, stat, errmsg)
    class(profile_base), intent(in) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    logical :: closed

    closed = .not. self%is_open()
    if (closed) call finish(servet_eargument, 'no profile is open', stat, errmsg)
  end function closed

end module servet_profile_base
