! SPDX-License-Identifier: BSD-3-Clause
!
! The module returns the facts that known.c stored.
program profile_facts
  use, intrinsic :: iso_c_binding
  use known
  use servet
  use tap
  implicit none

  character(len=*), parameter :: path = 'profile_facts.json'
  real(c_double), parameter :: digits = 1e-14_c_double ! profiles keep 15 of a time
  type(servet_profile) :: profile

  call write_profile(path)
  call profile%open(path)
  call provenance()
  call fit_for_use()
  call classes()
  call machine_of_a_class()
  call nodes_and_kinds()
  call counts()
  call a_capacity()
  call a_turnover_level()
  call groups()
  call memory()
  call facts_by_key()
  call known_keys()
  call profile%close()
  call remove(path)
  call done_testing()

contains

  subroutine provenance()
    type(servet_run) :: run

    call is_text(profile%path(), path, 'path')
    call profile%run(run)
    call is_text(run%version, '9.8.7', 'run version')
    call is_text(run%started, '2026-11-20T12:00:00Z', 'run started')
    call is_text(run%options, '--only cache', 'run options')
    call is_text(run%clock, 'tsc', 'run clock')
    call is_real(run%clock_overhead%value, 21.5_c_double, 'run clock_overhead')
    call is_real(run%clock_resolution%value, 22.5_c_double, 'run clock_resolution')
    call is_real(run%frequency%value, 24.5_c_double, 'run frequency')
    call is_real(run%huge_pages%value, 0.625_c_double, 'run huge_pages')
    call is_real(run%duration%value, 23.5_c_double, 'run duration')
    call is_text(run%duration%unit, servet_unit_second, 'run duration unit')
    call is_real(run%noise%value, 0.375_c_double, 'run noise')
    call is_real(run%steal%value, 0.5_c_double, 'run steal')
    call is_real(run%others%value, 0.625_c_double, 'run others')
    call is_real(run%drift%value, 0.25_c_double, 'run drift')
    call is_text(run%benchmarks, 'cache,line', 'run benchmarks')
    call is_text(run%unfinished, 'curves,access', 'run unfinished')
    call is_text(run%cut, 'layers,distance', 'run cut')
    call ok(run%seed == 2_c_long_long**33, 'run seed')
  end subroutine provenance

  ! The profile has two classes, so that noise is reported and does not decide; the number of memory
  ! levels of one is doubtful.
  subroutine fit_for_use()
    type(servet_fitness) :: fitness
    character(len=:), allocatable :: doubtful
    integer :: stat

    call profile%fitness(fitness)
    call ok(.not. fitness%fit, 'not fit')
    call is_int(fitness%doubtful_count, 1, 'doubtful_count')
    call profile%doubtful(doubtful)
    call is_text(doubtful, 'memory overhead of several cores of node class thin', 'doubtful')
    call profile%doubtful(doubtful, node_class='thin')
    call is_text(doubtful, 'memory overhead of several cores', 'doubtful, of a class')
    call profile%doubtful(doubtful, node_class='none', stat=stat)
    call is_int(stat, servet_erange, 'doubtful, of no class')
    call is_text(fitness%noise, 'other processes had the cores 62 % of the time', 'noise')
    call profile%fitness(fitness, node_class='thin')
    call ok(.not. fitness%fit, 'not fit, of a class')
    call profile%fitness(fitness, node_class='fat')
    call ok(fitness%fit, 'fit, of a class')
  end subroutine fit_for_use

  subroutine classes()
    character(len=:), allocatable :: name
    integer :: index

    call is_int(profile%class_count(), 2, 'class_count')
    call profile%here(index)
    call ok(index == 1, 'this node is of the first class')
    call profile%class_of('node18', index)
    call is_int(index, 2, 'class of a node')
    call profile%class_name(1, name)
    call is_text(name, 'thin', 'first class')
    call profile%class_name(2, name)
    call is_text(name, 'fat', 'second class')
  end subroutine classes

  subroutine machine_of_a_class()
    type(servet_machine) :: machine

    call profile%machine(machine, node_class='fat')
    call is_text(machine%hostname, 'node18', 'machine hostname')
    call is_text(machine%os, 'Linux 6.1.0', 'machine os')
    call is_text(machine%architecture, 'x86_64', 'machine architecture')
    call is_text(machine%cpu, 'Another CPU of the tests', 'machine cpu')
    call is_text(machine%cores, '0-15', 'machine cores')
    call is_int(machine%pu_count, 8, 'machine pu_count')
    call is_int(machine%core_count, 4, 'machine core_count')
    call is_int(machine%package_count, 2, 'machine package_count')
    call is_int(machine%numa_count, 3, 'machine numa_count')
    call is_real(machine%memory_bytes, 17179869184.0_c_double, 'machine memory_bytes')
    call is_real(machine%page_bytes, 4096.0_c_double, 'machine page_bytes')
  end subroutine machine_of_a_class

  subroutine nodes_and_kinds()
    type(servet_kind) :: kind
    character(len=:), allocatable :: name

    call profile%node(1, name, node_class='fat')
    call is_text(name, 'node18', 'node')
    call profile%kind(1, kind, node_class='thin')
    call is_text(kind%name, 'big', 'name of the first kind')
    call is_text(kind%cores, '0-3', 'cores of the first kind')
    call profile%kind(2, kind, node_class='thin')
    call is_text(kind%name, 'little', 'name of the second kind')
    call is_text(kind%cores, '4-7', 'cores of the second kind')
  end subroutine nodes_and_kinds

  ! Tests run on none of the profile's nodes, so the first class answers for "here".
  subroutine counts()
    integer :: count

    call profile%cache_count(count)
    call is_int(count, 3, 'levels here')
    call profile%cache_count(count, node_class='thin')
    call is_int(count, 3, 'levels of the first kind')
    call profile%cache_count(count, node_class='thin', core=3)
    call is_int(count, 3, 'levels of a big core')
    call profile%cache_count(count, node_class='thin', core=4)
    call is_int(count, 1, 'levels of a little core')
  end subroutine counts

  subroutine a_capacity()
    type(servet_cache) :: cache

    call profile%cache(2, cache, node_class='thin', core=0)
    call is_int(cache%level, 2, 'level')
    call is_text(cache%kind, servet_cache_capacity, 'kind')
    call stored(cache%bytes, 2097152.0_c_double, servet_unit_byte, servet_method_curve_fit, 'bytes')
    call stored(cache%ways, 8.0_c_double, servet_unit_none, servet_method_conflict, 'ways')
    call stored(cache%sets, 4096.0_c_double, servet_unit_none, servet_method_conflict, 'sets')
    call stored(cache%reachable_bytes, 2162688.0_c_double, servet_unit_byte, &
                servet_method_curve_fit, 'reachable_bytes')
    call stored(cache%reported_bytes, 2097152.0_c_double, servet_unit_byte, servet_method_os, &
                'reported_bytes')
    call is_text(cache%verdict, servet_verdict_agrees, 'verdict')
    call stored(cache%latency, 4.5e-9_c_double, servet_unit_second, servet_method_timed, 'latency')
    call stored(cache%latency_cycles, 9.0_c_double, servet_unit_cycle, servet_method_timed, &
                'latency_cycles')
    call stored(cache%line, 64.0_c_double, servet_unit_byte, servet_method_os, 'line')
    call is_real(cache%confidence, 0.875_c_double, 'confidence')
    call profile%cache(1, cache, node_class='thin', core=7)
    call is_real(cache%bytes%value, 32768.0_c_double, 'bytes of a little core')
  end subroutine a_capacity

  ! Compares with a value made by around() of known.c.
  subroutine stored(value, expected, unit, method, name)
    type(servet_value), intent(in) :: value
    real(c_double), intent(in) :: expected
    character(len=*), intent(in) :: unit, method, name

    call ok(value%known, name // ' known')
    call is_real(value%value, expected, name // ' value', digits)
    call is_real(value%low, 0.9375_c_double * expected, name // ' low', digits)
    call is_real(value%high, 1.0625_c_double * expected, name // ' high', digits)
    call is_int(value%samples, 25, name // ' samples')
    call is_text(value%unit, unit, name // ' unit')
    call is_text(value%method, method, name // ' method')
    call ok(value%trusted, name // ' trusted')
  end subroutine stored

  subroutine a_turnover_level()
    type(servet_cache) :: cache

    call profile%cache(3, cache, node_class='thin')
    call is_text(cache%kind, servet_cache_turnover, 'kind of a turnover level')
    call is_text(cache%bytes%method, servet_method_turnover, 'method of a turnover level')
    call ok(.not. cache%bytes%trusted, 'a turnover level is not trusted')
    call is_text(cache%verdict, servet_verdict_not_visible, 'verdict on a turnover level')
    call ok(.not. cache%reported_bytes%known, 'an unreported size is not known')
    call ok(is_nan(cache%reported_bytes%value), 'an unreported size is no number')
    call is_text(cache%reported_bytes%method, servet_method_none, 'method of an unreported size')
  end subroutine a_turnover_level

  subroutine groups()
    character(len=:), allocatable :: cores
    integer :: count, index, stat

    call profile%cache_group_count(2, count, node_class='thin')
    call is_int(count, 2, 'groups of a level')
    call profile%cache_group(2, 1, cores, node_class='thin')
    call is_text(cores, '0,2', 'first group')
    call profile%cache_group(2, 2, cores, node_class='thin', core=1)
    call is_text(cores, '1,3', 'second group')
    call profile%cache_group_of(2, 3, index, node_class='thin')
    call is_int(index, 2, 'group of a core')
    call profile%cache_group_count(1, count, node_class='thin', stat=stat)
    call is_int(stat, servet_eunmeasured, 'groups of a level whose sharing was not measured')
    call profile%cache_group(2, 3, cores, node_class='thin', stat=stat)
    call is_int(stat, servet_erange, 'a group that is not there')
    call profile%get('caches.2.groups', cores, node_class='thin')
    call is_text(cores, '0,2' // new_line(cores) // '1,3', 'groups as text')
  end subroutine groups

  subroutine memory()
    type(servet_value) :: latency

    call ok(is_nan(latency%value), 'a value that nothing was read into is no number')
    call ok(.not. latency%known, 'a value that nothing was read into is not known')
    call profile%memory_latency(latency, node_class='thin', core=1)
    call stored(latency, 100e-9_c_double, servet_unit_second, servet_method_timed, &
                'memory latency')
  end subroutine memory

  subroutine facts_by_key()
    character(len=:), allocatable :: text

    call profile%get('caches.2.bytes', text, node_class='thin')
    call is_text(text, '2097152', 'caches.2.bytes')
    call is_int(len(text), 7, 'a fact has the length of its text')
    call profile%get('caches.count', text, node_class='thin', core=5)
    call is_text(text, '1', 'caches.count of a little core')
    call profile%get('caches.1.verdict', text, node_class='thin')
    call is_text(text, 'agrees', 'caches.1.verdict')
  end subroutine facts_by_key

  subroutine known_keys()
    character(len=:), allocatable :: pattern, summary
    logical :: seen
    integer :: i

    seen = .false.
    i = 0
    do
      i = i + 1
      call servet_profile_key(i, pattern, summary)
      if (len(pattern) == 0) exit
      if (len(summary) == 0) call ok(.false., 'a summary for ' // pattern)
      if (pattern == 'caches.N.bytes') seen = .true.
    end do
    call ok(seen, 'caches.N.bytes is among the known keys')
    call servet_profile_key(i + 1, pattern)
    call is_int(len(pattern), 0, 'no key beyond the last')
  end subroutine known_keys

  function is_nan(x)
    real(c_double), intent(in) :: x
    logical :: is_nan

    is_nan = .not. (x <= 0 .or. x > 0)
  end function is_nan

end program profile_facts
