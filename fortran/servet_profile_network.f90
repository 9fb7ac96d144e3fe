! SPDX-License-Identifier: BSD-3-Clause
!
! Questions about communication (servet/network.h): layers of pairs of cores, what a message costs,
! alone and among others, and how the network degrades. Layers, nodes and items count from 1;
! failures as in servet_profile_caches.
module servet_profile_network
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_errors
  use servet_network_types
  use servet_profile_base
  use servet_profile_memory
  use servet_raw, only: raw_value
  use servet_raw_network
  use servet_text
  use servet_types
  implicit none
  private

  public :: profile_network

  type, extends(profile_memory) :: profile_network
  contains
    procedure :: network => profile_network_get
    procedure :: network_node => profile_network_node
    procedure :: network_node_of => profile_network_node_of
    procedure :: network_layer_count => profile_network_layer_count
    procedure :: network_layer => profile_network_layer
    procedure :: network_group_count => profile_network_group_count
    procedure :: network_group => profile_network_group
    procedure :: network_layer_of => profile_network_layer_of
    procedure :: network_time => profile_network_time
    procedure :: network_bandwidth => profile_network_bandwidth
    procedure :: network_point_count => profile_network_point_count
    procedure :: network_point => profile_network_point
    procedure :: network_protocol_count => profile_network_protocol_count
    procedure :: network_protocol => profile_network_protocol
    procedure :: network_slowdown => profile_network_slowdown
    procedure :: network_cost => profile_network_cost
    procedure :: network_together_count => profile_network_together_count
    procedure :: network_together => profile_network_together
    procedure :: network_gather_count => profile_network_gather_count
    procedure :: network_gather => profile_network_gather
    procedure :: network_ratios => profile_network_ratios
    procedure :: network_ratio => profile_network_ratio
    procedure :: network_ratios_count => profile_network_ratios_count
    procedure :: network_ratios_at => profile_network_ratios_at
    procedure :: network_ratio_at => profile_network_ratio_at
  end type profile_network

contains

  ! The job that measured.
  recursive subroutine profile_network_get(self, network, stat, errmsg)
    class(profile_network), intent(in) :: self
    type(servet_network), intent(out) :: network
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_network) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_get(handle_of(self), raw)
    if (code == servet_ok) network = to_network(raw)
    call finish_about(int(code), 'communication', stat, errmsg)
  end subroutine profile_network_get

  ! The number of the node called `host` in the job, from 1; 0 on failure.
  recursive subroutine profile_network_node_of(self, host, node, stat, errmsg)
    class(profile_network), intent(in) :: self
    character(len=*), intent(in) :: host
    integer, intent(out) :: node
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: raw, code

    node = 0
    if (closed(self, stat, errmsg)) return
    raw = 0
    code = raw_network_node_of(handle_of(self), c_text(host), raw)
    if (code == servet_ok) node = int(raw) + 1
    call finish_about(int(code), 'a job on node ' // trim(host), stat, errmsg)
  end subroutine profile_network_node_of

  ! Number of layers; 0 for a job of one process.
  recursive subroutine profile_network_layer_count(self, count, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(out) :: count
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: raw, code

    count = 0
    if (closed(self, stat, errmsg)) return
    raw = 0
    code = raw_network_layer_count(handle_of(self), raw)
    count = int(raw)
    call finish_about(int(code), 'layers of communication', stat, errmsg)
  end subroutine profile_network_layer_count

  ! Layer `layer`, the fastest first.
  recursive subroutine profile_network_layer(self, layer, answer, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer
    type(servet_network_layer), intent(out) :: answer
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_network_layer) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_layer_get(handle_of(self), int(layer, c_int), raw)
    if (code == servet_ok) answer = to_network_layer(raw)
    call finish_about(int(code), 'layer of communication', stat, errmsg, layer)
  end subroutine profile_network_layer

  ! Number of groups of a layer: sets of cores joined by its pairs or by those of faster ones of its kind.
  recursive subroutine profile_network_group_count(self, layer, count, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer
    integer, intent(out) :: count
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: raw, code

    count = 0
    if (closed(self, stat, errmsg)) return
    raw = 0
    code = raw_network_group_count(handle_of(self), int(layer, c_int), raw)
    count = int(raw)
    call finish_about(int(code), 'groups of layer of communication', stat, errmsg, layer)
  end subroutine profile_network_group_count

  ! Group `index` of a layer: cores as 'node:core' ranges, nodes from 0: '0-3:0-15,5:0'.
  recursive subroutine profile_network_group(self, layer, index, places, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer, index
    character(len=:), allocatable, intent(out) :: places
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: raw
    integer(c_int) :: code

    places = ''
    if (closed(self, stat, errmsg)) return
    raw = c_null_ptr
    code = raw_network_group(handle_of(self), int(layer, c_int), int(index - 1, c_int), raw)
    places = f_text(raw)
    call finish_about(int(code), 'group', stat, errmsg, index)
  end subroutine profile_network_group

  ! The layer of a pair of cores; 0 on failure.
  recursive subroutine profile_network_layer_of(self, a, b, layer, stat, errmsg)
    class(profile_network), intent(in) :: self
    type(servet_place), intent(in) :: a, b
    integer, intent(out) :: layer
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: raw, code

    layer = 0
    if (closed(self, stat, errmsg)) return
    raw = 0
    code = raw_network_layer_of(handle_of(self), from_place(a), from_place(b), raw)
    layer = int(raw)
    call finish_about(int(code), 'layer of a pair of cores', stat, errmsg)
  end subroutine profile_network_layer_of

  ! Seconds that a message of `bytes` bytes takes alone.
  recursive subroutine profile_network_time(self, layer, bytes, time, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer
    real(c_double), intent(in) :: bytes
    type(servet_value), intent(out) :: time
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_value) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_time(handle_of(self), int(layer, c_int), bytes, raw)
    if (code == servet_ok) time = to_value(raw)
    call finish_about(int(code), 'messages of layer', stat, errmsg, layer)
  end subroutine profile_network_time

  ! Bytes over that time, B/s.
  recursive subroutine profile_network_bandwidth(self, layer, bytes, bandwidth, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer
    real(c_double), intent(in) :: bytes
    type(servet_value), intent(out) :: bandwidth
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_value) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_bandwidth(handle_of(self), int(layer, c_int), bytes, raw)
    if (code == servet_ok) bandwidth = to_value(raw)
    call finish_about(int(code), 'messages of layer', stat, errmsg, layer)
  end subroutine profile_network_bandwidth

  ! Number of points of a layer's curve.
  recursive subroutine profile_network_point_count(self, layer, count, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer
    integer, intent(out) :: count
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: raw, code

    count = 0
    if (closed(self, stat, errmsg)) return
    raw = 0
    code = raw_network_point_count(handle_of(self), int(layer, c_int), raw)
    count = int(raw)
    call finish_about(int(code), 'curve of layer', stat, errmsg, layer)
  end subroutine profile_network_point_count

  ! Point `index` of a layer's curve, sizes ascending.
  recursive subroutine profile_network_point(self, layer, index, point, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer, index
    type(servet_message), intent(out) :: point
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_message) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_point(handle_of(self), int(layer, c_int), int(index - 1, c_int), raw)
    if (code == servet_ok) point = to_message(raw)
    call finish_about(int(code), 'point', stat, errmsg, index)
  end subroutine profile_network_point

  ! Number of protocols of a layer.
  recursive subroutine profile_network_protocol_count(self, layer, count, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer
    integer, intent(out) :: count
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: raw, code

    count = 0
    if (closed(self, stat, errmsg)) return
    raw = 0
    code = raw_network_protocol_count(handle_of(self), int(layer, c_int), raw)
    count = int(raw)
    call finish_about(int(code), 'protocols of layer', stat, errmsg, layer)
  end subroutine profile_network_protocol_count

  ! Protocol `index` of a layer, sizes ascending.
  recursive subroutine profile_network_protocol(self, layer, index, protocol, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer, index
    type(servet_protocol), intent(out) :: protocol
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_protocol) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_protocol(handle_of(self), int(layer, c_int), int(index - 1, c_int), raw)
    if (code == servet_ok) protocol = to_protocol(raw)
    call finish_about(int(code), 'protocol', stat, errmsg, index)
  end subroutine profile_network_protocol

  ! By how much a message takes longer while `messages` go at once.
  recursive subroutine profile_network_slowdown(self, layer, bytes, messages, factor, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer
    real(c_double), intent(in) :: bytes
    integer, intent(in) :: messages
    type(servet_value), intent(out) :: factor
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_value) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_slowdown(handle_of(self), int(layer, c_int), bytes, &
                                int(messages, c_int), raw)
    if (code == servet_ok) factor = to_value(raw)
    call finish_about(int(code), 'messages at once in layer', stat, errmsg, layer)
  end subroutine profile_network_slowdown

  ! Seconds of a message while `messages` go at once.
  recursive subroutine profile_network_cost(self, layer, bytes, messages, time, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer
    real(c_double), intent(in) :: bytes
    integer, intent(in) :: messages
    type(servet_value), intent(out) :: time
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_value) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_cost(handle_of(self), int(layer, c_int), bytes, int(messages, c_int), raw)
    if (code == servet_ok) time = to_value(raw)
    call finish_about(int(code), 'messages at once in layer', stat, errmsg, layer)
  end subroutine profile_network_cost

  ! Number of measurements of messages at once.
  recursive subroutine profile_network_together_count(self, layer, count, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer
    integer, intent(out) :: count
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: raw, code

    count = 0
    if (closed(self, stat, errmsg)) return
    raw = 0
    code = raw_network_together_count(handle_of(self), int(layer, c_int), raw)
    count = int(raw)
    call finish_about(int(code), 'messages at once in layer', stat, errmsg, layer)
  end subroutine profile_network_together_count

  ! Measurement `index`: sizes ascending, of each the messages.
  recursive subroutine profile_network_together(self, layer, index, together, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer, index
    type(servet_together), intent(out) :: together
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_together) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_together(handle_of(self), int(layer, c_int), int(index - 1, c_int), raw)
    if (code == servet_ok) together = to_together(raw)
    call finish_about(int(code), 'messages at once', stat, errmsg, index)
  end subroutine profile_network_together

  ! Number of pieces of advice when to gather messages.
  recursive subroutine profile_network_gather_count(self, layer, count, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer
    integer, intent(out) :: count
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: raw, code

    count = 0
    if (closed(self, stat, errmsg)) return
    raw = 0
    code = raw_network_gather_count(handle_of(self), int(layer, c_int), raw)
    count = int(raw)
    call finish_about(int(code), 'advice for layer', stat, errmsg, layer)
  end subroutine profile_network_gather_count

  ! Advice `index`: messages ascending.
  recursive subroutine profile_network_gather(self, layer, index, gather, stat, errmsg)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: layer, index
    type(servet_gather), intent(out) :: gather
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_gather) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_gather(handle_of(self), int(layer, c_int), int(index - 1, c_int), raw)
    if (code == servet_ok) gather = to_gather(raw)
    call finish_about(int(code), 'advice', stat, errmsg, index)
  end subroutine profile_network_gather

  ! How a degradation was measured: servet_degradation_distance or servet_degradation_access.
  recursive subroutine profile_network_ratios(self, degradation, ratios, stat, errmsg)
    class(profile_network), intent(in) :: self
    character(len=*), intent(in) :: degradation
    type(servet_ratios), intent(out) :: ratios
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_ratios) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_ratios(handle_of(self), word_number(raw_degradation_name, degradation), raw)
    if (code == servet_ok) ratios = to_ratios(raw)
    call finish_about(int(code), 'degradation by ' // trim(degradation), stat, errmsg)
  end subroutine profile_network_ratios

  ! ratDist or ratNC at a distance or a number of processes per node, from 1.
  recursive subroutine profile_network_ratio(self, degradation, at, ratio, stat, errmsg)
    class(profile_network), intent(in) :: self
    character(len=*), intent(in) :: degradation
    integer, intent(in) :: at
    type(servet_ratio), intent(out) :: ratio
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_ratio) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_ratio(handle_of(self), word_number(raw_degradation_name, degradation), &
                             int(at, c_int), raw)
    if (code == servet_ok) ratio = to_ratio(raw)
    call finish_about(int(code), 'ratio by ' // trim(degradation), stat, errmsg, at)
  end subroutine profile_network_ratio

  ! How many times a degradation was measured: on other numbers of nodes, or with other messages.
  recursive subroutine profile_network_ratios_count(self, degradation, count, stat, errmsg)
    class(profile_network), intent(in) :: self
    character(len=*), intent(in) :: degradation
    integer, intent(out) :: count
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: code, raw

    count = 0
    if (closed(self, stat, errmsg)) return
    raw = 0
    code = raw_network_ratios_count(handle_of(self), &
                                    word_number(raw_degradation_name, degradation), raw)
    count = int(raw)
    call finish_about(int(code), 'degradation by ' // trim(degradation), stat, errmsg)
  end subroutine profile_network_ratios_count

  ! As network_ratios, of measurement `index`: 1 is what that answers from.
  recursive subroutine profile_network_ratios_at(self, degradation, index, ratios, stat, errmsg)
    class(profile_network), intent(in) :: self
    character(len=*), intent(in) :: degradation
    integer, intent(in) :: index
    type(servet_ratios), intent(out) :: ratios
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_ratios) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_ratios_at(handle_of(self), &
                                 word_number(raw_degradation_name, degradation), &
                                 int(index - 1, c_int), raw)
    if (code == servet_ok) ratios = to_ratios(raw)
    call finish_about(int(code), 'measurement of ' // trim(degradation), stat, errmsg, index)
  end subroutine profile_network_ratios_at

  ! As network_ratio, of measurement `index`; that at 1 says how many nodes it was made on.
  recursive subroutine profile_network_ratio_at(self, degradation, index, at, ratio, stat, errmsg)
    class(profile_network), intent(in) :: self
    character(len=*), intent(in) :: degradation
    integer, intent(in) :: index, at
    type(servet_ratio), intent(out) :: ratio
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_ratio) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    code = raw_network_ratio_at(handle_of(self), word_number(raw_degradation_name, degradation), &
                                int(index - 1, c_int), int(at, c_int), raw)
    if (code == servet_ok) ratio = to_ratio(raw)
    call finish_about(int(code), 'ratio by ' // trim(degradation), stat, errmsg, at)
  end subroutine profile_network_ratio_at

  ! Host name of node `node` of the job, from 1; '' for none.
  function profile_network_node(self, node) result(name)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: node
    character(len=node_length(self, node)) :: name

    if (len(name) > 0) name = f_text(raw_network_node(handle_of(self), int(node - 1, c_int)))
  end function profile_network_node

  pure function node_length(self, node) result(length)
    class(profile_network), intent(in) :: self
    integer, intent(in) :: node
    integer :: length

    length = 0
    if (c_associated(handle_of(self))) &
      length = pointer_length(raw_network_node(handle_of(self), int(node - 1, c_int)))
  end function node_length

end module servet_profile_network
