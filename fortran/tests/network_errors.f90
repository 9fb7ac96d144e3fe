! SPDX-License-Identifier: BSD-3-Clause
!
! Failures of the queries of communication: the code and the message.
program network_errors
  use, intrinsic :: iso_c_binding
  use known
  use servet
  use tap
  implicit none

  character(len=*), parameter :: path = 'network_errors.json'
  type(servet_profile) :: profile
  type(servet_network) :: network
  type(servet_slow_link) :: link
  type(servet_network_layer) :: layer
  type(servet_message) :: point
  type(servet_protocol) :: protocol
  type(servet_together) :: together
  type(servet_batch) :: batch
  type(servet_aggregation) :: range
  type(servet_ratios) :: about
  type(servet_ratio) :: ratio
  type(servet_value) :: value
  character(len=:), allocatable :: places
  character(len=300) :: errmsg
  integer :: stat, number

  call using_a_closed_profile()
  call write_profile(path)
  call profile%open(path)
  call querying_unmeasured_facts()
  call querying_beyond_the_last()
  call querying_invalid_arguments()
  call profile%close()
  call remove(path)
  call done_testing()

contains

  subroutine fails(code, message, name)
    integer, intent(in) :: code
    character(len=*), intent(in) :: message, name

    call is_int(stat, code, name)
    call is_text(errmsg, message, 'message of ' // name)
  end subroutine fails

  ! Without a stat of its own each of these would stop the program.
  subroutine using_a_closed_profile()
    character(len=*), parameter :: closed = 'no profile is open'

    call is_text(profile%network_node(1), '', 'closed: network_node')
    call profile%network(network, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: network')
    call profile%count('network.slow_links', number, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: count')
    call profile%item('network.slow_links', [1], link, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: item')
  end subroutine using_a_closed_profile

  ! Only the groups of the second layer are known.
  subroutine querying_unmeasured_facts()
    call profile%network_time(2, 8.0_c_double, value, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'messages of layer 2: not measured', 'no curve')
    call profile%count('network.layers.points', number, [2], stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'network.layers.points: not measured', 'no points')
    call profile%network_slowdown(2, 8.0_c_double, 2, value, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'messages at once in layer 2: not measured', 'no slowdown')
    call profile%count('network.layers.batches', number, [2], stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'network.layers.batches: not measured', 'no batches')
    call profile%network_collective(servet_collective_reduce, 8.0_c_double, 4, value, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'time of reduce: not measured', 'no time of an operation')
    call profile%network_collective_predict(servet_collective_reduce, 8.0_c_double, 4, 1, value, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'time of reduce: not measured', 'no prediction of an operation')
  end subroutine querying_unmeasured_facts

  subroutine querying_beyond_the_last()
    call profile%network_layer(3, layer, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'layer of communication 3: out of range', 'layer 3')
    call profile%item('network.slow_links', [2], link, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'network.slow_links 2: out of range', 'slow link 2')
    call profile%network_group(1, 3, places, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'group 3: out of range', 'group 3')
    call is_text(places, '', 'no group')
    call profile%item('network.layers.points', [1, 0], point, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'network.layers.points 0: out of range', 'point 0')
    call profile%item('network.layers.protocols', [1, 2], protocol, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'network.layers.protocols 2: out of range', 'protocol 2')
    call profile%item('network.layers.together', [1, 3], together, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'network.layers.together 3: out of range', 'concurrent 3')
    call profile%item('network.layers.batches', [1, 3], batch, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'network.layers.batches 3: out of range', 'batch 3')
    call profile%item('network.layers.aggregation', [1, 3], range, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'network.layers.aggregation 3: out of range', 'range 3')
    call profile%network_cost(1, 8.0_c_double, 5, value, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'messages at once in layer 1: out of range', 'five messages')
    call profile%network_ratio(servet_degradation_distance, 4, ratio, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'ratio by distance 4: out of range', 'distance 4')
    call profile%network_node_of('middle', number, stat=stat, errmsg=errmsg)
    call fails(servet_enotfound, 'a job on node middle: not found', 'another node')
    call is_int(number, 0, 'no number of another node')
  end subroutine querying_beyond_the_last

  subroutine querying_invalid_arguments()
    call profile%count('network.lakes', number, stat=stat, errmsg=errmsg)
    call fails(servet_ekey, 'network.lakes: unknown key', 'no list')
    call profile%item('network.layers.points', [1], point, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'network.layers.points 1: out of range', 'a number is missing')
    call profile%item('network.layers.batches', [1, 1], point, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, 'network.layers.batches 1: invalid argument', 'structs of another type')
    call profile%network_bandwidth(1, 0.0_c_double, value, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, 'messages of layer 1: invalid argument', 'no bytes')
    call profile%network_layer_of(servet_place(1, 0), servet_place(1, 0), number, stat, errmsg)
    call fails(servet_eargument, 'layer of a pair of cores: invalid argument', 'one core')
    call profile%network_ratios('heat', about, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, 'degradation by heat: invalid argument', 'no degradation')
  end subroutine querying_invalid_arguments

end program network_errors
