! SPDX-License-Identifier: BSD-3-Clause
!
! Placing processes: on two nodes of four cores, where a message takes 1 us within a node, 4 us
! between, and the network of a node carries one at a time (known_map.c).
program map
  use, intrinsic :: iso_c_binding
  use known, only: remove, write_cluster
  use servet
  use tap
  implicit none

  integer, parameter :: dp = c_double
  real(dp), parameter :: bytes = 1024
  character(len=*), parameter :: path = 'map.json', file = 'map.txt'
  type(servet_profile) :: profile
  character(len=300) :: errmsg
  integer :: stat

  call write_cluster(path)
  call profile%open(path)
  call what_processes_send()
  call traffic_from_a_file()
  call by_rules()
  call weights()
  call by_messages()
  call threads_and_nodes()
  call costs()
  call idle_cores()
  call written()
  call running()
  call failures()
  call what_is_closed()
  call profile%close()
  call remove(path)
  call done_testing()

contains

  subroutine what_processes_send()
    type(servet_traffic) :: traffic

    call is_int(traffic%processes(), 0, 'processes of nothing')
    call traffic%create(3)
    call traffic%add(0, 1, 10.0_dp)
    call traffic%next_phase()
    call traffic%add(2, 1, 5.0_dp, stat, errmsg)
    call is_int(stat, servet_ok, 'success')
    call is_int(traffic%processes(), 3, 'processes')
    call is_real(traffic%bytes(), 15.0_dp, 'bytes')
    call traffic%pattern(servet_pattern_ring, 8, bytes)
    call is_int(traffic%processes(), 8, 'processes of a ring')
    call is_real(traffic%bytes(), 16 * bytes, 'bytes of a ring')
    call traffic%add(0, 8, 1.0_dp, stat, errmsg)
    call is_int(stat, servet_erange, 'no such rank')
    call is_text(errmsg, 'there is no rank 8, only 0 to 7', 'message of no such rank')
    call traffic%pattern('star', 8, bytes, stat, errmsg)
    call is_int(stat, servet_eargument, 'no such pattern')
    call traffic%create(0, stat, errmsg)
    call is_int(stat, servet_eargument, 'no processes')
    call is_int(traffic%processes(), 8, 'processes after a failure')
    call traffic%close()
    call is_real(traffic%bytes(), 0.0_dp, 'bytes of what is closed')
  end subroutine what_processes_send

  subroutine write_lines(lines)
    character(len=*), intent(in) :: lines(:)
    integer :: unit, i

    unit = 20
    open(unit, file=file, action='write', status='replace')
    do i = 1, size(lines)
      write(unit, '(a)') trim(lines(i))
    end do
    close(unit)
  end subroutine write_lines

  subroutine traffic_from_a_file()
    type(servet_traffic) :: traffic

    call write_lines(['0 1 100', '1 0 50 '])
    call traffic%read(file)
    call is_int(traffic%processes(), 2, 'processes of a file')
    call is_real(traffic%bytes(), 150.0_dp, 'bytes of a file')
    call traffic%read(file, 3, stat, errmsg)
    call is_int(stat, servet_eformat, 'a rank that is missing')
    call write_lines(['0 1 100', '1 0 -5 '])
    call traffic%read(file, 2, stat, errmsg)
    call is_int(stat, servet_eformat, 'bytes below 0')
    call is_text(errmsg, file // ":2: '-5' bytes are less than none", 'message of bytes below 0')
    call remove(file)
  end subroutine traffic_from_a_file

  subroutine is_at(placed, rank, host, core, name)
    type(servet_map), intent(in) :: placed
    integer, intent(in) :: rank, core
    character(len=*), intent(in) :: host, name
    type(servet_map_process) :: process

    call placed%process(rank, process)
    call is_text(process%host, host, name // ' host')
    call is_int(process%cores(1), core, name // ' core')
  end subroutine is_at

  ! Two processes per node are too many for its network.
  subroutine by_rules()
    type(servet_map) :: placed
    type(servet_map_request) :: request
    type(servet_map_process) :: process

    request%processes = 2
    call placed%create(profile, request)
    call is_int(placed%process_count(), 2, 'processes placed')
    call is_at(placed, 0, 'n1', 0, 'first by rules')
    call is_at(placed, 1, 'n2', 0, 'second by rules')
    call placed%process(1, process)
    call is_int(process%node, 2, 'nodes count from 1')
    call is_int(process%local, 0, 'local numbers from 0')
    request%order = servet_order_block
    call placed%create(profile, request)
    call is_at(placed, 1, 'n1', 1, 'second of a block')
    request%order = servet_order_cyclic
    request%processes = 3
    call placed%create(profile, request)
    call is_at(placed, 2, 'n1', 1, 'third in turn')
    call placed%process(2, process)
    call is_real(process%speed, 1.0_dp, 'all cores are alike')
    request%work = 'play'
    call placed%create(profile, request, stat=stat)
    call is_int(stat, servet_eargument, 'no such work')
  end subroutine by_rules

  ! A message takes a quarter of the longest time within a node, so that near cores lose 10 * 0.75; two
  ! processes overload the node's network, and so do two on each half.
  subroutine weights()
    type(servet_map) :: placed
    type(servet_map_request) :: request
    type(servet_map_process) :: process
    type(servet_map_weight) :: weight
    integer :: number

    call placed%weight_count(1, number, stat)
    call is_int(stat, servet_eargument, 'nothing is placed')
    request%processes = 4
    call placed%create(profile, request)
    call placed%process(1, process)
    call is_real(process%weight, 2.5_dp, 'the second process shares the network and is near')
    call placed%weight_count(1, number)
    call is_int(number, 3, 'weights of a node')
    call placed%weight(1, 1, weight)
    call is_text(weight%rule, servet_rule_proximity, 'rule of the first')
    call is_int(weight%level, 1, 'its layer')
    call is_real(weight%weight, -7.5_dp, 'what it takes away')
    call placed%weight(1, 3, weight)
    call is_text(weight%rule, servet_rule_network, 'rule of the last')
    call is_int(weight%groups, 2, 'its halves')
    call is_real(weight%weight, 10.0_dp, 'what it adds')
    call placed%weight(1, 4, weight, stat, errmsg)
    call is_int(stat, servet_erange, 'no such weight')
    call is_text(errmsg, 'weight 4: out of range', 'message of no such weight')
    call placed%weight_count(3, number, stat, errmsg)
    call is_text(errmsg, 'weights of node 3: out of range', 'message of no such node')
  end subroutine weights

  ! Ranks 0 and 7, 1 and 6, ... send to each other: each pair belongs on one node.
  subroutine by_messages()
    type(servet_map) :: placed
    type(servet_map_request) :: request
    type(servet_map_process) :: one, other
    type(servet_traffic) :: traffic
    integer :: rank

    call traffic%create(8)
    do rank = 0, 7
      call traffic%add(rank, 7 - rank, bytes)
    end do
    request%processes = 8
    call placed%create(profile, request, traffic)
    do rank = 0, 3
      call placed%process(rank, one)
      call placed%process(7 - rank, other)
      call is_int(other%node, one%node, 'a pair on one node')
    end do
  end subroutine by_messages

  subroutine threads_and_nodes()
    type(servet_map) :: placed
    type(servet_map_request) :: request
    type(servet_map_process) :: process

    request%processes = 2
    request%threads = 2
    request%code = servet_code_memory
    request%nodes = 'n2'
    call placed%create(profile, request)
    call placed%process(1, process)
    call is_text(process%host, 'n2', 'host of the list')
    call is_int(size(process%cores), 2, 'cores of two threads')
    request%nodes = 'n2,n1'
    request%node_count = 1
    request%processes = 3
    call placed%create(profile, request, stat=stat, errmsg=errmsg)
    call is_int(stat, servet_erange, 'too many processes')
    call is_text(errmsg, '3 processes of 2 threads do not fit: the cores suffice for 2 on 1 node', &
                 'message of too many processes')
    call is_int(placed%process_count(), 2, 'processes after a failure')
  end subroutine threads_and_nodes

  ! A ring of 8 in blocks: two messages leave each node, 8 us one after the other; each process
  ! takes 5 us. All-to-all traffic by default: 16 messages leave each node.
  subroutine costs()
    type(servet_map) :: placed
    type(servet_map_request) :: request
    type(servet_traffic) :: ring
    type(servet_map_cost) :: cost

    call ring%pattern(servet_pattern_ring, 8, bytes)
    request%processes = 8
    request%order = servet_order_block
    call placed%create(profile, request)
    call placed%predict(profile, cost, ring)
    call is_int(cost%nodes, 2, 'nodes')
    call is_int(cost%per_node, 4, 'processes per node')
    call is_real(cost%seconds, 8e-6_dp, 'seconds', 1e-9_dp)
    call is_real(cost%work, 28e-6_dp, 'work', 1e-9_dp)
    call is_text(cost%limit, servet_limit_node, 'limit')
    call is_int(cost%limit_at, 1, 'limit_at')
    call is_real(cost%access_ratio, 4.0_dp, 'access_ratio')
    call is_real(cost%memory, 4.5e9_dp, 'memory')
    call is_real(cost%latency, (12 * 1e-6_dp + 16 * 4e-6_dp) / 28, 'latency', 1e-9_dp)
    call is_real(cost%cache_pairs, 0.0_dp, 'cache_pairs')
    call placed%predict(profile, cost)
    call is_real(cost%seconds, 64e-6_dp, 'seconds of each to each', 1e-9_dp)
  end subroutine costs

  subroutine idle_cores()
    type(servet_map) :: placed
    type(servet_map_request) :: request
    type(servet_map_idle) :: idle

    request%processes = 8
    call placed%create(profile, request)
    call placed%idle(profile, servet_resource_memory, idle)
    call is_int(idle%per_node, 3, 'cores enough for memory')
    call is_real(idle%gain, 1.0_dp, 'what they get together', 1e-9_dp)
    call is_real(idle%each, 4 / 3.0_dp, 'what each gets', 1e-9_dp)
    call placed%idle(profile, servet_resource_network, idle)
    call is_int(idle%per_node, 1, 'cores enough for the network')
    call placed%idle(profile, 'disk', idle, stat, errmsg)
    call is_int(stat, servet_eargument, 'no such resource')
    call is_text(errmsg, 'disk of a node: invalid argument', 'message of no such resource')
  end subroutine idle_cores

  subroutine written()
    type(servet_map) :: placed
    type(servet_map_request) :: request
    character(len=80) :: line
    integer :: unit

    request%processes = 2
    call placed%create(profile, request)
    call placed%write(servet_map_text, file)
    unit = 20
    open(unit, file=file, action='read', status='old')
    read(unit, '(a)') line
    call is_text(line, '0 n1 0', 'first line of the file')
    read(unit, '(a)') line
    call is_text(line, '1 n2 0', 'second line of the file')
    close(unit)
    call remove(file)
    call placed%write('card', file, stat, errmsg)
    call is_int(stat, servet_eargument, 'no such format')
    call remove(file)
    call placed%write(servet_map_text, 'nowhere/map', stat, errmsg)
    call is_int(stat, servet_eio, 'a file that cannot be written')
    call is_text(errmsg, 'nowhere/map: cannot be written', 'message of such a file')
    call placed%write(servet_map_text, '/dev/full', stat, errmsg)
    call is_int(stat, servet_eio, 'a full disk')
    call placed%write_command(servet_map_pbs, 'hosts', file)
    open(unit, file=file, action='read', status='old')
    read(unit, '(a)') line
    call is_text(line, 'mpirun -n 2 --hostfile hosts --map-by seq --bind-to none PROGRAM', 'command of the launcher')
    close(unit)
    call remove(file)
  end subroutine written

  ! Ranks of a ring alternate between both nodes: all messages go between them.
  subroutine running()
    type(servet_traffic) :: ring
    character(len=8) :: hosts(8)
    integer :: cores(8), rank, between
    integer, allocatable :: seat_of(:)

    do rank = 0, 7
      hosts(rank + 1) = merge('n1', 'n2', modulo(rank, 2) == 0)
      cores(rank + 1) = rank / 2
    end do
    call ring%pattern(servet_pattern_ring, 8, bytes)
    call servet_map_reorder(profile, ring, hosts, cores, seat_of)
    call is_int(lbound(seat_of, 1), 0, 'ranks count from 0')
    between = 0
    do rank = 0, 7
      call is_int(count(seat_of == rank), 1, 'each seat once')
      if (hosts(seat_of(rank) + 1) /= hosts(seat_of(modulo(rank + 1, 8)) + 1)) between = between + 1
    end do
    call is_int(between, 2, 'neighbours on two nodes')
    call servet_map_reorder(profile, ring, hosts(:7), cores, seat_of, stat, errmsg)
    call is_int(stat, servet_eargument, 'a host too few')
    cores(3) = cores(1)
    call servet_map_reorder(profile, ring, hosts, cores, seat_of, stat, errmsg)
    call is_int(stat, servet_eargument, 'a core twice')
    call is_text(errmsg, 'core 0 of n1 is listed twice', 'message of a core twice')
  end subroutine running

  subroutine failures()
    type(servet_map) :: placed
    type(servet_map_request) :: request
    type(servet_map_process) :: process
    type(servet_traffic) :: ring

    call ring%pattern(servet_pattern_ring, 4, bytes)
    request%processes = 3
    call placed%create(profile, request, ring, stat, errmsg)
    call is_int(stat, servet_eargument, 'messages of others')
    call is_text(errmsg, 'messages of 4 processes, not of 3', 'message of messages of others')
    request%order = 'sorted'
    call placed%create(profile, request, stat=stat, errmsg=errmsg)
    call is_int(stat, servet_eargument, 'no such order')
    request%order = servet_order_servet
    call placed%create(profile, request)
    call placed%process(3, process, stat, errmsg)
    call is_int(stat, servet_erange, 'no such process')
    call is_text(errmsg, 'process 3: out of range', 'message of no such process')
  end subroutine failures

  ! Without a stat of its own each of these would stop the program.
  subroutine what_is_closed()
    character(len=*), parameter :: nothing = 'nothing is placed'
    type(servet_profile) :: none
    type(servet_map) :: placed
    type(servet_map_request) :: request
    type(servet_map_process) :: process
    type(servet_map_cost) :: cost
    type(servet_map_idle) :: idle
    type(servet_traffic) :: traffic
    integer, allocatable :: seat_of(:)

    call is_int(placed%process_count(), 0, 'processes of no placement')
    call placed%process(0, process, stat, errmsg)
    call is_text(errmsg, nothing, 'no placement: process')
    call placed%write(servet_map_text, file, stat, errmsg)
    call is_text(errmsg, nothing, 'no placement: write')
    call placed%write_command(servet_map_text, 'hosts', file, stat, errmsg)
    call is_text(errmsg, nothing, 'no placement: write_command')
    call placed%predict(profile, cost, stat=stat, errmsg=errmsg)
    call is_text(errmsg, nothing, 'no placement: predict')
    call placed%idle(profile, servet_resource_memory, idle, stat, errmsg)
    call is_text(errmsg, nothing, 'no placement: idle')
    call placed%create(none, request, stat=stat, errmsg=errmsg)
    call is_text(errmsg, 'no profile is open', 'no profile: create')
    call traffic%add(0, 1, bytes, stat, errmsg)
    call is_text(errmsg, 'no traffic was created', 'nothing to add to')
    call traffic%next_phase(stat)
    call is_int(stat, servet_eargument, 'nothing to begin a phase of')
    call servet_map_reorder(profile, traffic, ['n1'], [0], seat_of, stat, errmsg)
    call is_int(stat, servet_eargument, 'nothing to reorder by')
    call placed%close()
    call is_int(placed%process_count(), 0, 'processes of a closed placement')
  end subroutine what_is_closed

end program map
