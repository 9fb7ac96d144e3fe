! SPDX-License-Identifier: BSD-3-Clause
!
! The advice that follows from the facts of known_node.c and known_network.c.
program advice
  use, intrinsic :: iso_c_binding
  use known
  use servet
  use tap
  implicit none

  character(len=*), parameter :: path = 'advice.json'
  character(len=*), parameter :: closed = 'no profile is open'
  real(c_double), parameter :: giga = 1e9_c_double
  type(servet_profile) :: profile
  character(len=200) :: errmsg
  integer :: stat

  call of_a_closed_profile()
  call write_profile(path)
  call profile%open(path)
  call groups()
  call near_a_core()
  call saturation()
  call groups_of_a_job()
  call near_a_place()
  call between_two()
  call several_as_one()
  call all_advice()
  call profile%close()
  call remove(path)
  call done_testing()

contains

  subroutine fails(code, message, name)
    integer, intent(in) :: code
    character(len=*), intent(in) :: message, name

    call is_int(stat, code, name // ' stat')
    call is_text(errmsg, message, name // ' message')
  end subroutine fails

  ! The list has all advice, or the part that fits; its blocks are those of the query.
  subroutine all_advice()
    type(servet_advice), save :: few(1), advice(40)
    type(servet_block) :: block
    integer :: count, i

    call profile%advise(servet_advice_for_node, few, count, node_class='thin')
    call ok(count > 1, 'more advice than there is room for')
    call profile%advise(servet_advice_for_node, advice, count, node_class='thin')
    call is_text(advice(1)%topic, servet_advice_block, 'blocks come first')
    call is_text(advice(1)%text, trim(few(1)%text), 'the same with less room')
    do i = 1, count
      if (advice(i)%topic /= servet_advice_block) cycle
      call profile%cache_block(advice(i)%level, 1, 1, 0, block, node_class='thin', core=0)
      call is_real(advice(i)%value%value, block%bytes, 'the block advised is that of the query')
    end do
    call profile%advise('nobody', advice, count, node_class='thin', stat=stat)
    call is_int(stat, servet_eargument, 'advice for nobody')
  end subroutine all_advice

  subroutine of_a_closed_profile()
    type(servet_saturation) :: enough
    type(servet_batch) :: batch
    type(servet_place) :: places(2)
    type(servet_value) :: time
    integer :: cores(2), count, index

    call profile%distance_group_of(1, 0, index, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: distance_group_of')
    call profile%distance_nearest(0, cores, count, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: distance_nearest')
    call profile%memory_group_of(1, 0, index, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: memory_group_of')
    call profile%memory_saturation_of(enough, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: memory_saturation_of')
    call profile%network_group_of(1, servet_place(1, 0), index, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: network_group_of')
    call profile%network_nearest(servet_place(1, 0), places, count, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: network_nearest')
    call profile%network_cost_between(servet_place(1, 0), servet_place(1, 3), 8.0_c_double, 1, &
                                      time, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: network_cost_between')
    call profile%network_aggregate(1, 8.0_c_double, 2, batch, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: network_aggregate')
  end subroutine of_a_closed_profile

  subroutine groups()
    integer :: index

    call profile%distance_group_of(1, 3, index)
    call is_int(index, 2, 'core 3 is in the second group of the nearest')
    call profile%distance_group_of(2, 7, index, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'group of core 7: not measured', 'core 7 is in no group')
    call is_int(index, 0, 'no group')
    call profile%memory_group_of(1, 5, index)
    call is_int(index, 2, 'core 5 is in the second half')
    call profile%memory_group_of(3, 5, index, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'group of core 5: out of range', 'no third level')
  end subroutine groups

  ! Near are 0,2 | 1,3 | 4-7, far is 0-6.
  subroutine near_a_core()
    integer :: cores(8), few(2), count

    call profile%distance_nearest(3, cores, count)
    call is_int(count, 6, 'six cores are near core 3')
    call ok(all(cores == [1, 0, 2, 4, 5, 6, -1, -1]), 'the nearest first')
    call profile%distance_nearest(3, few, count)
    call is_int(count, 2, 'the number that fits')
    call ok(all(few == [1, 0]), 'the nearest of them')
    call profile%distance_nearest(9, cores, count, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'cores near core 9: out of range', 'no core 9')
    call is_int(count, 0, 'none')
  end subroutine near_a_core

  ! Three cores saturate a half, 5.5 GB/s each; four the node, 6.5 GB/s each.
  subroutine saturation()
    type(servet_saturation) :: enough

    call profile%memory_saturation_of(enough, core=5)
    call is_int(enough%level, 1, 'core 5: level')
    call is_text(enough%cores, '4-7', 'core 5: its half')
    call is_int(enough%enough, 3, 'core 5: cores that are enough')
    call is_real(enough%bandwidth%value, 5.5_c_double * giga, 'core 5: what each gets')
    call profile%memory_saturation_of(enough, core=servet_any_core)
    call is_int(enough%level, 0, 'node: level')
    call is_text(enough%cores, '', 'node: all cores')
    call is_int(enough%enough, 4, 'node: cores that are enough')
    call is_real(enough%bandwidth%value, 6.5_c_double * giga, 'node: what each gets')
    call profile%memory_saturation_of(enough, node_class='fat', stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'memory saturation: not measured', 'another class')
  end subroutine saturation

  subroutine groups_of_a_job()
    integer :: index

    call profile%network_group_of(1, servet_place(2, 3), index)
    call is_int(index, 2, 'the second node is the second group')
    call profile%network_group_of(2, servet_place(2, 3), index)
    call is_int(index, 1, 'all nodes are one')
    call profile%network_group_of(1, servet_place(2, 4), index, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'group of a core in layer 1: out of range', 'took no part')
    call is_int(index, 0, 'no group of a job')
  end subroutine groups_of_a_job

  subroutine near_a_place()
    type(servet_place) :: places(4)
    integer :: count

    call profile%network_nearest(servet_place(2, 3), places, count)
    call is_int(count, 3, 'three cores besides')
    call ok(all(places(1:3)%node == [2, 1, 1]), 'own node first')
    call ok(all(places(1:3)%core == [0, 0, 3]), 'cores ascending')
    call profile%network_nearest(servet_place(3, 0), places, count, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'cores near a core: out of range', 'no third node')
  end subroutine near_a_place

  ! 64 bytes alone: on the line from 0.25 s at 1 to 0.5 s at 1024.
  subroutine between_two()
    real(c_double), parameter :: alone = 0.25_c_double + 0.25_c_double * 63 / 1023
    type(servet_value) :: time

    call profile%network_cost_between(servet_place(1, 0), servet_place(1, 3), 64.0_c_double, 2, time)
    call ok(abs(time%value - 1.5_c_double * alone) < 1e-12_c_double, 'cost of a pair')
    call profile%network_cost_between(servet_place(1, 0), servet_place(2, 0), 64.0_c_double, 1, &
                                      time, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'messages between a pair of cores: not measured', 'far pair')
  end subroutine between_two

  ! Three are halfway between two and four; as one they are 192 bytes, as four of 48 are: with no
  ! smaller ones measured, as long as four of 64.
  subroutine several_as_one()
    type(servet_batch) :: batch

    call profile%network_aggregate(1, 64.0_c_double, 2, batch)
    call ok(batch%payoff == servet_payoff_pays, 'two messages are better sent as one')
    call is_real(batch%in_turn%value, 1.0_c_double, 'in turn')
    call is_real(batch%at_once%value, 0.5_c_double, 'at once')
    call is_real(batch%as_one%value, 0.25_c_double, 'as one')
    call profile%network_aggregate(1, 64.0_c_double, 3, batch)
    call is_int(batch%messages, 3, 'three messages')
    call is_real(batch%in_turn%value, 2.0_c_double, 'three in turn')
    call is_real(batch%at_once%value, 1.0_c_double, 'three at once')
    call is_real(batch%as_one%value, 2.0_c_double, 'three as one')
    call profile%network_aggregate(1, 64.0_c_double, 5, batch, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'batches of layer 1: out of range', 'five messages')
    call profile%network_aggregate(1, 64.0_c_double, 1, batch, stat=stat, errmsg=errmsg)
    call is_int(stat, servet_eargument, 'one message is no batch')
  end subroutine several_as_one

end program advice
