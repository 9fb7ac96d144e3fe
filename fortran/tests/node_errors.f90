! SPDX-License-Identifier: BSD-3-Clause
!
! Failures of the queries of the node: the code, the message, and what is left behind.
program node_errors
  use, intrinsic :: iso_c_binding
  use known
  use servet
  use tap
  implicit none

  character(len=*), parameter :: path = 'node_errors.json'
  type(servet_profile) :: profile
  type(servet_sharing) :: sharing
  type(servet_coherence) :: coherence
  type(servet_distance_layer) :: layer
  type(servet_memory_level) :: level
  type(servet_numa) :: numa
  type(servet_concurrency) :: concurrency
  type(servet_translation) :: translation
  type(servet_tlb) :: tlb
  type(servet_peak) :: peak
  type(servet_value) :: value
  type(servet_block) :: block
  character(len=:), allocatable :: cores
  character(len=300) :: errmsg
  integer :: stat, number

  call using_a_closed_profile()
  call write_profile(path)
  call profile%open(path)
  call querying_unmeasured_facts()
  call querying_unmeasured_parts()
  call querying_beyond_the_last()
  call querying_below_the_first()
  call querying_unknown_names()
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

  ! One procedure for each kind of answer, because all are generated from the same text. Without a stat of its own each
  ! would stop the program.
  subroutine using_a_closed_profile()
    character(len=*), parameter :: closed = 'no profile is open'

    call profile%coherence(coherence, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: a struct')
    call profile%memory_saturation(number, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: a number')
    call profile%memory_group(1, 1, cores, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: a text')
    call profile%numa_latency(1, 1, value, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, closed, 'closed: a value')
  end subroutine using_a_closed_profile

  ! Only the cores of the class 'fat' are known.
  subroutine querying_unmeasured_facts()
    character(len=*), parameter :: fat = 'fat'

    call profile%cache_sharing(1, sharing, fat, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'sharing of cache level 1: not measured', 'sharing')
    call profile%coherence(coherence, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'coherence: not measured', 'coherence')
    call ok(.not. coherence%line%known, 'no line is known then')
    call profile%distance_layer_count(number, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'distances: not measured', 'number of layers')
    call is_int(number, 0, 'no layers then')
    call profile%distance_layer(1, layer, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'distance layer 1: not measured', 'a layer')
    call profile%distance_layer_of(0, 2, number, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'distance to core 2: not measured', 'layer of a pair')
    call profile%distance_group_count(1, number, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'groups of distance layer 1: not measured', 'groups of a layer')
    call profile%distance_group(1, 1, cores, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'group 1: not measured', 'group of a layer')
    call is_int(len(cores), 0, 'no cores then')
    call profile%memory_single(value, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'memory bandwidth: not measured', 'bandwidth of a core')
    call profile%memory_bandwidth(servet_kernel_read, value, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'memory bandwidth of read: not measured', &
               'bandwidth of a kernel')
    call profile%memory_level_count(number, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'memory levels: not measured', 'number of overhead levels')
    call profile%memory_level(1, level, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'memory level 1: not measured', 'an overhead level')
    call profile%memory_group_count(1, number, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'groups of memory level 1: not measured', &
               'groups of an overhead level')
    call profile%memory_group(1, 1, cores, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'group 1: not measured', 'group of an overhead level')
    call profile%memory_scaling(0, 1, value, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'memory bandwidth of cores 1: not measured', 'scaling')
    call profile%memory_saturation(number, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'memory saturation: not measured', 'saturation')
    call is_int(number, 0, 'no cores saturate then')
    call profile%numa_count(number, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'NUMA nodes: not measured', 'number of NUMA nodes')
    call profile%numa(1, numa, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'NUMA node 1: not measured', 'a NUMA node')
    call is_text(numa%cores, '', 'which has no cores then')
    call profile%numa_bandwidth(1, 1, value, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'bandwidth to NUMA node 1: not measured', 'NUMA bandwidth')
    call profile%numa_latency(1, 1, value, fat, stat, errmsg)
    call fails(servet_eunmeasured, 'latency to NUMA node 1: not measured', 'NUMA latency')
    call profile%concurrency(0, concurrency, fat, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'concurrency of level 0: not measured', 'concurrency')
    call profile%concurrency_of_chains(0, 1, value, fat, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'bandwidth of chains 1: not measured', 'bandwidth of chains')
    call profile%concurrency_of_threads(0, 1, value, fat, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'bandwidth of threads 1: not measured', 'bandwidth of threads')
    call profile%translation(servet_pages_huge, translation, fat, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'translation with huge pages: not measured', 'translation')
    call profile%tlb(servet_pages_huge, 1, tlb, fat, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'huge pages: TLB 1: not measured', 'a TLB')
    call profile%peak(servet_precision_f32, servet_width_scalar, peak, fat, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'peak rate of f32 numbers: not measured', 'a peak rate')
    call profile%ridge(servet_precision_f32, 1, value, fat, stat=stat, errmsg=errmsg)
    call fails(servet_eunmeasured, 'ridge point of level 1: not measured', 'a ridge point')
  end subroutine querying_unmeasured_facts

  subroutine querying_unmeasured_parts()
    call profile%memory_bandwidth(servet_kernel_triad_nt, value, stat=stat)
    call is_int(stat, servet_eunmeasured, 'a kernel that was left out')
    call ok(.not. value%known, 'its bandwidth is unknown')
    call profile%memory_scaling(2, 1, value, stat=stat)
    call is_int(stat, servet_eunmeasured, 'a level whose scaling was left out')
    call profile%numa_latency(3, 1, value, stat=stat)
    call is_int(stat, servet_eunmeasured, 'from memory without cores')
    call profile%distance_layer_of(1, 7, number, stat=stat)
    call is_int(stat, servet_eunmeasured, 'a pair that no group holds')
    call profile%concurrency_of_threads(1, 1, value, stat=stat)
    call is_int(stat, servet_eunmeasured, 'threads where none were measured')
    call profile%cache_sharing(1, sharing, stat=stat)
    call is_int(stat, servet_eunmeasured, 'a level whose sharing was left out')
    call profile%cache_block(1, 3, 8, 0, block, core=0, stat=stat, errmsg=errmsg)
    call is_int(stat, servet_ok, 'a block beside neighbours that are not known')
    call ok(block%assumed .and. .not. block%trusted, 'is the worst case, and not trusted')
    call profile%cache_block(3, 3, 8, 1, block, core=0, stat=stat, errmsg=errmsg)
    call is_int(stat, servet_ok, 'a block in a level that others empty')
    call ok(block%emptied .and. .not. block%trusted, 'is not trusted')
    call servet_cache_sharers(profile, 1, [0, 1], number, core=0, stat=stat, errmsg=errmsg)
    call is_int(number, 2, 'threads that share a level, if they may')
    call profile%concurrency(0, concurrency, core=4, stat=stat)
    call is_int(stat, servet_eunmeasured, 'a core kind whose concurrency was left out')
  end subroutine querying_unmeasured_parts

  subroutine querying_beyond_the_last()
    call profile%cache_sharing(4, sharing, stat=stat)
    call is_int(stat, servet_erange, 'sharing of a level beyond the last')
    call profile%distance_layer(3, layer, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'distance layer 3: out of range', 'a layer beyond the last')
    call profile%distance_group_count(3, number, stat=stat)
    call is_int(stat, servet_erange, 'groups of a layer beyond the last')
    call profile%distance_group(1, 4, cores, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'group 4: out of range', 'a group beyond the last')
    call profile%memory_level(3, level, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'memory level 3: out of range', 'an overhead level beyond the last')
    call profile%memory_group_count(3, number, stat=stat)
    call is_int(stat, servet_erange, 'groups of an overhead level beyond the last')
    call profile%memory_group(1, 3, cores, stat=stat)
    call is_int(stat, servet_erange, 'a group of an overhead level beyond the last')
    call profile%memory_scaling(0, 6, value, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'memory bandwidth of cores 6: out of range', 'more cores than measured')
    call profile%numa(4, numa, stat=stat, errmsg=errmsg)
    call fails(servet_erange, 'NUMA node 4: out of range', 'a NUMA node beyond the last')
    call profile%numa_bandwidth(1, 4, value, stat=stat)
    call is_int(stat, servet_erange, 'bandwidth to a NUMA node beyond the last')
    call profile%numa_latency(4, 1, value, stat=stat)
    call is_int(stat, servet_erange, 'latency from a NUMA node beyond the last')
    call profile%concurrency(4, concurrency, stat=stat)
    call is_int(stat, servet_erange, 'concurrency of a level beyond the last')
    call profile%concurrency_of_chains(0, 6, value, stat=stat)
    call is_int(stat, servet_erange, 'more chains than measured')
    call profile%concurrency_of_threads(0, 3, value, stat=stat)
    call is_int(stat, servet_erange, 'more threads than measured')
  end subroutine querying_beyond_the_last

  ! If Fortran's first item were C's, one too few would be the last of another list.
  subroutine querying_below_the_first()
    call profile%distance_layer(0, layer, stat=stat)
    call is_int(stat, servet_erange, 'layer 0')
    call profile%distance_group(1, 0, cores, stat=stat)
    call is_int(stat, servet_erange, 'group 0 of a layer')
    call profile%memory_level(0, level, stat=stat)
    call is_int(stat, servet_erange, 'overhead level 0')
    call profile%memory_group(1, 0, cores, stat=stat)
    call is_int(stat, servet_erange, 'group 0 of an overhead level')
    call profile%memory_scaling(0, 0, value, stat=stat)
    call is_int(stat, servet_erange, 'no cores')
    call profile%numa(0, numa, stat=stat)
    call is_int(stat, servet_erange, 'NUMA node 0')
    call profile%numa_bandwidth(0, 1, value, stat=stat)
    call is_int(stat, servet_erange, 'bandwidth from NUMA node 0')
    call profile%numa_latency(1, 0, value, stat=stat)
    call is_int(stat, servet_erange, 'latency to NUMA node 0')
    call profile%concurrency_of_chains(0, 0, value, stat=stat)
    call is_int(stat, servet_erange, 'no chains')
    call profile%concurrency_of_threads(0, 0, value, stat=stat)
    call is_int(stat, servet_erange, 'no threads')
  end subroutine querying_below_the_first

  subroutine querying_unknown_names()
    call profile%memory_bandwidth('copi', value, stat=stat, errmsg=errmsg)
    call fails(servet_eargument, 'memory bandwidth of copi: invalid argument', &
               'a name of no kernel')
    call profile%distance_layer_of(2, 2, number, stat=stat)
    call is_int(stat, servet_eargument, 'the distance of a core from itself')
    call profile%distance_layer_of(0, 8, number, stat=stat)
    call is_int(stat, servet_erange, 'the distance to a core that is not there')
    call is_int(number, 0, 'which is in no layer')
    call profile%coherence(coherence, 'none', stat)
    call is_int(stat, servet_erange, 'a class that is not there')
    call profile%cache_sharing(1, sharing, core=8, stat=stat)
    call is_int(stat, servet_erange, 'sharing of a core that is not there')
    call profile%concurrency(0, concurrency, core=8, stat=stat)
    call is_int(stat, servet_erange, 'concurrency of a core that is not there')
  end subroutine querying_unknown_names

end program node_errors
