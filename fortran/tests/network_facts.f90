! SPDX-License-Identifier: BSD-3-Clause
!
! The module returns the facts that known_network.c stored.
program network_facts
  use, intrinsic :: iso_c_binding
  use known
  use servet
  use tap
  implicit none

  character(len=*), parameter :: path = 'network_facts.json'
  type(servet_profile) :: profile

  call write_profile(path)
  call profile%open(path)
  call job()
  call layers()
  call groups()
  call pairs()
  call curve()
  call protocols()
  call one_message()
  call many_messages()
  call collectives()
  call random_halves()
  call batches()
  call degradation()
  call measured_twice()
  call profile%close()
  call remove(path)
  call done_testing()

contains

  ! Compares with a value made by known_around().
  subroutine stored(value, expected, unit, name)
    type(servet_value), intent(in) :: value
    real(c_double), intent(in) :: expected
    character(len=*), intent(in) :: unit, name

    call ok(value%known .and. value%trusted, name // ' known')
    call is_real(value%value, expected, name // ' value')
    call is_real(value%low, 0.9375_c_double * expected, name // ' low')
    call is_real(value%high, 1.0625_c_double * expected, name // ' high')
    call is_text(value%unit, unit, name // ' unit')
    call is_text(value%method, servet_method_timed, name // ' method')
  end subroutine stored

  subroutine job()
    type(servet_network) :: network
    type(servet_value) :: slowness
    type(servet_slow_link) :: link
    type(servet_dimension) :: dimension
    integer :: node, count

    call profile%network(network)
    call is_text(network%benchmarks, 'layers,distance,access', 'benchmarks')
    call is_int(network%nodes, 2, 'nodes')
    call is_int(network%ranks, 4, 'processes')
    call is_int(network%nodes_asked, 2, 'nodes measured')
    call is_real(network%message_bytes, 2048.0_c_double, 'bytes of the messages')
    call is_text(profile%network_node(1), 'left', 'first node')
    call is_text(profile%network_node(2), 'right', 'second node')
    call is_text(profile%network_node(3), '', 'no third node')
    call profile%item('network.torus', [1], dimension)
    call is_int(dimension%nodes, 2, 'nodes along a dimension')
    call stored(dimension%step, 0.5_c_double, servet_unit_second, 'time of a link')
    call profile%network_node_of('right', node)
    call is_int(node, 2, 'number of a node')
    call profile%count('network.slow_links', count)
    call is_int(count, 1, 'slow links')
    call profile%item('network.slow_links', [1], link)
    call is_text(link%from, '0', 'one end of a slow link')
    call is_text(link%to, '1', 'its other end')
    call stored(link%factor, 2.0_c_double, servet_unit_none, 'factor of a slow link')
    call profile%network_slowness(2, slowness)
    call stored(slowness, 3.0_c_double, servet_unit_none, 'slowness of a node')
  end subroutine job

  subroutine layers()
    type(servet_network_layer) :: layer
    integer :: count

    call profile%network_layer_count(count)
    call is_int(count, 2, 'layers')
    call profile%network_layer(1, layer)
    call ok(.not. layer%between_nodes, 'the first layer is within a node')
    call stored(layer%latency, 0.5_c_double, servet_unit_second, 'latency')
    call stored(layer%bandwidth, 4096.0_c_double, servet_unit_byte_per_second, 'bandwidth')
    call is_real(layer%confidence, 0.75_c_double, 'confidence')
    call is_int(layer%from%node, 2, 'node of the first core of the pair')
    call is_int(layer%from%core, 0, 'first core of the pair')
    call is_int(layer%to%node, 2, 'node of the second core of the pair')
    call is_int(layer%to%core, 3, 'second core of the pair')
    call profile%network_layer(2, layer)
    call ok(layer%between_nodes, 'the second layer is between nodes')
  end subroutine layers

  subroutine groups()
    character(len=:), allocatable :: places
    integer :: count

    call profile%network_group_count(1, count)
    call is_int(count, 2, 'groups of the first layer')
    call profile%network_group(1, 2, places)
    call is_text(places, '1:0,1:3', 'second group of the first layer')
    call profile%network_group(2, 1, places)
    call is_text(places, '0-1:0,0-1:3', 'group of the second layer')
  end subroutine groups

  subroutine pairs()
    integer :: layer

    call profile%network_layer_of(servet_place(1, 0), servet_place(1, 3), layer)
    call is_int(layer, 1, 'layer of two cores of a node')
    call profile%network_layer_of(servet_place(2, 0), servet_place(1, 0), layer)
    call is_int(layer, 2, 'layer of cores of two nodes')
  end subroutine pairs

  subroutine curve()
    type(servet_message) :: point
    integer :: count

    call profile%count('network.layers.points', count, [1])
    call is_int(count, 2, 'points')
    call profile%item('network.layers.points', [1, 2], point)
    call is_real(point%bytes, 1024.0_c_double, 'bytes of a point')
    call stored(point%time, 0.5_c_double, servet_unit_second, 'time of a point')
  end subroutine curve

  subroutine protocols()
    type(servet_protocol) :: protocol
    integer :: count

    call profile%count('network.layers.protocols', count, [1])
    call is_int(count, 1, 'protocols')
    call profile%item('network.layers.protocols', [1, 1], protocol)
    call stored(protocol%from, 64.0_c_double, servet_unit_byte, 'begin of a protocol')
    call stored(protocol%latency, 0.125_c_double, servet_unit_second, 'latency of a protocol')
    call stored(protocol%bandwidth, 512.0_c_double, servet_unit_byte_per_second, &
                'bandwidth of a protocol')
  end subroutine protocols

  subroutine one_message()
    type(servet_value) :: answer

    call profile%network_time(1, 1024.0_c_double, answer)
    call stored(answer, 0.5_c_double, servet_unit_second, 'a message as it was measured')
    call profile%network_time(1, 512.5_c_double, answer)
    call is_real(answer%value, 0.375_c_double, 'a message half way between two')
    call is_text(answer%method, servet_method_interpolated, 'method of what is between')
    call profile%network_time(1, 2048.0_c_double, answer)
    call is_real(answer%value, 1.0_c_double, 'a message beyond all')
    call ok(.not. answer%trusted, 'what is beyond is not trusted')
    call profile%network_bandwidth(1, 1024.0_c_double, answer)
    call is_real(answer%value, 2048.0_c_double, 'bandwidth of a message')
  end subroutine one_message

  subroutine many_messages()
    type(servet_together) :: together
    type(servet_value) :: answer
    integer :: count

    call profile%network_slowdown(1, 64.0_c_double, 2, answer)
    call stored(answer, 1.5_c_double, servet_unit_none, 'slowdown')
    call profile%network_cost(1, 1024.0_c_double, 4, answer)
    call is_real(answer%value, 2.0_c_double, 'cost')
    call profile%count('network.layers.together', count, [1])
    call is_int(count, 2, 'measurements of many messages')
    call profile%item('network.layers.together', [1, 2], together)
    call is_int(together%messages, 4, 'messages at once')
    call is_real(together%bytes, 64.0_c_double, 'bytes of messages at once')
    call stored(together%time, 2.0_c_double, servet_unit_second, 'time of messages at once')
    call stored(together%ratio, 4.0_c_double, servet_unit_none, 'ratio of messages at once')
  end subroutine many_messages

  ! A broadcast of 1 byte between two cores of a node takes 0.25 s, the time of one message.
  subroutine collectives()
    type(servet_collective) :: measured
    type(servet_value) :: answer
    integer :: count

    call profile%count('network.collectives', count)
    call is_int(count, 1, 'measured collective operations')
    call profile%item('network.collectives', [1], measured)
    call is_text(measured%op, servet_collective_allreduce, 'operation')
    call is_int(measured%ranks, 2, 'ranks of an operation')
    call is_int(measured%groups, 1, 'groups of an operation')
    call is_real(measured%bytes, 64.0_c_double, 'bytes of an operation')
    call stored(measured%time, 1.5_c_double, servet_unit_second, 'time of an operation')
    call profile%network_collective(servet_collective_allreduce, 64.0_c_double, 2, answer)
    call stored(answer, 1.5_c_double, servet_unit_second, 'an operation as it was measured')
    call profile%network_collective_predict(servet_collective_broadcast, 1.0_c_double, 2, 1, answer)
    call is_real(answer%value, 0.25_c_double, 'an operation as it is predicted')
  end subroutine collectives

  subroutine random_halves()
    type(servet_bisection) :: halves
    type(servet_node_rate) :: rate
    integer :: count

    call profile%network_bisection(halves)
    call is_int(halves%nodes, 2, 'nodes of random halves')
    call is_int(halves%processes, 1, 'processes of random halves')
    call is_real(halves%bytes, 4096.0_c_double, 'bytes of random halves')
    call stored(halves%bandwidth, 8.5_c_double, servet_unit_byte_per_second, 'bandwidth of random halves')
    call stored(halves%usual, 5.0_c_double, servet_unit_byte_per_second, 'bandwidth of the usual node')
    call profile%count('network.node_rates', count)
    call is_int(count, 2, 'rates of nodes')
    call profile%item('network.node_rates', [2], rate)
    call stored(rate%bandwidth, 2.0_c_double, servet_unit_byte_per_second, 'bandwidth of a node')
    call stored(rate%lost, 0.125_c_double, servet_unit_none, 'time that a node lost')
    call ok(rate%slow .and. .not. rate%noisy, 'the outlier')
  end subroutine random_halves

  subroutine batches()
    type(servet_batch) :: batch
    type(servet_aggregation) :: range
    integer :: count

    call profile%count('network.layers.batches', count, [1])
    call is_int(count, 2, 'batches')
    call profile%item('network.layers.batches', [1, 2], batch)
    call is_int(batch%messages, 4, 'messages of a batch')
    call is_real(batch%bytes, 64.0_c_double, 'bytes of a batch')
    call stored(batch%in_turn, 3.0_c_double, servet_unit_second, 'in turn')
    call stored(batch%at_once, 1.5_c_double, servet_unit_second, 'at once')
    call stored(batch%as_one, 2.0_c_double, servet_unit_second, 'as one')
    call stored(batch%gain, 0.75_c_double, servet_unit_none, 'gain')
    call is_text(batch%payoff, servet_payoff_loses, 'payoff')
    call profile%count('network.layers.aggregation', count, [1])
    call is_int(count, 2, 'ranges')
    call profile%item('network.layers.aggregation', [1, 1], range)
    call is_int(range%messages, 2, 'messages of a range')
    call is_real(range%from, 8.0_c_double, 'from')
    call is_real(range%below, 32.0_c_double, 'below')
    call ok(.not. range%unbounded, 'the range has an end')
    call is_text(range%payoff, servet_payoff_pays, 'payoff of a range')
    call profile%item('network.layers.aggregation', [1, 2], range)
    call ok(range%unbounded, 'the range has no end')
    call stored(range%gain, 0.75_c_double, servet_unit_none, 'gain of a range')
  end subroutine batches

  subroutine degradation()
    type(servet_ratios) :: about
    type(servet_ratio) :: ratio

    call profile%network_ratios(servet_degradation_distance, about)
    call is_real(about%bytes, 1048576.0_c_double, 'bytes by distance')
    call is_int(about%largest, 3, 'largest distance')
    call ok(about%constant_total, 'constant total by distance')
    call profile%network_ratios(servet_degradation_access, about)
    call ok(.not. about%constant_total, 'no constant total by processes')
    call profile%network_ratio(servet_degradation_distance, 3, ratio)
    call is_int(ratio%at, 3, 'distance of a ratio')
    call is_int(ratio%nodes, 6, 'nodes of a ratio')
    call stored(ratio%bandwidth, 1024.0_c_double, servet_unit_byte_per_second, &
                'bandwidth of a ratio')
    call stored(ratio%ratio, 4.0_c_double, servet_unit_none, 'ratio')
    call profile%network_ratio(servet_degradation_distance, 2, ratio)
    call is_real(ratio%ratio%value, 2.5_c_double, 'ratio half way between two')
    call is_text(ratio%ratio%method, servet_method_interpolated, 'method of that ratio')
  end subroutine degradation

  subroutine measured_twice()
    type(servet_ratios) :: about
    type(servet_ratio) :: ratio
    integer :: count

    call profile%network_ratios_count(servet_degradation_distance, count)
    call is_int(count, 2, 'measurements by distance')
    call profile%network_ratios_count(servet_degradation_access, count)
    call is_int(count, 1, 'measurements by processes')
    call profile%network_ratios_at(servet_degradation_distance, 1, about)
    call is_real(about%bytes, 1048576.0_c_double, 'bytes of the first measurement')
    call profile%network_ratios_at(servet_degradation_distance, 2, about)
    call is_real(about%bytes, 4096.0_c_double, 'bytes of the second one')
    call profile%network_ratio_at(servet_degradation_distance, 1, 3, ratio)
    call stored(ratio%ratio, 4.0_c_double, servet_unit_none, 'ratio of the first measurement')
    call profile%network_ratio_at(servet_degradation_distance, 2, 1, ratio)
    call is_int(ratio%nodes, 3, 'nodes of the second one')
  end subroutine measured_twice

end program network_facts
