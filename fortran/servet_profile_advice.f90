! SPDX-License-Identifier: BSD-3-Clause
!
! Questions that a program asks to decide (servet/node.h, servet/network.h): which cores are nearest,
! how many are enough, what a message between two of them costs, whether to gather messages. Layers,
! nodes and groups count from 1; failures as in servet_profile_caches.
module servet_profile_advice
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_errors
  use servet_network_types
  use servet_profile_base
  use servet_profile_network
  use servet_raw, only: raw_value
  use servet_raw_advice
  use servet_raw_network, only: raw_place
  use servet_text
  use servet_types
  implicit none
  private

  public :: profile_advice, servet_saturation, servet_gathering

  ! How many cores of a group are worth using for what memory limits.
  type :: servet_saturation
    integer :: level = 0                           ! overhead level; 0: of the whole node
    character(len=:), allocatable :: cores         ! the group as ranges; '': all cores of the node
    integer :: enough = 0                          ! so many get 95 % of the best
    type(servet_value) :: bandwidth                ! that each of them then gets, B/s
  end type servet_saturation

  ! What so many messages cost as they are, and as one.
  type :: servet_gathering
    logical :: gather = .false.                    ! one message is faster
    type(servet_value) :: apart                    ! of one of the messages while all go at once, s
    type(servet_value) :: together                 ! of one message of all their bytes, s
  end type servet_gathering

  type, extends(profile_network) :: profile_advice
  contains
    procedure :: distance_group_of => profile_distance_group_of
    procedure :: distance_nearest => profile_distance_nearest
    procedure :: memory_group_of => profile_memory_group_of
    procedure :: memory_saturation_of => profile_memory_saturation_of
    procedure :: network_group_of => profile_network_group_of
    procedure :: network_nearest => profile_network_nearest
    procedure :: network_cost_between => profile_network_cost_between
    procedure :: network_gathering => profile_network_gathering
  end type profile_advice

contains

  ! --- cores of a node --------------------------------------------------------------------------

  ! The group of a distance layer that a core is in; 0 on failure.
  recursive subroutine profile_distance_group_of(self, layer, core, index, node_class, stat, errmsg)
    class(profile_advice), intent(in) :: self
    integer, intent(in) :: layer, core
    integer, intent(out) :: index
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    integer(c_int) :: raw, code

    index = 0
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    raw = 0
    code = raw_distance_group_of(handle_of(self), at%raw, int(layer, c_int), raw)
    if (code == servet_ok) index = int(raw) + 1
    call finish_about(int(code), 'group of core', stat, errmsg, core)
  end subroutine profile_distance_group_of

  ! The cores nearest to a core, the nearest first, into cores(1:count): no more than fit.
  recursive subroutine profile_distance_nearest(self, core, cores, count, node_class, stat, errmsg)
    class(profile_advice), intent(in) :: self
    integer, intent(in) :: core
    integer, intent(out) :: cores(:)
    integer, intent(out) :: count
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    integer(c_int) :: raw(size(cores)), number, code

    cores = -1
    count = 0
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    raw = -1
    number = 0
    code = raw_distance_nearest(handle_of(self), at%raw, raw, size(raw, kind=c_int), number)
    count = int(number)
    cores = int(raw)
    call finish_about(int(code), 'cores near core', stat, errmsg, core)
  end subroutine profile_distance_nearest

  ! The group of an overhead level that a core is in; 0 on failure.
  recursive subroutine profile_memory_group_of(self, level, core, index, node_class, stat, errmsg)
    class(profile_advice), intent(in) :: self
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
    raw = 0
    code = raw_memory_group_of(handle_of(self), at%raw, int(level, c_int), raw)
    if (code == servet_ok) index = int(raw) + 1
    call finish_about(int(code), 'group of core', stat, errmsg, core)
  end subroutine profile_memory_group_of

  ! How many cores of the group in which `core` contends most for memory are enough; without `core`,
  ! of the node.
  recursive subroutine profile_memory_saturation_of(self, advice, core, node_class, stat, errmsg)
    class(profile_advice), intent(in) :: self
    type(servet_saturation), intent(out) :: advice
    integer, intent(in), optional :: core
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_saturation) :: raw
    integer(c_int) :: code

    advice%cores = ''
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    code = raw_memory_saturation_of(handle_of(self), at%raw, raw)
    if (code == servet_ok) then
      advice%level = int(raw%level)
      advice%cores = f_text(raw%cores)
      advice%enough = int(raw%enough)
      advice%bandwidth = to_value(raw%bandwidth)
    end if
    call finish_about(int(code), 'memory saturation', stat, errmsg)
  end subroutine profile_memory_saturation_of

  ! --- cores of a job ---------------------------------------------------------------------------

  ! The group of a layer of communication that a core is in; 0 on failure.
  recursive subroutine profile_network_group_of(self, layer, where, index, stat, errmsg)
    class(profile_advice), intent(in) :: self
    integer, intent(in) :: layer
    type(servet_place), intent(in) :: where
    integer, intent(out) :: index
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: raw, code

    index = 0
    if (closed(self, stat, errmsg)) return
    raw = 0
    code = raw_network_group_of(handle_of(self), int(layer, c_int), from_place(where), raw)
    if (code == servet_ok) index = int(raw) + 1
    call finish_about(int(code), 'group of a core in layer', stat, errmsg, layer)
  end subroutine profile_network_group_of

  ! The cores of the job nearest to a core, the nearest first, into places(1:count): no more than fit.
  recursive subroutine profile_network_nearest(self, where, places, count, stat, errmsg)
    class(profile_advice), intent(in) :: self
    type(servet_place), intent(in) :: where
    type(servet_place), intent(out) :: places(:)
    integer, intent(out) :: count
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_place) :: raw(size(places))
    integer(c_int) :: number, code
    integer :: i

    count = 0
    if (closed(self, stat, errmsg)) return
    number = 0
    code = raw_network_nearest(handle_of(self), from_place(where), raw, size(raw, kind=c_int), &
                               number)
    count = int(number)
    do i = 1, count
      places(i) = to_place(raw(i))
    end do
    call finish_about(int(code), 'cores near a core', stat, errmsg)
  end subroutine profile_network_nearest

  ! Seconds of one of `messages` messages of `bytes` bytes at once between pairs like these cores.
  recursive subroutine profile_network_cost_between(self, a, b, bytes, messages, time, stat, errmsg)
    class(profile_advice), intent(in) :: self
    type(servet_place), intent(in) :: a, b
    real(c_double), intent(in) :: bytes
    integer, intent(in) :: messages
    type(servet_value), intent(out) :: time
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_value) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_cost_between(handle_of(self), from_place(a), from_place(b), bytes, &
                                    int(messages, c_int), raw)
    if (code == servet_ok) time = to_value(raw)
    call finish_about(int(code), 'messages between a pair of cores', stat, errmsg)
  end subroutine profile_network_cost_between

  ! Whether so many messages of a layer are better gathered into one.
  recursive subroutine profile_network_gathering(self, layer, bytes, messages, advice, stat, errmsg)
    class(profile_advice), intent(in) :: self
    integer, intent(in) :: layer
    real(c_double), intent(in) :: bytes
    integer, intent(in) :: messages
    type(servet_gathering), intent(out) :: advice
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_gathering) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_gathering(handle_of(self), int(layer, c_int), bytes, int(messages, c_int), &
                                 raw)
    if (code == servet_ok) then
      advice%gather = raw%gather
      advice%apart = to_value(raw%apart)
      advice%together = to_value(raw%together)
    end if
    call finish_about(int(code), 'messages at once in layer', stat, errmsg, layer)
  end subroutine profile_network_gathering

end module servet_profile_advice
