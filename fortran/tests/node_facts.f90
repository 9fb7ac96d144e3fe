! SPDX-License-Identifier: BSD-3-Clause
!
! The module returns the facts that known_node.c stored.
program node_facts
  use, intrinsic :: iso_c_binding
  use known
  use servet
  use tap
  implicit none

  character(len=*), parameter :: path = 'node_facts.json', thin = 'thin'
  real(c_double), parameter :: digits = 1e-14_c_double ! profiles keep 15 of a time
  type(servet_profile) :: profile

  call write_profile(path)
  call profile%open(path)
  call sharing()
  call blocks()
  call sets_as_numbers()
  call coherence()
  call distances()
  call synchronization()
  call modes_of_a_value()
  call trust_in_answers()
  call groups_of_distances()
  call layers_of_pairs()
  call kernels()
  call overhead()
  call groups_of_overhead()
  call scaling()
  call numa_nodes()
  call numa_matrices()
  call latency_under_load()
  call loads_in_flight()
  call pages()
  call peak_rates()
  call accelerators()
  call chains_and_threads()
  call profile%close()
  call remove(path)
  call done_testing()

contains

  subroutine sets_as_numbers()
    integer, allocatable :: cores(:)
    integer :: stat

    call profile%cache_group(2, 2, cores, node_class=thin)
    call ok(size(cores) == 2, 'a set of two cores')
    call ok(all(cores == [1, 3]), 'the cores that share a cache')
    call profile%distance_group(2, 1, cores, thin)
    call ok(size(cores) == 7, 'a set of seven cores')
    call profile%memory_group(1, 2, cores, thin)
    call ok(all(cores == [4, 5, 6, 7]), 'the cores that contend')
    call profile%memory_group(1, 3, cores, thin, stat)
    call is_int(stat, servet_erange, 'no such set')
    call is_int(size(cores), 0, 'which has no cores')
  end subroutine sets_as_numbers

  ! Two cores share each level 2 cache, of which 2027520 B are sure to be reached: 15/16 of 33/32 of 2 MiB.
  subroutine blocks()
    type(servet_block) :: block
    integer :: sharers

    call profile%cache_block(2, 3, 8, 1, block, node_class=thin, core=1)
    call is_int(block%level, 2, 'level of a block')
    call is_real(block%bytes, 1048576.0_c_double, 'bytes of a block', digits)
    call is_int(int(block%elements), 43688, 'elements of a block, in whole lines')
    call is_int(int(block%side), 208, 'side of a block, in whole lines')
    call ok(block%trusted, 'the size of a block is trusted')
    call profile%cache_block(2, 3, 8, 0, block, node_class=thin, core=1)
    call is_int(block%sharers, 2, 'cores that share a block')
    call is_int(int(block%elements), 21840, 'elements of a block beside a neighbour')
    call servet_cache_sharers(profile, 2, [0, 1, 3], sharers, core=1, node_class=thin)
    call is_int(sharers, 2, 'threads that share a cache')
  end subroutine blocks

  ! Compares with a value made by known_around().
  subroutine stored(value, expected, unit, name)
    type(servet_value), intent(in) :: value
    real(c_double), intent(in) :: expected
    character(len=*), intent(in) :: unit, name

    call ok(value%known, name // ' known')
    call is_real(value%value, expected, name // ' value', digits)
    call is_real(value%low, 0.9375_c_double * expected, name // ' low', digits)
    call is_real(value%high, 1.0625_c_double * expected, name // ' high', digits)
    call is_text(value%unit, unit, name // ' unit')
  end subroutine stored

  subroutine is_bandwidth(value, giga, name)
    type(servet_value), intent(in) :: value
    real, intent(in) :: giga
    character(len=*), intent(in) :: name

    call stored(value, 1e9_c_double * giga, servet_unit_byte_per_second, name)
  end subroutine is_bandwidth

  subroutine sharing()
    type(servet_sharing) :: answer

    call profile%cache_sharing(2, answer, node_class=thin, core=3)
    call is_real(answer%confidence, 0.75_c_double, 'confidence in the sharing of a cache')
    call is_text(answer%verdict, servet_verdict_differs, 'verdict on the sharing of a cache')
  end subroutine sharing

  subroutine coherence()
    type(servet_coherence) :: answer

    call profile%coherence(answer)
    call stored(answer%line, 128.0_c_double, servet_unit_byte, 'coherence line')
    call is_int(answer%level, 2, 'coherence level')
    call stored(answer%reported, 64.0_c_double, servet_unit_byte, 'coherence reported')
    call is_text(answer%verdict, servet_verdict_differs, 'coherence verdict')
  end subroutine coherence

  subroutine distances()
    type(servet_distance_layer) :: layer
    integer :: count

    call profile%distance_layer_count(count)
    call is_int(count, 2, 'layers of distances')
    call profile%distance_layer(1, layer)
    call stored(layer%latency, 40e-9_c_double, servet_unit_second, 'first layer')
    call is_real(layer%confidence, 0.9375_c_double, 'confidence in the first layer')
    call is_text(layer%verdict, servet_verdict_agrees, 'verdict on the first layer')
    call profile%distance_layer(2, layer, node_class=thin)
    call stored(layer%latency, 120e-9_c_double, servet_unit_second, 'second layer')
    call is_text(layer%verdict, servet_verdict_not_visible, 'verdict on the second layer')
  end subroutine distances

  subroutine synchronization()
    type(servet_sync) :: measured
    integer :: count

    call profile%count('sync', count)
    call is_int(count, 2, 'ways to synchronize')
    call profile%item('sync', [2], measured)
    call is_text(measured%op, servet_sync_dissemination, 'operation')
    call is_int(measured%threads, 7, 'threads of a barrier')
    call is_int(measured%layer, 2, 'layer of a barrier')
    call stored(measured%time, 375e-9_c_double, servet_unit_second, 'time of a barrier')
  end subroutine synchronization

  subroutine modes_of_a_value()
    type(servet_modes) :: modes
    integer :: stat

    call profile%modes('distance.layers.2.latency_ns', modes, node_class=thin)
    call is_int(modes%count, 2, 'modes of the second layer')
    call is_real(modes%value(1), 80e-9_c_double, 'its first mode', digits)
    call is_real(modes%value(2), 160e-9_c_double, 'its second mode', digits)
    call is_real(modes%share(1), 0.75_c_double, 'share of the first mode')
    call is_real(modes%share(2), 0.25_c_double, 'share of the second mode')
    call profile%modes('distance.layers.1.latency_ns', modes)
    call is_int(modes%count, 0, 'modes of the first layer')
    call profile%modes('distance.layers.9.latency_ns', modes, stat=stat)
    call is_int(stat, servet_erange, 'modes of a missing layer')
  end subroutine modes_of_a_value

  subroutine trust_in_answers()
    type(servet_trust) :: trust
    type(servet_part) :: part
    type(servet_profile) :: careful
    type(servet_distance_layer) :: layer
    character(len=:), allocatable :: text
    integer :: count, stat, number

    call profile%trust('memory.levels.count', trust, node_class=thin)
    call ok(.not. trust%trusted, 'the number of memory levels is not trusted')
    call is_text(trust%reason, "other work took 51 % of the core's time", 'why not')
    call profile%trust('distance.layers.1.groups', trust, node_class=thin)
    call ok(trust%trusted, 'groups of the first layer are trusted')
    call is_real(trust%confidence, 0.9375_c_double, 'confidence of these groups')
    call is_text(trust%reason, '', 'nothing speaks against them')
    call profile%get('memory.levels.count.trusted', text, node_class=thin)
    call is_text(text, 'no', 'the same as text')
    call profile%trust('memory.level.count', trust, node_class=thin, stat=stat)
    call is_int(stat, servet_ekey, 'the trust of an unknown key is an error')
    stat = servet_ok
    do number = 1, 1000
      call profile%part(number, part, node_class=thin, stat=stat)
      if (stat /= servet_ok .or. part%name == 'memory overhead of several cores') exit
    end do
    call is_int(stat, servet_ok, 'memory overhead is a part')
    call ok(part%known .and. part%used .and. part%of_pairs, 'which was measured, and which programs use')
    call is_text(part%benchmark, 'memory', 'its benchmark')
    call is_text(part%doubt, "other work took 51 % of the core's time", 'why it is not trusted')
    call careful%open(path, trusted_only=.true.)
    call careful%memory_level_count(count, node_class=thin, stat=stat)
    call is_int(stat, servet_euntrusted, 'a doubtful answer is an error')
    call careful%distance_layer(1, layer, node_class=thin)
    call ok(layer%trusted, 'a trusted answer is no error')
    call careful%close()
  end subroutine trust_in_answers

  subroutine groups_of_distances()
    character(len=:), allocatable :: cores
    integer :: count

    call profile%distance_group_count(1, count)
    call is_int(count, 3, 'groups of the first layer')
    call profile%distance_group_count(2, count)
    call is_int(count, 1, 'groups of the second layer')
    call profile%distance_group(1, 1, cores)
    call is_text(cores, '0,2', 'first group of the first layer')
    call profile%distance_group(1, 3, cores)
    call is_text(cores, '4-7', 'last group of the first layer')
    call profile%distance_group(2, 1, cores, node_class=thin)
    call is_text(cores, '0-6', 'group of the second layer')
  end subroutine groups_of_distances

  subroutine layers_of_pairs()
    integer :: layer

    call profile%distance_layer_of(0, 2, layer)
    call is_int(layer, 1, 'layer of a near pair')
    call profile%distance_layer_of(5, 1, layer, node_class=thin)
    call is_int(layer, 2, 'layer of a far pair')
  end subroutine layers_of_pairs

  subroutine kernels()
    character(len=*), parameter :: names(6) = &
      [character(len=8) :: servet_kernel_read, servet_kernel_write, servet_kernel_copy, &
       servet_kernel_triad, servet_kernel_write_nt, servet_kernel_copy_nt]
    real, parameter :: giga(6) = [12.0, 6.0, 8.0, 9.0, 10.0, 11.0]
    type(servet_value) :: bandwidth
    integer :: i

    do i = 1, size(names)
      call profile%memory_bandwidth(names(i), bandwidth)
      call is_bandwidth(bandwidth, giga(i), 'bandwidth of ' // trim(names(i)))
    end do
    call profile%memory_single(bandwidth)
    call is_bandwidth(bandwidth, 11.0, 'the better of both copies')
  end subroutine kernels

  subroutine overhead()
    type(servet_memory_level) :: level
    integer :: count

    call profile%memory_level_count(count)
    call is_int(count, 2, 'overhead levels')
    call profile%memory_level(1, level)
    call is_bandwidth(level%bandwidth, 7.0, 'least overhead')
    call is_int(level%saturation, 3, 'cores that saturate a group')
    call is_text(level%verdict, servet_verdict_agrees, 'verdict on the least overhead')
    call profile%memory_level(2, level, node_class=thin)
    call is_bandwidth(level%bandwidth, 5.0, 'most overhead')
    call is_int(level%saturation, 0, 'a saturation that was not measured')
    call is_text(level%verdict, servet_verdict_differs, 'verdict on the most overhead')
  end subroutine overhead

  subroutine groups_of_overhead()
    character(len=:), allocatable :: cores
    integer :: count

    call profile%memory_group_count(1, count)
    call is_int(count, 2, 'groups of the least overhead')
    call profile%memory_group(1, 2, cores)
    call is_text(cores, '4-7', 'second group of the least overhead')
    call profile%memory_group(2, 1, cores, node_class=thin)
    call is_text(cores, '0-7', 'group of the most overhead')
  end subroutine groups_of_overhead

  subroutine scaling()
    type(servet_value) :: bandwidth
    integer :: cores

    call profile%memory_scaling(1, 3, bandwidth)
    call is_bandwidth(bandwidth, 5.5, 'three cores of a group')
    call profile%memory_scaling(0, 5, bandwidth, node_class=thin)
    call is_bandwidth(bandwidth, 5.25, 'five cores of the node')
    call profile%memory_saturation(cores)
    call is_int(cores, 4, 'cores that saturate the node')
  end subroutine scaling

  subroutine numa_nodes()
    type(servet_numa) :: numa
    integer :: count

    call profile%numa_count(count)
    call is_int(count, 3, 'NUMA nodes')
    call profile%numa(2, numa)
    call is_int(numa%number, 1, 'number of the second NUMA node')
    call is_text(numa%cores, '4-7', 'its cores')
    call profile%numa(3, numa, node_class=thin)
    call is_int(numa%number, 4, 'number of a NUMA node without cores')
    call is_int(len(numa%cores), 0, 'which has no cores')
  end subroutine numa_nodes

  ! The matrices are not symmetric: the test fails if `from` and `to` are exchanged.
  subroutine numa_matrices()
    type(servet_value) :: value

    call profile%numa_bandwidth(1, 2, value)
    call is_bandwidth(value, 6.0, 'bandwidth from the first to the second')
    call profile%numa_bandwidth(2, 1, value, node_class=thin)
    call is_bandwidth(value, 5.0, 'bandwidth from the second to the first')
    call profile%numa_latency(1, 3, value)
    call stored(value, 300e-9_c_double, servet_unit_second, &
                'latency from the first to the third')
    call profile%numa_latency(2, 1, value, node_class=thin)
    call stored(value, 180e-9_c_double, servet_unit_second, &
                'latency from the second to the first')
  end subroutine numa_matrices

  ! Halfway between 1 GB/s and 5 GB/s; the curve by its path.
  subroutine latency_under_load()
    type(servet_value) :: value
    type(servet_loaded) :: curve
    type(servet_loaded_point) :: point

    call profile%loaded_latency(1, 2, 3e9_c_double, value)
    call is_real(value%value, 190e-9_c_double, 'latency beside 3 GB/s', digits)
    call profile%item('loaded', [1], curve)
    call is_int(curve%generators, 4, 'cores that load the memory')
    call profile%item('loaded.points', [1, 3], point)
    call is_bandwidth(point%bandwidth, 6.0, 'bandwidth of the last point')
  end subroutine latency_under_load

  subroutine loads_in_flight()
    type(servet_concurrency) :: answer

    call profile%concurrency(0, answer)
    call is_int(answer%requests, 4, 'loads in flight to memory')
    call is_int(answer%requests_low, 3, 'fewest of them')
    call is_int(answer%requests_high, 5, 'most of them')
    call is_bandwidth(answer%best, 5.0, 'bandwidth they get')
    call is_bandwidth(answer%bandwidth, 6.0, 'bandwidth of the widest loads')
    call is_int(answer%chains, 5, 'chains measured')
    call is_int(answer%threads, 2, 'threads measured')
    call profile%concurrency(1, answer, node_class=thin, core=2)
    call is_int(answer%requests, 2, 'loads in flight to the first level')
    call is_bandwidth(answer%best, 64.0, 'bandwidth they get there')
    call is_int(answer%threads, 0, 'no threads measured there')
  end subroutine loads_in_flight

  subroutine chains_and_threads()
    type(servet_value) :: bandwidth

    call profile%concurrency_of_chains(0, 1, bandwidth)
    call is_bandwidth(bandwidth, 0.625, 'bandwidth of one chain')
    call profile%concurrency_of_chains(1, 1, bandwidth, node_class=thin, core=0)
    call is_bandwidth(bandwidth, 40.0, 'bandwidth of one chain in the first level')
    call profile%concurrency_of_threads(0, 2, bandwidth, node_class=thin, core=0)
    call is_bandwidth(bandwidth, 4.0, 'bandwidth of each of two threads')
  end subroutine chains_and_threads

  subroutine pages()
    type(servet_translation) :: translation
    type(servet_tlb) :: tlb
    integer :: count

    call profile%translation(servet_pages_base, translation, node_class=thin, core=2)
    call is_int(int(translation%granule_bytes%value), 16384, 'bytes that an entry translates')
    call is_int(translation%pages_asked, 4096, 'pages measured')
    call profile%tlb_count(servet_pages_base, count, node_class=thin, core=2)
    call is_int(count, 1, 'TLB levels')
    call profile%tlb(servet_pages_base, 1, tlb, node_class=thin, core=2)
    call is_int(int(tlb%entries%value), 64, 'entries of the first')
    call is_int(int(tlb%reach_bytes%value), 1048576, 'bytes that it reaches')
  end subroutine pages

  subroutine peak_rates()
    type(servet_peak) :: answer
    type(servet_value) :: ridge, speed

    call profile%peak(servet_precision_f64, servet_width_vector, answer, node_class=thin, core=2)
    call is_int(answer%bits, 512, 'bits of a vector')
    call is_int(answer%cores, 1, 'one core')
    call is_text(answer%width, 'vector', 'its width')
    call stored(answer%rate, 24e9_c_double, servet_unit_flop_per_second, 'rate of one core')
    call stored(answer%clock, 1.5e9_c_double, servet_unit_hertz, 'clock of one core')
    call profile%peak(servet_precision_f64, servet_width_vector, answer, core=servet_any_core)
    call is_int(answer%cores, 8, 'all cores')
    call profile%item('peak', [1], answer)
    call is_text(answer%precision, 'f64', 'precision of the first')
    call profile%core_speed(servet_work_integer, speed, node_class=thin, core=4)
    call ok(abs(speed%value - 0.25) < 1e-9 .and. speed%trusted, 'speed of the slower core type')
    call profile%ridge(servet_precision_f64, 1, ridge, node_class=thin, core=0)
    call ok(abs(ridge%value - 0.5) < 1e-9, 'ridge point of loads from the first level')
    call profile%ridge(servet_precision_f64, 0, ridge, core=servet_any_core)
    call ok(abs(ridge%value - 4) < 1e-9, 'ridge point of copies by all cores')
  end subroutine peak_rates

  subroutine accelerators()
    type(servet_accelerator) :: device
    type(servet_accelerator_link) :: link
    type(servet_accelerator_cache) :: cache

    call profile%item('accelerators.devices', [1], device)
    call is_text(device%bus, '0000:17:00.0', 'PCI address of an accelerator')
    call is_text(device%cores, '0-7', 'cores near to it')
    call ok(device%uniform .and. device%trusted, 'no node is nearer')
    call profile%item('accelerators.devices.links', [1, 1], link)
    call stored(link%to_device, 26e9_c_double, servet_unit_byte_per_second, 'bandwidth to it')
    call profile%item('accelerators.devices.caches', [1, 1], cache)
    call is_text(cache%cache, servet_device_cache_texture, 'a cache of it')
    call is_int(int(cache%bytes%value), 131072, 'size of this cache')
  end subroutine accelerators

end program node_facts
