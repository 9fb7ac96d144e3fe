! SPDX-License-Identifier: BSD-3-Clause
!
! traffic.h and map.h as they are: their structs and functions, each under its C declaration. Not
! part of the Fortran interface, which is the module servet.
module servet_raw_map
  use, intrinsic :: iso_c_binding
  use servet_raw, only: raw_error
  implicit none
  private :: raw_error
  public

  ! struct servet_map_request
  type, bind(c) :: raw_map_request
    integer(c_int) :: processes = 0
    integer(c_int) :: threads = 0
    integer(c_int) :: code = 0
    type(c_ptr) :: nodes = c_null_ptr
    integer(c_int) :: node_count = 0
    integer(c_int) :: order = 0
    type(c_ptr) :: traffic = c_null_ptr
  end type raw_map_request

  ! struct servet_map_process
  type, bind(c) :: raw_map_process
    type(c_ptr) :: host
    integer(c_int) :: node
    integer(c_int) :: local
    type(c_ptr) :: cores
    integer(c_int) :: core_count
  end type raw_map_process

  ! struct servet_map_cost
  type, bind(c) :: raw_map_cost
    integer(c_int) :: nodes
    integer(c_int) :: per_node
    real(c_double) :: seconds
    real(c_double) :: work
    integer(c_int) :: limit
    integer(c_int) :: limit_at
    real(c_double) :: cache_pairs
    real(c_double) :: memory_pairs
    real(c_double) :: latency
    real(c_double) :: access_ratio
    real(c_double) :: memory
  end type raw_map_cost

  ! struct servet_map_idle
  type, bind(c) :: raw_map_idle
    integer(c_int) :: per_node
    real(c_double) :: gain
    real(c_double) :: each
  end type raw_map_idle

  ! struct servet_map_seat
  type, bind(c) :: raw_map_seat
    type(c_ptr) :: host
    integer(c_int) :: core
  end type raw_map_seat

  interface

    ! const char *servet_pattern_name(servet_pattern pattern);
    function raw_pattern_name(pattern) bind(c, name='servet_pattern_name') result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: pattern
      type(c_ptr) :: text
    end function raw_pattern_name

    ! int servet_traffic_create(servet_traffic **traffic, int processes, servet_error *error);
    function raw_traffic_create(traffic, processes, error) bind(c, name='servet_traffic_create') &
        result(code)
      import :: c_int, c_ptr, raw_error
      type(c_ptr), intent(inout) :: traffic
      integer(c_int), value :: processes
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_traffic_create

    ! int servet_traffic_add(servet_traffic *traffic, int from, int to, double bytes,
    !                        servet_error *error);
    function raw_traffic_add(traffic, from, to, bytes, error) bind(c, name='servet_traffic_add') &
        result(code)
      import :: c_double, c_int, c_ptr, raw_error
      type(c_ptr), value :: traffic
      integer(c_int), value :: from, to
      real(c_double), value :: bytes
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_traffic_add

    ! int servet_traffic_pattern(servet_traffic **traffic, servet_pattern pattern, int processes,
    !                            double bytes, servet_error *error);
    function raw_traffic_pattern(traffic, pattern, processes, bytes, error) &
        bind(c, name='servet_traffic_pattern') result(code)
      import :: c_double, c_int, c_ptr, raw_error
      type(c_ptr), intent(inout) :: traffic
      integer(c_int), value :: pattern, processes
      real(c_double), value :: bytes
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_traffic_pattern

    ! int servet_traffic_read(servet_traffic **traffic, const char *path, int processes,
    !                         servet_error *error);
    function raw_traffic_read(traffic, path, processes, error) &
        bind(c, name='servet_traffic_read') result(code)
      import :: c_char, c_int, c_ptr, raw_error
      type(c_ptr), intent(inout) :: traffic
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: processes
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_traffic_read

    ! void servet_traffic_destroy(servet_traffic *traffic);
    subroutine raw_traffic_destroy(traffic) bind(c, name='servet_traffic_destroy')
      import :: c_ptr
      type(c_ptr), value :: traffic
    end subroutine raw_traffic_destroy

    ! int servet_traffic_processes(const servet_traffic *traffic);
    function raw_traffic_processes(traffic) bind(c, name='servet_traffic_processes') result(count)
      import :: c_int, c_ptr
      type(c_ptr), value :: traffic
      integer(c_int) :: count
    end function raw_traffic_processes

    ! double servet_traffic_bytes(const servet_traffic *traffic);
    function raw_traffic_bytes(traffic) bind(c, name='servet_traffic_bytes') result(bytes)
      import :: c_double, c_ptr
      type(c_ptr), value :: traffic
      real(c_double) :: bytes
    end function raw_traffic_bytes

    ! const char *servet_order_name(servet_order order);
    function raw_order_name(order) bind(c, name='servet_order_name') result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: order
      type(c_ptr) :: text
    end function raw_order_name

    ! const char *servet_code_name(servet_code code);
    function raw_code_name(code) bind(c, name='servet_code_name') result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: code
      type(c_ptr) :: text
    end function raw_code_name

    ! const char *servet_map_format_name(servet_map_format format);
    function raw_map_format_name(format) bind(c, name='servet_map_format_name') result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: format
      type(c_ptr) :: text
    end function raw_map_format_name

    ! const char *servet_limit_name(servet_limit limit);
    function raw_limit_name(limit) bind(c, name='servet_limit_name') result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: limit
      type(c_ptr) :: text
    end function raw_limit_name

    ! const char *servet_resource_name(servet_resource resource);
    function raw_resource_name(resource) bind(c, name='servet_resource_name') result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: resource
      type(c_ptr) :: text
    end function raw_resource_name

    ! int servet_map_create(servet_map **map, const servet_profile *profile,
    !                       const servet_map_request *request, servet_error *error);
    function raw_map_create(map, profile, request, error) bind(c, name='servet_map_create') &
        result(code)
      import :: c_int, c_ptr, raw_error, raw_map_request
      type(c_ptr), intent(inout) :: map
      type(c_ptr), value :: profile
      type(raw_map_request), intent(in) :: request
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_map_create

    ! void servet_map_destroy(servet_map *map);
    subroutine raw_map_destroy(map) bind(c, name='servet_map_destroy')
      import :: c_ptr
      type(c_ptr), value :: map
    end subroutine raw_map_destroy

    ! int servet_map_process_count(const servet_map *map);
    function raw_map_process_count(map) bind(c, name='servet_map_process_count') result(count)
      import :: c_int, c_ptr
      type(c_ptr), value :: map
      integer(c_int) :: count
    end function raw_map_process_count

    ! int servet_map_process_get(const servet_map *map, int rank, servet_map_process *process);
    function raw_map_process_get(map, rank, process) bind(c, name='servet_map_process_get') &
        result(code)
      import :: c_int, c_ptr, raw_map_process
      type(c_ptr), value :: map
      integer(c_int), value :: rank
      type(raw_map_process), intent(inout) :: process
      integer(c_int) :: code
    end function raw_map_process_get

    ! int servet_map_write(const servet_map *map, servet_map_format format, FILE *stream,
    !                      servet_error *error);
    function raw_map_write(map, format, stream, error) bind(c, name='servet_map_write') &
        result(code)
      import :: c_int, c_ptr, raw_error
      type(c_ptr), value :: map
      integer(c_int), value :: format
      type(c_ptr), value :: stream
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_map_write

    ! int servet_map_predict(const servet_map *map, const servet_profile *profile,
    !                        const servet_traffic *traffic, servet_map_cost *cost,
    !                        servet_error *error);
    function raw_map_predict(map, profile, traffic, cost, error) &
        bind(c, name='servet_map_predict') result(code)
      import :: c_int, c_ptr, raw_error, raw_map_cost
      type(c_ptr), value :: map, profile, traffic
      type(raw_map_cost), intent(inout) :: cost
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_map_predict

    ! int servet_map_idle_get(const servet_map *map, const servet_profile *profile,
    !                         servet_resource resource, servet_map_idle *idle);
    function raw_map_idle_get(map, profile, resource, idle) bind(c, name='servet_map_idle_get') &
        result(code)
      import :: c_int, c_ptr, raw_map_idle
      type(c_ptr), value :: map, profile
      integer(c_int), value :: resource
      type(raw_map_idle), intent(inout) :: idle
      integer(c_int) :: code
    end function raw_map_idle_get

    ! int servet_map_reorder(const servet_profile *profile, const servet_traffic *traffic,
    !                        const servet_map_seat *seats, int *seat_of, servet_error *error);
    function raw_map_reorder(profile, traffic, seats, seat_of, error) &
        bind(c, name='servet_map_reorder') result(code)
      import :: c_int, c_ptr, raw_error, raw_map_seat
      type(c_ptr), value :: profile, traffic
      type(raw_map_seat), intent(in) :: seats(*)
      integer(c_int), intent(inout) :: seat_of(*)
      type(raw_error), intent(inout) :: error
      integer(c_int) :: code
    end function raw_map_reorder

    ! FILE *fopen(const char *path, const char *mode);
    function raw_fopen(path, mode) bind(c, name='fopen') result(stream)
      import :: c_char, c_ptr
      character(kind=c_char), intent(in) :: path(*), mode(*)
      type(c_ptr) :: stream
    end function raw_fopen

    ! int fclose(FILE *stream);
    function raw_fclose(stream) bind(c, name='fclose') result(failed)
      import :: c_int, c_ptr
      type(c_ptr), value :: stream
      integer(c_int) :: failed
    end function raw_fclose

  end interface

end module servet_raw_map
