! SPDX-License-Identifier: BSD-3-Clause
!
! The type servet_profile: an open profile and the questions it answers (servet/profile.h).
!
! Procedures that can fail take `stat` and `errmsg` as allocate does: stat becomes servet_ok or one
! of the negative servet_e* codes, errmsg is set on failure only; without stat a failure prints the
! message on error_unit and stops the program with status 1. On failure results are unknown.
!
! Queries may be made by any number of threads at once. Their procedures are `recursive` because the
! standard lets a compiler keep the local arrays of others in static memory.
module servet_profiles
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  use servet_constants
  use servet_raw
  use servet_types
  implicit none
  private

  public :: servet_profile, servet_profile_find, servet_profile_key, servet_version

  ! An open profile belongs to one variable, which frees it when it is closed or goes out of scope.
  ! It is not copied: assignment stops the program, before two variables would free the same memory.
  type :: servet_profile
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: open => profile_open
    procedure :: close => profile_close
    procedure :: is_open => profile_is_open
    procedure :: path => profile_path
    procedure :: run => profile_run
    procedure :: class_count => profile_class_count
    procedure :: class_name => profile_class_name
    procedure :: class_of => profile_class_of
    procedure :: machine => profile_machine
    procedure :: node => profile_node
    procedure :: kind => profile_kind
    procedure :: cache_count => profile_cache_count
    procedure :: cache => profile_cache
    procedure :: cache_group_count => profile_cache_group_count
    procedure :: cache_group => profile_cache_group
    procedure :: cache_group_of => profile_cache_group_of
    procedure :: memory_latency => profile_memory_latency
    procedure :: get => profile_get
    procedure, private :: copy => profile_copy
    generic :: assignment(=) => copy
    final :: profile_final
  end type servet_profile

  ! Owner of the text that a raw_at points to.
  type :: place
    type(raw_at) :: raw
    character(kind=c_char), allocatable :: node_class(:)
  end type place

  integer, parameter :: path_max = 4096 ! as long as the system takes

  ! Enough for "FILE:LINE: TEXT" of the longest file and text.
  integer, parameter :: line_max = servet_error_file_max + servet_error_text_max + 16

contains

  ! --- the library ------------------------------------------------------------------------------

  ! The version of the library in use, 'MAJOR.MINOR.PATCH'.
  function servet_version() result(version)
    character(len=pointer_length(raw_version())) :: version

    version = f_text(raw_version())
  end function servet_version

  ! Where open() without a path finds the profile.
  recursive subroutine servet_profile_find(path, stat, errmsg)
    character(len=:), allocatable, intent(out) :: path
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char) :: buffer(path_max)
    type(raw_error) :: error
    integer(c_int) :: code

    path = ''
    code = raw_profile_find(buffer, size(buffer, kind=c_size_t), error)
    if (code == servet_ok) path = trim(f_text(buffer))
    call finish_error(int(code), error, stat, errmsg)
  end subroutine servet_profile_find

  ! Known key pattern `index` (from 1) of get() and one line on what it gives; '' beyond the last.
  subroutine servet_profile_key(index, pattern, summary)
    integer, intent(in) :: index
    character(len=:), allocatable, intent(out) :: pattern
    character(len=:), allocatable, intent(out), optional :: summary
    type(c_ptr) :: raw_summary

    raw_summary = c_null_ptr
    pattern = f_text(raw_profile_key(int(index - 1, c_int), raw_summary))
    if (present(summary)) summary = f_text(raw_summary)
  end subroutine servet_profile_key

  ! --- opening and closing ----------------------------------------------------------------------

  ! Opens the profile at `path`, or where servet_profile_find points. A profile that was open in
  ! this variable is closed, unless the new one cannot be opened.
  recursive subroutine profile_open(self, path, stat, errmsg)
    class(servet_profile), intent(inout) :: self
    character(len=*), intent(in), optional :: path
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: raw_path(:)
    type(c_ptr) :: handle, where
    type(raw_error) :: error
    integer(c_int) :: code

    where = c_null_ptr
    if (present(path)) then
      raw_path = c_text(path)
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
    class(servet_profile), intent(inout) :: self

    call raw_profile_close(self%handle)
    self%handle = c_null_ptr
  end subroutine profile_close

  subroutine profile_final(self)
    type(servet_profile), intent(inout) :: self

    call self%close()
  end subroutine profile_final

  ! Never changes `self`, but without inout this would not be a defined assignment.
  subroutine profile_copy(self, other)
    class(servet_profile), intent(inout) :: self
    class(servet_profile), intent(in) :: other

    if (self%is_open() .or. other%is_open()) &
      call finish(servet_eunsupported, 'an open profile cannot be copied')
  end subroutine profile_copy

  function profile_is_open(self) result(is_open)
    class(servet_profile), intent(in) :: self
    logical :: is_open

    is_open = c_associated(self%handle)
  end function profile_is_open

  ! --- queries ----------------------------------------------------------------------------------
  ! `node_class` is the name of a node class, by default that of this node; `core` the number the
  ! operating system gives a core (from 0), by default one of the first core kind.

  ! The path the profile was read from; '' when none is open.
  function profile_path(self) result(path)
    class(servet_profile), intent(in) :: self
    character(len=path_length(self)) :: path

    if (self%is_open()) path = f_text(raw_profile_path(self%handle))
  end function profile_path

  pure function path_length(self) result(length)
    class(servet_profile), intent(in) :: self
    integer :: length

    length = 0
    if (c_associated(self%handle)) length = pointer_length(raw_profile_path(self%handle))
  end function path_length

  ! How and when the profile was measured.
  recursive subroutine profile_run(self, run, stat, errmsg)
    class(servet_profile), intent(in) :: self
    type(servet_run), intent(out) :: run
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_run) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_profile_run(self%handle, raw)
    if (code == servet_ok) run = to_run(raw)
    call finish_about(int(code), 'run', stat, errmsg)
  end subroutine profile_run

  ! Number of node classes; 0 when no profile is open.
  function profile_class_count(self) result(count)
    class(servet_profile), intent(in) :: self
    integer :: count

    count = 0
    if (self%is_open()) count = int(raw_profile_class_count(self%handle))
  end function profile_class_count

  ! Name of node class `index`, from 1.
  subroutine profile_class_name(self, index, name, stat, errmsg)
    class(servet_profile), intent(in) :: self
    integer, intent(in) :: index
    character(len=:), allocatable, intent(out) :: name
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: raw
    integer :: code

    name = ''
    if (closed(self, stat, errmsg)) return
    raw = raw_profile_class_name(self%handle, int(index - 1, c_int))
    code = servet_ok
    if (.not. c_associated(raw)) code = servet_erange
    name = f_text(raw)
    call finish_about(code, 'node class', stat, errmsg, index)
  end subroutine profile_class_name

  ! Index, from 1, of the node class that lists the host; 0 on failure.
  subroutine profile_class_of(self, host, index, stat, errmsg)
    class(servet_profile), intent(in) :: self
    character(len=*), intent(in) :: host
    integer, intent(out) :: index
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: raw, code

    index = 0
    if (closed(self, stat, errmsg)) return
    raw = -1
    code = raw_profile_class_of(self%handle, c_text(host), raw)
    index = int(raw) + 1
    call finish_about(int(code), 'host ' // trim(host), stat, errmsg)
  end subroutine profile_class_of

  ! The first node of a class as its operating system describes it.
  recursive subroutine profile_machine(self, machine, node_class, stat, errmsg)
    class(servet_profile), intent(in) :: self
    type(servet_machine), intent(out) :: machine
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_machine) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    code = raw_profile_machine(self%handle, at%raw, raw)
    if (code == servet_ok) machine = to_machine(raw)
    call finish_about(int(code), 'machine', stat, errmsg)
  end subroutine profile_machine

  ! Host name `index`, from 1, of the nodes of a class.
  recursive subroutine profile_node(self, index, name, node_class, stat, errmsg)
    class(servet_profile), intent(in) :: self
    integer, intent(in) :: index
    character(len=:), allocatable, intent(out) :: name
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(c_ptr) :: raw
    integer :: code

    name = ''
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    raw = raw_profile_node(self%handle, at%raw, int(index - 1, c_int))
    code = servet_ok
    if (.not. c_associated(raw)) code = servet_erange
    name = f_text(raw)
    call finish_about(code, 'node', stat, errmsg, index)
  end subroutine profile_node

  ! Core kind `index`, from 1, of a class.
  recursive subroutine profile_kind(self, index, kind, node_class, stat, errmsg)
    class(servet_profile), intent(in) :: self
    integer, intent(in) :: index
    type(servet_kind), intent(out) :: kind
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_kind) :: raw
    integer(c_int) :: code

    raw = raw_kind(c_null_ptr, c_null_ptr)
    if (.not. closed(self, stat, errmsg)) then
      call set_place(at, node_class)
      code = raw_kind_get(self%handle, at%raw, int(index - 1, c_int), raw)
      call finish_about(int(code), 'core kind', stat, errmsg, index)
    end if
    kind = to_kind(raw)
  end subroutine profile_kind

  ! Number of cache levels of a core.
  recursive subroutine profile_cache_count(self, count, node_class, core, stat, errmsg)
    class(servet_profile), intent(in) :: self
    integer, intent(out) :: count
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    integer(c_int) :: raw, code

    count = 0
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    raw = 0
    code = raw_cache_count(self%handle, at%raw, raw)
    count = int(raw)
    call finish_about(int(code), 'caches', stat, errmsg)
  end subroutine profile_cache_count

  ! Cache level `level`, 1 for the fastest, of a core.
  recursive subroutine profile_cache(self, level, cache, node_class, core, stat, errmsg)
    class(servet_profile), intent(in) :: self
    integer, intent(in) :: level
    type(servet_cache), intent(out) :: cache
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_cache) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    code = raw_cache_get(self%handle, at%raw, int(level, c_int), raw)
    if (code == servet_ok) cache = to_cache(raw)
    call finish_about(int(code), 'cache level', stat, errmsg, level)
  end subroutine profile_cache

  ! Number of groups of cores that share an instance of cache level `level`.
  recursive subroutine profile_cache_group_count(self, level, count, node_class, core, stat, errmsg)
    class(servet_profile), intent(in) :: self
    integer, intent(in) :: level
    integer, intent(out) :: count
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    integer(c_int) :: raw, code

    count = 0
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    raw = 0
    code = raw_cache_group_count(self%handle, at%raw, int(level, c_int), raw)
    count = int(raw)
    call finish_about(int(code), 'groups of cache level', stat, errmsg, level)
  end subroutine profile_cache_group_count

  ! The cores of group `index`, from 1, of cache level `level`: OS numbers as ranges, '0-2,12-14'.
  recursive subroutine profile_cache_group(self, level, index, cores, node_class, core, stat, &
                                           errmsg)
    class(servet_profile), intent(in) :: self
    integer, intent(in) :: level, index
    character(len=:), allocatable, intent(out) :: cores
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(c_ptr) :: raw
    integer(c_int) :: code

    cores = ''
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    raw = c_null_ptr
    code = raw_cache_group(self%handle, at%raw, int(level, c_int), int(index - 1, c_int), raw)
    cores = f_text(raw)
    call finish_about(int(code), 'group', stat, errmsg, index)
  end subroutine profile_cache_group

  ! Index, from 1, of the group of cache level `level` that `core` is in; 0 on failure.
  recursive subroutine profile_cache_group_of(self, level, core, index, node_class, stat, errmsg)
    class(servet_profile), intent(in) :: self
    integer, intent(in) :: level, core
    integer, intent(out) :: index
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    integer(c_int) :: raw, code

    index = 0
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    raw = -1
    code = raw_cache_group_of(self%handle, at%raw, int(level, c_int), raw)
    index = int(raw) + 1
    call finish_about(int(code), 'group of core', stat, errmsg, core)
  end subroutine profile_cache_group_of

  ! Latency of a load from memory.
  recursive subroutine profile_memory_latency(self, latency, node_class, core, stat, errmsg)
    class(servet_profile), intent(in) :: self
    type(servet_value), intent(out) :: latency
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_value) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    code = raw_memory_latency(self%handle, at%raw, raw)
    if (code == servet_ok) latency = to_value(raw)
    call finish_about(int(code), 'memory latency', stat, errmsg)
  end subroutine profile_memory_latency

  ! One fact as text, by its key ('caches.2.bytes'), as `servet get` prints it.
  recursive subroutine profile_get(self, key, text, node_class, core, stat, errmsg)
    class(servet_profile), intent(in) :: self
    character(len=*), intent(in) :: key
    character(len=:), allocatable, intent(out) :: text
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    ! The groups of a large node are the longest texts; the buffer grows from `least` to `most`.
    integer(c_size_t), parameter :: least = 1024, most = 1048576
    character(kind=c_char), allocatable :: buffer(:)
    type(place), target :: at
    type(raw_error) :: error
    integer(c_size_t) :: length
    integer(c_int) :: code

    text = ''
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    length = least
    do
      error = raw_error()
      allocate(buffer(length))
      code = raw_profile_get(self%handle, at%raw, c_text(key), buffer, length, error)
      if (code /= servet_erange .or. length == most) exit
      deallocate(buffer)
      length = 2 * length
    end do
    if (code == servet_ok) text = trim(f_text(buffer))
    call finish_error(int(code), error, stat, errmsg)
  end subroutine profile_get

  ! --- shared by the above ----------------------------------------------------------------------

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
    class(servet_profile), intent(in) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    logical :: closed

    closed = .not. self%is_open()
    if (closed) call finish(servet_eargument, 'no profile is open', stat, errmsg)
  end function closed

  ! How every procedure that can fail ends.
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

  ! The same where the library explains: 'profile.json:7: a number is missing'.
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

  ! The same where it only gives a code: 'cache level 7: out of range'.
  recursive subroutine finish_about(code, what, stat, errmsg, number)
    integer, intent(in) :: code
    character(len=*), intent(in) :: what
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer, intent(in), optional :: number
    character(len=12) :: digits

    digits = ''
    if (present(number)) write(digits, '(1x, i0)') number
    call finish(code, what // trim(digits) // ': ' // f_text(raw_error_text(int(code, c_int))), &
                stat, errmsg)
  end subroutine finish_about

end module servet_profiles
