! SPDX-License-Identifier: BSD-3-Clause
!
! Questions about the run, the nodes and the caches (servet/profile.h), and any fact by its key.
!
! `node_class` is the name of a node class, by default that of this node; `core` the number the
! operating system gives a core (from 0), by default one of the first core kind. On failure results
! are unknown, empty or 0.
module servet_profile_caches
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_errors
  use servet_profile_base
  use servet_raw
  use servet_text
  use servet_types
  implicit none
  private

  public :: profile_caches

  type, extends(profile_base) :: profile_caches
  contains
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
    procedure :: modes => profile_modes
  end type profile_caches

contains

  ! How and when the profile was measured.
  recursive subroutine profile_run(self, run, stat, errmsg)
    class(profile_caches), intent(in) :: self
    type(servet_run), intent(out) :: run
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_run) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_profile_run(handle_of(self), raw)
    if (code == servet_ok) run = to_run(raw)
    call finish_about(int(code), 'run', stat, errmsg)
  end subroutine profile_run

  ! Number of node classes; 0 when no profile is open.
  function profile_class_count(self) result(count)
    class(profile_caches), intent(in) :: self
    integer :: count

    count = 0
    if (self%is_open()) count = int(raw_profile_class_count(handle_of(self)))
  end function profile_class_count

  ! Name of node class `index`, from 1.
  subroutine profile_class_name(self, index, name, stat, errmsg)
    class(profile_caches), intent(in) :: self
    integer, intent(in) :: index
    character(len=:), allocatable, intent(out) :: name
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: raw
    integer :: code

    name = ''
    if (closed(self, stat, errmsg)) return
    raw = raw_profile_class_name(handle_of(self), int(index - 1, c_int))
    code = servet_ok
    if (.not. c_associated(raw)) code = servet_erange
    name = f_text(raw)
    call finish_about(code, 'node class', stat, errmsg, index)
  end subroutine profile_class_name

  ! Index, from 1, of the node class that lists the host; 0 on failure.
  subroutine profile_class_of(self, host, index, stat, errmsg)
    class(profile_caches), intent(in) :: self
    character(len=*), intent(in) :: host
    integer, intent(out) :: index
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: raw, code

    index = 0
    if (closed(self, stat, errmsg)) return
    raw = -1
    code = raw_profile_class_of(handle_of(self), c_text(host), raw)
    index = int(raw) + 1
    call finish_about(int(code), 'host ' // trim(host), stat, errmsg)
  end subroutine profile_class_of

  ! The first node of a class as its operating system describes it.
  recursive subroutine profile_machine(self, machine, node_class, stat, errmsg)
    class(profile_caches), intent(in) :: self
    type(servet_machine), intent(out) :: machine
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_machine) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    code = raw_profile_machine(handle_of(self), at%raw, raw)
    if (code == servet_ok) machine = to_machine(raw)
    call finish_about(int(code), 'machine', stat, errmsg)
  end subroutine profile_machine

  ! Host name `index`, from 1, of the nodes of a class.
  recursive subroutine profile_node(self, index, name, node_class, stat, errmsg)
    class(profile_caches), intent(in) :: self
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
    raw = raw_profile_node(handle_of(self), at%raw, int(index - 1, c_int))
    code = servet_ok
    if (.not. c_associated(raw)) code = servet_erange
    name = f_text(raw)
    call finish_about(code, 'node', stat, errmsg, index)
  end subroutine profile_node

  ! Core kind `index`, from 1, of a class.
  recursive subroutine profile_kind(self, index, kind, node_class, stat, errmsg)
    class(profile_caches), intent(in) :: self
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
      code = raw_kind_get(handle_of(self), at%raw, int(index - 1, c_int), raw)
      call finish_about(int(code), 'core kind', stat, errmsg, index)
    end if
    kind = to_kind(raw)
  end subroutine profile_kind

  ! Number of cache levels of a core.
  recursive subroutine profile_cache_count(self, count, node_class, core, stat, errmsg)
    class(profile_caches), intent(in) :: self
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
    code = raw_cache_count(handle_of(self), at%raw, raw)
    count = int(raw)
    call finish_about(int(code), 'caches', stat, errmsg)
  end subroutine profile_cache_count

  ! Cache level `level`, 1 for the fastest, of a core.
  recursive subroutine profile_cache(self, level, cache, node_class, core, stat, errmsg)
    class(profile_caches), intent(in) :: self
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
    code = raw_cache_get(handle_of(self), at%raw, int(level, c_int), raw)
    if (code == servet_ok) cache = to_cache(raw)
    call finish_about(int(code), 'cache level', stat, errmsg, level)
  end subroutine profile_cache

  ! Number of groups of cores that share an instance of cache level `level`.
  recursive subroutine profile_cache_group_count(self, level, count, node_class, core, stat, errmsg)
    class(profile_caches), intent(in) :: self
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
    code = raw_cache_group_count(handle_of(self), at%raw, int(level, c_int), raw)
    count = int(raw)
    call finish_about(int(code), 'groups of cache level', stat, errmsg, level)
  end subroutine profile_cache_group_count

  ! The cores of group `index`, from 1, of cache level `level`: OS numbers as ranges, '0-2,12-14'.
  recursive subroutine profile_cache_group(self, level, index, cores, node_class, core, stat, &
                                           errmsg)
    class(profile_caches), intent(in) :: self
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
    code = raw_cache_group(handle_of(self), at%raw, int(level, c_int), int(index - 1, c_int), raw)
    cores = f_text(raw)
    call finish_about(int(code), 'group', stat, errmsg, index)
  end subroutine profile_cache_group

  ! Index, from 1, of the group of cache level `level` that `core` is in; 0 on failure.
  recursive subroutine profile_cache_group_of(self, level, core, index, node_class, stat, errmsg)
    class(profile_caches), intent(in) :: self
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
    code = raw_cache_group_of(handle_of(self), at%raw, int(level, c_int), raw)
    index = int(raw) + 1
    call finish_about(int(code), 'group of core', stat, errmsg, core)
  end subroutine profile_cache_group_of

  ! Latency of a load from memory.
  recursive subroutine profile_memory_latency(self, latency, node_class, core, stat, errmsg)
    class(profile_caches), intent(in) :: self
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
    code = raw_memory_latency(handle_of(self), at%raw, raw)
    if (code == servet_ok) latency = to_value(raw)
    call finish_about(int(code), 'memory latency', stat, errmsg)
  end subroutine profile_memory_latency

  ! One fact as text, by its key ('caches.2.bytes'), as `servet get` prints it.
  recursive subroutine profile_get(self, key, text, node_class, core, stat, errmsg)
    class(profile_caches), intent(in) :: self
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
      code = raw_profile_get(handle_of(self), at%raw, c_text(key), buffer, length, error)
      if (code /= servet_erange .or. length == most) exit
      deallocate(buffer)
      length = 2 * length
    end do
    if (code == servet_ok) text = trim(f_text(buffer))
    call finish_error(int(code), error, stat, errmsg)
  end subroutine profile_get

  ! What the value of a key ('distance.layers.1.latency_ns') was by turns while it was measured.
  subroutine profile_modes(self, key, modes, node_class, core, stat, errmsg)
    class(profile_caches), intent(in) :: self
    character(len=*), intent(in) :: key
    type(servet_modes), intent(out) :: modes
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_error) :: error
    type(raw_modes) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    error = raw_error()
    code = raw_profile_modes(handle_of(self), at%raw, c_text(key), raw, error)
    if (code == servet_ok) modes = to_modes(raw)
    call finish_error(int(code), error, stat, errmsg)
  end subroutine profile_modes

end module servet_profile_caches
