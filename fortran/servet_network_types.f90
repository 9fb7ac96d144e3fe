! SPDX-License-Identifier: BSD-3-Clause
!
! The facts of servet/network.h as Fortran types, each made from its C struct, which says what every
! component means. A variable that nothing was read into holds unknown values, empty texts and
! zeros. Nodes count from 1 here: the first of the sets of cores '0:0-3' is node 1.
module servet_network_types
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_raw_network
  use servet_text
  use servet_types
  implicit none
  private

  public :: servet_network, servet_place, servet_network_layer, servet_message, servet_protocol
  public :: servet_together, servet_gather, servet_ratios, servet_ratio
  public :: to_network, to_network_layer, to_message, to_protocol, to_together, to_gather
  public :: to_ratios, to_ratio, from_place, to_place

  ! The job that measured.
  type :: servet_network
    character(len=servet_name_max) :: benchmarks = '' ! those that were run: 'layers,curves'
    integer :: nodes = 0
    integer :: ranks = 0                           ! processes
    integer :: nodes_asked = 0                     ! for layers between nodes
    real(c_double) :: message_bytes = 0            ! of messages that told layers apart; 0: none did
  end type servet_network

  ! A core of the job's nodes.
  type :: servet_place
    integer :: node = 0                            ! from 1
    integer :: core = -1                           ! OS number
  end type servet_place

  ! Pairs of cores between which a message costs alike.
  type :: servet_network_layer
    logical :: between_nodes = .false.             ! false: within a node
    type(servet_value) :: latency                  ! of a message of message_bytes, s
    type(servet_value) :: bandwidth                ! of such a message, B/s
    real(c_double) :: confidence = 0               ! 0..1 that it is a layer of its own
    type(servet_place) :: from, to                 ! the typical pair: the curve is its
  end type servet_network_layer

  ! A measured point of a layer's curve.
  type :: servet_message
    real(c_double) :: bytes = 0
    type(servet_value) :: time                     ! half a round trip, s
  end type servet_message

  ! A protocol of the MPI library: seconds = latency + bytes / bandwidth.
  type :: servet_protocol
    type(servet_value) :: from                     ! the smallest message that is sent so, bytes
    type(servet_value) :: latency                  ! of a message of no bytes, s
    type(servet_value) :: bandwidth                ! B/s
  end type servet_protocol

  ! So many messages of a size at once.
  type :: servet_together
    integer :: messages = 0
    real(c_double) :: bytes = 0
    type(servet_value) :: time                     ! of one of them, s
    type(servet_value) :: ratio                    ! to that of one message alone
  end type servet_together

  ! When so many messages are better gathered into one.
  type :: servet_gather
    integer :: messages = 0
    real(c_double) :: below = 0                    ! smaller ones are (bytes of each); 0: none
    logical :: unbounded = .false.                 ! all that were asked are
  end type servet_gather

  ! How a degradation was measured.
  type :: servet_ratios
    real(c_double) :: bytes = 0                    ! of the messages
    integer :: largest = 0                         ! distance, or processes per node
    logical :: constant_total = .false.            ! as many processes for every ratio
  end type servet_ratios

  ! A ratio of bandwidths.
  type :: servet_ratio
    integer :: at = 0                              ! the distance, or processes per node
    integer :: nodes = 0                           ! that took part
    type(servet_value) :: bandwidth                ! of one message while all go, B/s
    type(servet_value) :: ratio                    ! bandwidth at 1, over this one
  end type servet_ratio

contains

  function to_network(raw) result(network)
    type(raw_network), intent(in) :: raw
    type(servet_network) :: network

    network%benchmarks = f_text(raw%benchmarks)
    network%nodes = int(raw%nodes)
    network%ranks = int(raw%ranks)
    network%nodes_asked = int(raw%nodes_asked)
    network%message_bytes = raw%message_bytes
  end function to_network

  function to_place(raw) result(place)
    type(raw_place), intent(in) :: raw
    type(servet_place) :: place

    place%node = int(raw%node) + 1
    place%core = int(raw%core)
  end function to_place

  function from_place(place) result(raw)
    type(servet_place), intent(in) :: place
    type(raw_place) :: raw

    raw%node = int(place%node - 1, c_int)
    raw%core = int(place%core, c_int)
  end function from_place

  function to_network_layer(raw) result(layer)
    type(raw_network_layer), intent(in) :: raw
    type(servet_network_layer) :: layer

    layer%between_nodes = raw%between_nodes
    layer%latency = to_value(raw%latency)
    layer%bandwidth = to_value(raw%bandwidth)
    layer%confidence = raw%confidence
    layer%from = to_place(raw%from)
    layer%to = to_place(raw%to)
  end function to_network_layer

  function to_message(raw) result(point)
    type(raw_message), intent(in) :: raw
    type(servet_message) :: point

    point%bytes = raw%bytes
    point%time = to_value(raw%time)
  end function to_message

  function to_protocol(raw) result(protocol)
    type(raw_protocol), intent(in) :: raw
    type(servet_protocol) :: protocol

    protocol%from = to_value(raw%from)
    protocol%latency = to_value(raw%latency)
    protocol%bandwidth = to_value(raw%bandwidth)
  end function to_protocol

  function to_together(raw) result(together)
    type(raw_together), intent(in) :: raw
    type(servet_together) :: together

    together%messages = int(raw%messages)
    together%bytes = raw%bytes
    together%time = to_value(raw%time)
    together%ratio = to_value(raw%ratio)
  end function to_together

  function to_gather(raw) result(gather)
    type(raw_gather), intent(in) :: raw
    type(servet_gather) :: gather

    gather%messages = int(raw%messages)
    gather%below = raw%below
    gather%unbounded = raw%unbounded
  end function to_gather

  function to_ratios(raw) result(ratios)
    type(raw_ratios), intent(in) :: raw
    type(servet_ratios) :: ratios

    ratios%bytes = raw%bytes
    ratios%largest = int(raw%largest)
    ratios%constant_total = raw%constant_total
  end function to_ratios

  function to_ratio(raw) result(ratio)
    type(raw_ratio), intent(in) :: raw
    type(servet_ratio) :: ratio

    ratio%at = int(raw%at)
    ratio%nodes = int(raw%nodes)
    ratio%bandwidth = to_value(raw%bandwidth)
    ratio%ratio = to_value(raw%ratio)
  end function to_ratio

end module servet_network_types
