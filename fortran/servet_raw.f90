! SPDX-License-Identifier: BSD-3-Clause
!
! The C interface as it is, but for node.h and the layers of analyze.h (servet_raw_node.f90 and
! servet_raw_layers.f90): structs and functions, each under its C declaration. Not part of the
! Fortran interface, which is the module servet.
module servet_raw
  use, intrinsic :: iso_c_binding
  use servet_constants, only: servet_cores_max, servet_error_file_max, servet_error_text_max, &
    servet_name_max, servet_text_max
  implicit none
  public

  ! struct servet_value
  type, bind(c) :: raw_value
    real(c_double) :: value, low, high
    integer(c_int) :: samples
    integer(c_int) :: unit
    integer(c_int) :: method
    logical(c_bool) :: trusted
  end type raw_value

  ! struct servet_modes
  type, bind(c) :: raw_modes
    integer(c_int) :: count
    real(c_double) :: value(2), share(2)
  end type raw_modes

  ! struct servet_error
  type, bind(c) :: raw_error
    integer(c_int) :: code = 0
    integer(c_int) :: line = 0
    character(kind=c_char) :: file(servet_error_file_max) = c_null_char
    character(kind=c_char) :: text(servet_error_text_max) = c_null_char
  end type raw_error

  ! struct servet_at
  type, bind(c) :: raw_at
    type(c_ptr) :: node_class
    integer(c_int) :: core
  end type raw_at

  ! struct servet_run
  type, bind(c) :: raw_run
    character(kind=c_char) :: version(servet_name_max)
    character(kind=c_char) :: started(servet_name_max)
    character(kind=c_char) :: options(servet_text_max)
    character(kind=c_char) :: clock(servet_name_max)
    type(raw_value) :: clock_overhead
    type(raw_value) :: clock_resolution
    type(raw_value) :: frequency
    type(raw_value) :: huge_pages
    type(raw_value) :: duration
    type(raw_value) :: noise
    type(raw_value) :: steal
    type(raw_value) :: others
    type(raw_value) :: drift
    character(kind=c_char) :: benchmarks(servet_text_max)
    character(kind=c_char) :: unfinished(servet_name_max)
    integer(c_long_long) :: seed
  end type raw_run

  ! struct servet_machine
  type, bind(c) :: raw_machine
    character(kind=c_char) :: hostname(servet_name_max)
    character(kind=c_char) :: os(servet_name_max)
    character(kind=c_char) :: architecture(servet_name_max)
    character(kind=c_char) :: cpu(servet_text_max)
    character(kind=c_char) :: cores(servet_cores_max)
    integer(c_int) :: pu_count, core_count, package_count, numa_count
    real(c_double) :: memory_bytes
    real(c_double) :: page_bytes
  end type raw_machine

  ! struct servet_kind
  type, bind(c) :: raw_kind
    type(c_ptr) :: name
    type(c_ptr) :: cores
  end type raw_kind

  ! struct servet_cache
  type, bind(c) :: raw_cache
    integer(c_int) :: level
    integer(c_int) :: kind
    type(raw_value) :: bytes
    type(raw_value) :: ways
    type(raw_value) :: sets
    type(raw_value) :: reachable_bytes
    type(raw_value) :: reported_bytes
    integer(c_int) :: verdict
    type(raw_value) :: latency
    type(raw_value) :: latency_cycles
    type(raw_value) :: line
    real(c_double) :: confidence
  end type raw_cache

  interface

    ! const char *servet_version(void);
    pure function raw_version() bind(c, name='servet_version') result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function raw_version

    ! const char *servet_error_text(int code);
    pure function raw_error_text(code) bind(c, name='servet_error_text') result(text)
      import :: c_int, c_ptr
      integer(c_int), intent(in), value :: code
      type(c_ptr) :: text
    end function raw_error_text

    ! const char *servet_error_line(const servet_error *error, char *buffer, size_t size);
    function raw_error_line(error, buffer, size) bind(c, name='servet_error_line') result(line)
      import :: c_char, c_ptr, c_size_t, raw_error
      type(raw_error), intent(in) :: error
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value :: size
      type(c_ptr) :: line
    end function raw_error_line

    ! bool servet_value_known(const servet_value *value);
    function raw_value_known(value) bind(c, name='servet_value_known') result(known)
      import :: c_bool, raw_value
      type(raw_value), intent(in) :: value
      logical(c_bool) :: known
    end function raw_value_known

    ! const char *servet_unit_symbol(servet_unit unit);
    function raw_unit_symbol(unit) bind(c, name='servet_unit_symbol') result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: unit
      type(c_ptr) :: text
    end function raw_unit_symbol

    ! const char *servet_method_name(servet_method method);
    function raw_method_name(method) bind(c, name='servet_method_name') result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: method
      type(c_ptr) :: text
    end function raw_method_name

    ! const char *servet_cache_kind_name(servet_cache_kind kind);
    function raw_cache_kind_name(kind) bind(c, name='servet_cache_kind_name') result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: kind
      type(c_ptr) :: text
    end function raw_cache_kind_name

    ! const char *servet_verdict_name(servet_verdict verdict);
    function raw_verdict_name(verdict) bind(c, name='servet_verdict_name') result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: verdict
      type(c_ptr) :: text
    end function raw_verdict_name

    ! int servet_profile_find(char *path, size_t size, servet_error *error);
    function raw_profile_find(path, size, error) bind(c, name='servet_profile_find') result(code)
      import :: c_char, c_int, c_size_t, raw_error
      character(kind=c_char), intent(out) :: path(*)
      integer(c_size_t), value :: size
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_profile_find

    ! int servet_profile_open(servet_profile **profile, const char *path, servet_error *error);
    function raw_profile_open(profile, path, error) bind(c, name='servet_profile_open') &
        result(code)
      import :: c_int, c_ptr, raw_error
      type(c_ptr), intent(inout) :: profile
      type(c_ptr), value :: path
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_profile_open

    ! void servet_profile_close(servet_profile *profile);
    subroutine raw_profile_close(profile) bind(c, name='servet_profile_close')
      import :: c_ptr
      type(c_ptr), value :: profile
    end subroutine raw_profile_close

    ! const char *servet_profile_path(const servet_profile *profile);
    pure function raw_profile_path(profile) bind(c, name='servet_profile_path') result(path)
      import :: c_ptr
      type(c_ptr), intent(in), value :: profile
      type(c_ptr) :: path
    end function raw_profile_path

    ! int servet_profile_run(const servet_profile *profile, servet_run *run);
    function raw_profile_run(profile, run) bind(c, name='servet_profile_run') result(code)
      import :: c_int, c_ptr, raw_run
      type(c_ptr), value :: profile
      type(raw_run), intent(inout) :: run
      integer(c_int) :: code
    end function raw_profile_run

    ! int servet_profile_class_count(const servet_profile *profile);
    function raw_profile_class_count(profile) bind(c, name='servet_profile_class_count') &
        result(count)
      import :: c_int, c_ptr
      type(c_ptr), value :: profile
      integer(c_int) :: count
    end function raw_profile_class_count

    ! const char *servet_profile_class_name(const servet_profile *profile, int index);
    function raw_profile_class_name(profile, index) bind(c, name='servet_profile_class_name') &
        result(name)
      import :: c_int, c_ptr
      type(c_ptr), value :: profile
      integer(c_int), value :: index
      type(c_ptr) :: name
    end function raw_profile_class_name

    ! int servet_profile_class_of(const servet_profile *profile, const char *host, int *index);
    function raw_profile_class_of(profile, host, index) bind(c, name='servet_profile_class_of') &
        result(code)
      import :: c_char, c_int, c_ptr
      type(c_ptr), value :: profile
      character(kind=c_char), intent(in) :: host(*)
      integer(c_int), intent(inout) :: index
      integer(c_int) :: code
    end function raw_profile_class_of

    ! int servet_profile_machine(const servet_profile *profile, const servet_at *at,
    !                            servet_machine *machine);
    function raw_profile_machine(profile, at, machine) bind(c, name='servet_profile_machine') &
        result(code)
      import :: c_int, c_ptr, raw_at, raw_machine
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      type(raw_machine), intent(inout) :: machine
      integer(c_int) :: code
    end function raw_profile_machine

    ! const char *servet_profile_node(const servet_profile *profile, const servet_at *at,
    !                                 int index);
    function raw_profile_node(profile, at, index) bind(c, name='servet_profile_node') result(node)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: index
      type(c_ptr) :: node
    end function raw_profile_node

    ! int servet_kind_get(const servet_profile *profile, const servet_at *at, int index,
    !                     servet_kind *kind);
    function raw_kind_get(profile, at, index, kind) bind(c, name='servet_kind_get') result(code)
      import :: c_int, c_ptr, raw_at, raw_kind
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: index
      type(raw_kind), intent(inout) :: kind
      integer(c_int) :: code
    end function raw_kind_get

    ! int servet_cache_count(const servet_profile *profile, const servet_at *at, int *count);
    function raw_cache_count(profile, at, count) bind(c, name='servet_cache_count') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_cache_count

    ! int servet_cache_get(const servet_profile *profile, const servet_at *at, int level,
    !                      servet_cache *cache);
    function raw_cache_get(profile, at, level, cache) bind(c, name='servet_cache_get') result(code)
      import :: c_int, c_ptr, raw_at, raw_cache
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: level
      type(raw_cache), intent(inout) :: cache
      integer(c_int) :: code
    end function raw_cache_get

    ! int servet_cache_group_count(const servet_profile *profile, const servet_at *at,
    !                              int level, int *count);
    function raw_cache_group_count(profile, at, level, count) &
        bind(c, name='servet_cache_group_count') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: level
      integer(c_int), intent(inout) :: count
      integer(c_int) :: code
    end function raw_cache_group_count

    ! int servet_cache_group(const servet_profile *profile, const servet_at *at, int level,
    !                        int index, const char **cores);
    function raw_cache_group(profile, at, level, index, cores) &
        bind(c, name='servet_cache_group') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: level, index
      type(c_ptr), intent(inout) :: cores
      integer(c_int) :: code
    end function raw_cache_group

    ! int servet_cache_group_of(const servet_profile *profile, const servet_at *at, int level,
    !                           int *index);
    function raw_cache_group_of(profile, at, level, index) &
        bind(c, name='servet_cache_group_of') result(code)
      import :: c_int, c_ptr, raw_at
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      integer(c_int), value :: level
      integer(c_int), intent(inout) :: index
      integer(c_int) :: code
    end function raw_cache_group_of

    ! int servet_memory_latency(const servet_profile *profile, const servet_at *at,
    !                           servet_value *latency);
    function raw_memory_latency(profile, at, latency) bind(c, name='servet_memory_latency') &
        result(code)
      import :: c_int, c_ptr, raw_at, raw_value
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      type(raw_value), intent(inout) :: latency
      integer(c_int) :: code
    end function raw_memory_latency

    ! int servet_profile_get(const servet_profile *profile, const servet_at *at,
    !                        const char *key, char *text, size_t size, servet_error *error);
    function raw_profile_get(profile, at, key, text, size, error) &
        bind(c, name='servet_profile_get') result(code)
      import :: c_char, c_int, c_ptr, c_size_t, raw_at, raw_error
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      character(kind=c_char), intent(in) :: key(*)
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: size
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_profile_get

    ! int servet_profile_modes(const servet_profile *profile, const servet_at *at,
    !                          const char *key, servet_modes *modes, servet_error *error);
    function raw_profile_modes(profile, at, key, modes, error) &
        bind(c, name='servet_profile_modes') result(code)
      import :: c_char, c_int, c_ptr, raw_at, raw_error, raw_modes
      type(c_ptr), value :: profile
      type(raw_at), intent(in) :: at
      character(kind=c_char), intent(in) :: key(*)
      type(raw_modes), intent(inout) :: modes
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_profile_modes

    ! const char *servet_profile_key(int index, const char **summary);
    function raw_profile_key(index, summary) bind(c, name='servet_profile_key') result(pattern)
      import :: c_int, c_ptr
      integer(c_int), value :: index
      type(c_ptr), intent(inout) :: summary
      type(c_ptr) :: pattern
    end function raw_profile_key

  end interface

end module servet_raw
