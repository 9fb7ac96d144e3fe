! SPDX-License-Identifier: BSD-3-Clause
!
! The structs of the raw layer are those of C: same size, and what C writes into a member is read
! back from the component of the same name.
program raw_layout
  use, intrinsic :: iso_c_binding
  use known
  use servet_constants
  use servet_raw
  use servet_text
  use tap
  implicit none

  character(kind=c_char), parameter :: chars(1) = c_null_char

  call value_layout()
  call modes_layout()
  call error_layout()
  call at_layout()
  call run_layout()
  call kind_layout()
  call machine_layout()
  call cache_layout()
  call sharing_layout()
  call coherence_layout()
  call distance_layer_layout()
  call memory_level_layout()
  call numa_layout()
  call concurrency_layout()
  call matrix_layout()
  call layers_layout()
  call map_layout()
  call map_cost_layout()
  call done_testing()

contains

  subroutine value_layout()
    type(raw_value) :: value

    call is_int(size(transfer(value, chars)), known_size('servet_value'), 'size of servet_value')
    call known_fill_value(value)
    call holds(value, 7, 4, 3, 'servet_value')
  end subroutine value_layout

  subroutine modes_layout()
    type(raw_modes) :: modes

    call is_int(size(transfer(modes, chars)), known_size('servet_modes'), 'size of servet_modes')
    call known_fill_modes(modes)
    call is_int(int(modes%count), 2, 'servet_modes count')
    call is_real(modes%value(1), 30.5_c_double, 'servet_modes first value')
    call is_real(modes%value(2), 120.25_c_double, 'servet_modes second value')
    call is_real(modes%share(1), 0.75_c_double, 'servet_modes first share')
    call is_real(modes%share(2), 0.25_c_double, 'servet_modes second share')
  end subroutine modes_layout

  ! Number k in every member, as known_value() puts it there.
  subroutine holds(value, k, unit, method, name)
    type(raw_value), intent(in) :: value
    integer, intent(in) :: k, unit, method
    character(len=*), intent(in) :: name

    call is_real(value%value, k + 0.5_c_double, name // ' value')
    call is_real(value%low, k + 0.25_c_double, name // ' low')
    call is_real(value%high, k + 0.75_c_double, name // ' high')
    call is_int(int(value%samples), k, name // ' samples')
    call is_int(int(value%unit), unit, name // ' unit')
    call is_int(int(value%method), method, name // ' method')
    call ok(value%trusted .eqv. modulo(k, 2) == 1, name // ' trusted')
  end subroutine holds

  subroutine error_layout()
    type(raw_error) :: error

    call is_int(size(transfer(error, chars)), known_size('servet_error'), 'size of servet_error')
    call known_fill_error(error)
    call is_int(int(error%code), servet_eformat, 'servet_error code')
    call is_int(int(error%line), 42, 'servet_error line')
    call is_text(f_text(error%file), 'profile.json', 'servet_error file')
    call is_text(f_text(error%text), 'what is wrong', 'servet_error text')
  end subroutine error_layout

  subroutine at_layout()
    type(raw_at) :: at

    call is_int(size(transfer(at, chars)), known_size('servet_at'), 'size of servet_at')
    call known_fill_at(at)
    call is_text(f_text(at%node_class), 'fat', 'servet_at node_class')
    call is_int(int(at%core), 17, 'servet_at core')
  end subroutine at_layout

  subroutine run_layout()
    type(raw_run) :: run

    call is_int(size(transfer(run, chars)), known_size('servet_run'), 'size of servet_run')
    call known_fill_run(run)
    call is_text(f_text(run%version), '9.8.7', 'servet_run version')
    call is_text(f_text(run%started), '2026-11-20T12:00:00Z', 'servet_run started')
    call is_text(f_text(run%options), '--only cache', 'servet_run options')
    call is_text(f_text(run%clock), 'tsc', 'servet_run clock')
    call holds(run%clock_overhead, 21, 2, 2, 'servet_run clock_overhead')
    call holds(run%clock_resolution, 22, 2, 2, 'servet_run clock_resolution')
    call holds(run%frequency, 24, 5, 2, 'servet_run frequency')
    call is_real(run%huge_pages%value, 0.625_c_double, 'servet_run huge_pages')
    call holds(run%duration, 23, 6, 2, 'servet_run duration')
    call is_real(run%noise%value, 0.375_c_double, 'servet_run noise')
    call holds(run%steal, 0, 0, 1, 'servet_run steal')
    call is_real(run%others%value, 0.625_c_double, 'servet_run others')
    call is_real(run%drift%value, 0.25_c_double, 'servet_run drift')
    call is_text(f_text(run%benchmarks), 'cache,line', 'servet_run benchmarks')
    call is_text(f_text(run%unfinished), 'curves,access', 'servet_run unfinished')
    call ok(run%seed == 2_c_long_long**33, 'servet_run seed')
  end subroutine run_layout

  subroutine kind_layout()
    type(raw_kind) :: kind

    call is_int(size(transfer(kind, chars)), known_size('servet_kind'), 'size of servet_kind')
    call known_fill_kind(kind)
    call is_text(f_text(kind%name), 'efficient', 'servet_kind name')
    call is_text(f_text(kind%cores), '4-7', 'servet_kind cores')
  end subroutine kind_layout

  subroutine machine_layout()
    type(raw_machine) :: machine

    call is_int(size(transfer(machine, chars)), known_size('servet_machine'), &
                'size of servet_machine')
    call known_fill_machine(machine)
    call is_text(f_text(machine%hostname), 'node17', 'servet_machine hostname')
    call is_text(f_text(machine%os), 'Linux 6.1.0', 'servet_machine os')
    call is_text(f_text(machine%architecture), 'x86_64', 'servet_machine architecture')
    call is_text(f_text(machine%cpu), 'A CPU of the tests', 'servet_machine cpu')
    call is_text(f_text(machine%cores), '0-3,8', 'servet_machine cores')
    call is_int(int(machine%pu_count), 8, 'servet_machine pu_count')
    call is_int(int(machine%core_count), 4, 'servet_machine core_count')
    call is_int(int(machine%package_count), 2, 'servet_machine package_count')
    call is_int(int(machine%numa_count), 3, 'servet_machine numa_count')
    call is_real(machine%memory_bytes, 17179869184.0_c_double, 'servet_machine memory_bytes')
    call is_real(machine%page_bytes, 4096.0_c_double, 'servet_machine page_bytes')
  end subroutine machine_layout

  subroutine cache_layout()
    type(raw_cache) :: cache

    call is_int(size(transfer(cache, chars)), known_size('servet_cache'), 'size of servet_cache')
    call known_fill_cache(cache)
    call is_int(int(cache%level), 3, 'servet_cache level')
    call is_int(int(cache%kind), 1, 'servet_cache kind')
    call holds(cache%bytes, 31, 1, 4, 'servet_cache bytes')
    call holds(cache%ways, 37, 0, 7, 'servet_cache ways')
    call holds(cache%sets, 38, 0, 7, 'servet_cache sets')
    call holds(cache%reachable_bytes, 32, 1, 3, 'servet_cache reachable_bytes')
    call holds(cache%reported_bytes, 33, 1, 1, 'servet_cache reported_bytes')
    call is_int(int(cache%verdict), 1, 'servet_cache verdict')
    call holds(cache%latency, 34, 2, 2, 'servet_cache latency')
    call holds(cache%latency_cycles, 35, 3, 2, 'servet_cache latency_cycles')
    call holds(cache%line, 36, 1, 1, 'servet_cache line')
    call is_real(cache%confidence, 0.875_c_double, 'servet_cache confidence')
  end subroutine cache_layout

  subroutine sharing_layout()
    type(raw_sharing) :: sharing

    call is_int(size(transfer(sharing, chars)), known_size('servet_sharing'), &
                'size of servet_sharing')
    call known_fill_sharing(sharing)
    call is_real(sharing%confidence, 0.625_c_double, 'servet_sharing confidence')
    call is_int(int(sharing%verdict), 2, 'servet_sharing verdict')
  end subroutine sharing_layout

  subroutine coherence_layout()
    type(raw_coherence) :: coherence

    call is_int(size(transfer(coherence, chars)), known_size('servet_coherence'), &
                'size of servet_coherence')
    call known_fill_coherence(coherence)
    call holds(coherence%line, 41, 1, 2, 'servet_coherence line')
    call is_int(int(coherence%level), 2, 'servet_coherence level')
    call holds(coherence%reported, 42, 1, 1, 'servet_coherence reported')
    call is_int(int(coherence%verdict), 1, 'servet_coherence verdict')
  end subroutine coherence_layout

  subroutine distance_layer_layout()
    type(raw_distance_layer) :: layer

    call is_int(size(transfer(layer, chars)), known_size('servet_distance_layer'), &
                'size of servet_distance_layer')
    call known_fill_distance_layer(layer)
    call holds(layer%latency, 43, 2, 2, 'servet_distance_layer latency')
    call is_real(layer%confidence, 0.5_c_double, 'servet_distance_layer confidence')
    call is_int(int(layer%verdict), 1, 'servet_distance_layer verdict')
  end subroutine distance_layer_layout

  subroutine memory_level_layout()
    type(raw_memory_level) :: level

    call is_int(size(transfer(level, chars)), known_size('servet_memory_level'), &
                'size of servet_memory_level')
    call known_fill_memory_level(level)
    call holds(level%bandwidth, 44, 4, 2, 'servet_memory_level bandwidth')
    call is_int(int(level%saturation), 5, 'servet_memory_level saturation')
    call is_int(int(level%verdict), 2, 'servet_memory_level verdict')
  end subroutine memory_level_layout

  subroutine numa_layout()
    type(raw_numa) :: numa

    call is_int(size(transfer(numa, chars)), known_size('servet_numa'), 'size of servet_numa')
    call known_fill_numa(numa)
    call is_int(int(numa%number), 6, 'servet_numa number')
    call is_text(f_text(numa%cores), '12-15', 'servet_numa cores')
  end subroutine numa_layout

  subroutine concurrency_layout()
    type(raw_concurrency) :: concurrency

    call is_int(size(transfer(concurrency, chars)), known_size('servet_concurrency'), &
                'size of servet_concurrency')
    call known_fill_concurrency(concurrency)
    call is_int(int(concurrency%requests), 7, 'servet_concurrency requests')
    call is_int(int(concurrency%requests_low), 46, 'servet_concurrency requests_low')
    call is_int(int(concurrency%requests_high), 47, 'servet_concurrency requests_high')
    call holds(concurrency%best, 45, 4, 2, 'servet_concurrency best')
    call is_int(int(concurrency%chains), 8, 'servet_concurrency chains')
    call is_int(int(concurrency%threads), 9, 'servet_concurrency threads')
  end subroutine concurrency_layout

  subroutine matrix_layout()
    type(raw_matrix) :: matrix
    real(c_double), pointer :: cost(:)

    call is_int(size(transfer(matrix, chars)), known_size('servet_matrix'), &
                'size of servet_matrix')
    call known_fill_matrix(matrix)
    call is_int(int(matrix%n), 2, 'servet_matrix n')
    call c_f_pointer(matrix%cost, cost, [4])
    call is_real(cost(2), 2.5_c_double, 'servet_matrix cost')
    call is_int(int(matrix%unit), 6, 'servet_matrix unit')
  end subroutine matrix_layout

  subroutine layers_layout()
    type(raw_layers) :: layers
    type(raw_layer) :: last
    integer(c_int), pointer :: group(:)

    call is_int(size(transfer(last, chars)), known_size('servet_layer'), 'size of servet_layer')
    call is_int(size(transfer(layers, chars)), known_size('servet_layers'), &
                'size of servet_layers')
    call known_fill_layers(layers)
    call is_int(int(layers%n), 2, 'servet_layers n')
    call is_int(int(layers%layer_count), servet_layers_max, 'servet_layers layer_count')
    last = layers%layer(servet_layers_max)
    call holds(last%cost, 46, 2, 3, 'servet_layer cost')
    call is_real(last%near, 46.125_c_double, 'servet_layer near')
    call is_real(last%far, 46.875_c_double, 'servet_layer far')
    call is_real(last%confidence, 0.25_c_double, 'servet_layer confidence')
    call is_int(int(last%group_count), 2, 'servet_layer group_count')
    call c_f_pointer(last%group, group, [2])
    call is_int(int(group(2)), 1, 'servet_layer group')
  end subroutine layers_layout

  subroutine is_size(bytes, name)
    integer, intent(in) :: bytes
    character(len=*), intent(in) :: name

    call is_int(bytes, known_size(name), 'size of ' // name)
  end subroutine is_size

  subroutine map_layout()
    type(raw_map_request) :: request
    type(raw_map_process) :: process
    type(raw_map_seat) :: seat
    integer(c_int), pointer :: cores(:)

    call is_size(size(transfer(request, chars)), 'servet_map_request')
    call known_fill_map_request(request)
    call is_int(int(request%processes), 15, 'servet_map_request processes')
    call is_int(int(request%threads), 16, 'servet_map_request threads')
    call is_int(int(request%code), 1, 'servet_map_request code')
    call is_text(f_text(request%nodes), 'n7,n8', 'servet_map_request nodes')
    call is_int(int(request%node_count), 17, 'servet_map_request node_count')
    call is_int(int(request%order), 2, 'servet_map_request order')
    call ok(.not. c_associated(request%traffic), 'servet_map_request traffic')
    call is_size(size(transfer(process, chars)), 'servet_map_process')
    call known_fill_map_process(process)
    call is_text(f_text(process%host), 'n3', 'servet_map_process host')
    call is_int(int(process%node), 3, 'servet_map_process node')
    call is_int(int(process%local), 2, 'servet_map_process local')
    call c_f_pointer(process%cores, cores, [process%core_count])
    call is_int(int(cores(2)), 7, 'servet_map_process cores')
    call is_size(size(transfer(seat, chars)), 'servet_map_seat')
    call known_fill_map_seat(seat)
    call is_text(f_text(seat%host), 'n9', 'servet_map_seat host')
    call is_int(int(seat%core), 18, 'servet_map_seat core')
  end subroutine map_layout

  subroutine map_cost_layout()
    type(raw_map_cost) :: cost
    type(raw_map_idle) :: idle

    call is_size(size(transfer(cost, chars)), 'servet_map_cost')
    call known_fill_map_cost(cost)
    call is_int(int(cost%nodes), 1, 'servet_map_cost nodes')
    call is_int(int(cost%per_node), 2, 'servet_map_cost per_node')
    call is_real(cost%seconds, 3.5_c_double, 'servet_map_cost seconds')
    call is_real(cost%work, 4.5_c_double, 'servet_map_cost work')
    call is_int(int(cost%limit), 4, 'servet_map_cost limit')
    call is_int(int(cost%limit_at), 6, 'servet_map_cost limit_at')
    call is_real(cost%cache_pairs, 7.125_c_double, 'servet_map_cost cache_pairs')
    call is_real(cost%memory_pairs, 8.125_c_double, 'servet_map_cost memory_pairs')
    call is_real(cost%latency, 9.125_c_double, 'servet_map_cost latency')
    call is_real(cost%access_ratio, 10.25_c_double, 'servet_map_cost access_ratio')
    call is_real(cost%memory, 11.25_c_double, 'servet_map_cost memory')
    call is_size(size(transfer(idle, chars)), 'servet_map_idle')
    call known_fill_map_idle(idle)
    call is_int(int(idle%per_node), 12, 'servet_map_idle per_node')
    call is_real(idle%gain, 13.5_c_double, 'servet_map_idle gain')
    call is_real(idle%each, 14.5_c_double, 'servet_map_idle each')
  end subroutine map_cost_layout

end program raw_layout
