! SPDX-License-Identifier: BSD-3-Clause
!
! Questions about what cores are to each other (servet/node.h): who shares a cache, how far apart
! data they write should be padded, how long a line takes from one to another. `node_class`, `core` and
! failures as in servet_profile_caches; layers count from 1, fastest first.
module servet_profile_cores
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_errors
  use servet_node_types
  use servet_profile_base
  use servet_profile_caches
  use servet_raw_node
  use servet_text
  implicit none
  private

  public :: profile_cores

  type, extends(profile_caches) :: profile_cores
  contains
    procedure :: cache_sharing => profile_cache_sharing
    procedure :: coherence => profile_coherence
    procedure :: distance_layer_count => profile_distance_layer_count
    procedure :: distance_layer => profile_distance_layer
    procedure :: distance_layer_of => profile_distance_layer_of
    procedure :: distance_group_count => profile_distance_group_count
    procedure :: distance_group => profile_distance_group
  end type profile_cores

contains

  ! What is known about the groups of cache level `level`.
  recursive subroutine profile_cache_sharing(self, level, sharing, node_class, core, stat, errmsg)
    class(profile_cores), intent(in) :: self
    integer, intent(in) :: level
    type(servet_sharing), intent(out) :: sharing
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_sharing) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    code = raw_cache_sharing(handle_of(self), at%raw, int(level, c_int), raw)
    if (code == servet_ok) sharing = to_sharing(raw)
    call finish_about(int(code), 'sharing of cache level', stat, errmsg, level)
  end subroutine profile_cache_sharing

  ! The block that cores lose to each other by false sharing.
  recursive subroutine profile_coherence(self, coherence, node_class, stat, errmsg)
    class(profile_cores), intent(in) :: self
    type(servet_coherence), intent(out) :: coherence
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_coherence) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    code = raw_coherence_get(handle_of(self), at%raw, raw)
    if (code == servet_ok) coherence = to_coherence(raw)
    call finish_about(int(code), 'coherence', stat, errmsg)
  end subroutine profile_coherence

  ! Number of layers of distances between cores; 0 for a single core.
  recursive subroutine profile_distance_layer_count(self, count, node_class, stat, errmsg)
    class(profile_cores), intent(in) :: self
    integer, intent(out) :: count
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    integer(c_int) :: raw, code

    count = 0
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    raw = 0
    code = raw_distance_layer_count(handle_of(self), at%raw, raw)
    count = int(raw)
    call finish_about(int(code), 'distances', stat, errmsg)
  end subroutine profile_distance_layer_count

  ! Layer `layer` of distances between cores.
  recursive subroutine profile_distance_layer(self, layer, answer, node_class, stat, errmsg)
    class(profile_cores), intent(in) :: self
    integer, intent(in) :: layer
    type(servet_distance_layer), intent(out) :: answer
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_distance_layer) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    code = raw_distance_layer_get(handle_of(self), at%raw, int(layer, c_int), raw)
    if (code == servet_ok) answer = to_distance_layer(raw)
    call finish_about(int(code), 'distance layer', stat, errmsg, layer)
  end subroutine profile_distance_layer

  ! The layer of a pair of cores, given by their OS numbers; 0 on failure.
  recursive subroutine profile_distance_layer_of(self, core, other, layer, node_class, stat, errmsg)
    class(profile_cores), intent(in) :: self
    integer, intent(in) :: core, other
    integer, intent(out) :: layer
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    integer(c_int) :: raw, code

    layer = 0
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    raw = 0
    code = raw_distance_layer_of(handle_of(self), at%raw, int(other, c_int), raw)
    layer = int(raw)
    call finish_about(int(code), 'distance to core', stat, errmsg, other)
  end subroutine profile_distance_layer_of

  ! Number of groups of a layer: sets of cores joined by its pairs or those of a faster one.
  recursive subroutine profile_distance_group_count(self, layer, count, node_class, stat, errmsg)
    class(profile_cores), intent(in) :: self
    integer, intent(in) :: layer
    integer, intent(out) :: count
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    integer(c_int) :: raw, code

    count = 0
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    raw = 0
    code = raw_distance_group_count(handle_of(self), at%raw, int(layer, c_int), raw)
    count = int(raw)
    call finish_about(int(code), 'groups of distance layer', stat, errmsg, layer)
  end subroutine profile_distance_group_count

  ! The cores of group `index`, from 1, of a layer: OS numbers as ranges, '0-2,12-14'.
  recursive subroutine profile_distance_group(self, layer, index, cores, node_class, stat, errmsg)
    class(profile_cores), intent(in) :: self
    integer, intent(in) :: layer, index
    character(len=:), allocatable, intent(out) :: cores
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(c_ptr) :: raw
    integer(c_int) :: code

    cores = ''
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    raw = c_null_ptr
    code = raw_distance_group(handle_of(self), at%raw, int(layer, c_int), &
                              int(index - 1, c_int), raw)
    cores = f_text(raw)
    call finish_about(int(code), 'group', stat, errmsg, index)
  end subroutine profile_distance_group

end module servet_profile_cores
