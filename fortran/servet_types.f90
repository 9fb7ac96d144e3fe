! SPDX-License-Identifier: BSD-3-Clause
!
! The facts of a profile as Fortran types, each made from its C struct (see servet/value.h and
! servet/profile.h for what every component means). A variable that nothing was read into holds
! unknown values, empty texts and zero counts.
module servet_types
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_raw
  use servet_text
  implicit none
  private

  public :: servet_value, servet_modes, servet_cache, servet_kind, servet_machine, servet_run
  public :: to_value, to_modes, to_cache, to_kind, to_machine, to_run

  ! A quiet NaN, what an unknown value holds: any use of it shows.
  real(c_double), parameter :: nan = &
    transfer(9221120237041090560_c_int64_t, 1.0_c_double)

  ! One measured value. Look at `known` first.
  type :: servet_value
    logical :: known = .false.      ! measured, or reported, at all
    real(c_double) :: value = nan   ! the estimate
    real(c_double) :: low = nan     ! 95 % interval of the estimate
    real(c_double) :: high = nan
    integer :: samples = 0          ! independent samples behind it
    character(len=servet_word_max) :: unit = servet_unit_none     ! one of servet_unit_*
    character(len=servet_word_max) :: method = servet_method_none ! one of servet_method_*
    logical :: trusted = .false.    ! not disturbed, extrapolated or only reported by the OS
  end type servet_value

  ! What a value was by turns while it was measured.
  type :: servet_modes
    integer :: count = 0            ! 0: one mode, or too few repeats to tell; else 2
    real(c_double) :: value(2) = nan       ! of each, in the unit of the value, ascending
    real(c_double) :: share(2) = nan       ! of the repeats, 0..1
  end type servet_modes

  ! One cache level as seen by one core.
  type :: servet_cache
    integer :: level = 0            ! 1 for the fastest
    character(len=servet_word_max) :: kind = ''    ! servet_cache_capacity or servet_cache_turnover
    type(servet_value) :: bytes            ! capacity
    type(servet_value) :: ways             ! lines that one set keeps; unknown if not clear
    type(servet_value) :: sets             ! of all slices together; likewise
    type(servet_value) :: reachable_bytes  ! what a pointer chase finds usable now
    type(servet_value) :: reported_bytes   ! what the operating system says
    character(len=servet_word_max) :: verdict = '' ! one of servet_verdict_*: measured and reported
    type(servet_value) :: latency          ! of a load that hits, ns
    type(servet_value) :: latency_cycles   ! the same in core cycles
    type(servet_value) :: line             ! line size, bytes
    real(c_double) :: confidence = 0       ! 0..1 that this is a cache level
  end type servet_cache

  ! Cores of a node class that measure alike.
  type :: servet_kind
    character(len=:), allocatable :: name    ! 'performance'
    character(len=:), allocatable :: cores   ! OS numbers as ranges: '0-3,8'
  end type servet_kind

  ! A node as its operating system describes it.
  type :: servet_machine
    character(len=servet_name_max) :: hostname = ''
    character(len=servet_name_max) :: os = ''
    character(len=servet_name_max) :: architecture = ''
    character(len=servet_text_max) :: cpu = ''     ! model name
    character(len=servet_cores_max) :: cores = ''  ! OS numbers of the usable PUs: '0-3,8'
    integer :: pu_count = 0, core_count = 0, package_count = 0, numa_count = 0 ! usable ones
    real(c_double) :: memory_bytes = 0             ! installed
    real(c_double) :: page_bytes = 0               ! base page
  end type servet_machine

  ! How and when the profile was measured.
  type :: servet_run
    character(len=servet_name_max) :: version = '' ! of the Servet that measured
    character(len=servet_name_max) :: started = '' ! ISO 8601, UTC
    character(len=servet_text_max) :: options = ''
    character(len=servet_name_max) :: clock = ''
    type(servet_value) :: clock_overhead           ! ns
    type(servet_value) :: clock_resolution         ! ns
    type(servet_value) :: frequency                ! Hz, of the core while it was measured
    type(servet_value) :: huge_pages               ! share of the arrays, 0..1
    type(servet_value) :: duration                 ! s
    type(servet_value) :: noise                    ! share of time, 0..1
    type(servet_value) :: steal                    ! share of time, 0..1
    type(servet_value) :: others                   ! share of time, 0..1
    type(servet_value) :: drift                    ! of the highest frequency, 0..1
    character(len=servet_text_max) :: benchmarks = '' ! those that were run
    character(len=servet_name_max) :: unfinished = '' ! those that a job has not run yet
    integer(c_long_long) :: seed = 0               ! of every random order used
  end type servet_run

contains

  function to_value(raw) result(value)
    type(raw_value), intent(in) :: raw
    type(servet_value) :: value

    value%known = raw_value_known(raw)
    value%value = raw%value
    value%low = raw%low
    value%high = raw%high
    value%samples = int(raw%samples)
    value%unit = f_text(raw_unit_symbol(raw%unit))
    value%method = f_text(raw_method_name(raw%method))
    value%trusted = raw%trusted
  end function to_value

  function to_modes(raw) result(modes)
    type(raw_modes), intent(in) :: raw
    type(servet_modes) :: modes

    modes%count = int(raw%count)
    if (modes%count == 0) return
    modes%value = raw%value
    modes%share = raw%share
  end function to_modes

  function to_cache(raw) result(cache)
    type(raw_cache), intent(in) :: raw
    type(servet_cache) :: cache

    cache%level = int(raw%level)
    cache%kind = f_text(raw_cache_kind_name(raw%kind))
    cache%bytes = to_value(raw%bytes)
    cache%ways = to_value(raw%ways)
    cache%sets = to_value(raw%sets)
    cache%reachable_bytes = to_value(raw%reachable_bytes)
    cache%reported_bytes = to_value(raw%reported_bytes)
    cache%verdict = f_text(raw_verdict_name(raw%verdict))
    cache%latency = to_value(raw%latency)
    cache%latency_cycles = to_value(raw%latency_cycles)
    cache%line = to_value(raw%line)
    cache%confidence = raw%confidence
  end function to_cache

  function to_kind(raw) result(kind)
    type(raw_kind), intent(in) :: raw
    type(servet_kind) :: kind

    kind%name = f_text(raw%name)
    kind%cores = f_text(raw%cores)
  end function to_kind

  function to_machine(raw) result(machine)
    type(raw_machine), intent(in) :: raw
    type(servet_machine) :: machine

    machine%hostname = f_text(raw%hostname)
    machine%os = f_text(raw%os)
    machine%architecture = f_text(raw%architecture)
    machine%cpu = f_text(raw%cpu)
    machine%cores = f_text(raw%cores)
    machine%pu_count = int(raw%pu_count)
    machine%core_count = int(raw%core_count)
    machine%package_count = int(raw%package_count)
    machine%numa_count = int(raw%numa_count)
    machine%memory_bytes = raw%memory_bytes
    machine%page_bytes = raw%page_bytes
  end function to_machine

  function to_run(raw) result(run)
    type(raw_run), intent(in) :: raw
    type(servet_run) :: run

    run%version = f_text(raw%version)
    run%started = f_text(raw%started)
    run%options = f_text(raw%options)
    run%clock = f_text(raw%clock)
    run%clock_overhead = to_value(raw%clock_overhead)
    run%clock_resolution = to_value(raw%clock_resolution)
    run%frequency = to_value(raw%frequency)
    run%huge_pages = to_value(raw%huge_pages)
    run%duration = to_value(raw%duration)
    run%noise = to_value(raw%noise)
    run%steal = to_value(raw%steal)
    run%others = to_value(raw%others)
    run%drift = to_value(raw%drift)
    run%benchmarks = f_text(raw%benchmarks)
    run%unfinished = f_text(raw%unfinished)
    run%seed = raw%seed
  end function to_run

end module servet_types
