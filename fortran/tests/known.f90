! SPDX-License-Identifier: BSD-3-Clause
!
! known.h for Fortran: structs and a profile whose every value the tests know.
module known
  use, intrinsic :: iso_c_binding
  use servet_raw
  use servet_text
  use tap, only: is_int, is_real, is_text, ok
  implicit none
  public

  interface

    ! void known_fill_value(servet_value *value);
    subroutine known_fill_value(value) bind(c)
      import :: raw_value
      type(raw_value), intent(inout) :: value
    end subroutine known_fill_value

    ! void known_fill_modes(servet_modes *modes);
    subroutine known_fill_modes(modes) bind(c)
      import :: raw_modes
      type(raw_modes), intent(inout) :: modes
    end subroutine known_fill_modes

    ! void known_fill_error(servet_error *error);
    subroutine known_fill_error(error) bind(c)
      import :: raw_error
      type(raw_error), intent(inout) :: error
    end subroutine known_fill_error

    ! void known_fill_at(servet_at *at);
    subroutine known_fill_at(at) bind(c)
      import :: raw_at
      type(raw_at), intent(inout) :: at
    end subroutine known_fill_at

    ! void known_fill_run(servet_run *run);
    subroutine known_fill_run(run) bind(c)
      import :: raw_run
      type(raw_run), intent(inout) :: run
    end subroutine known_fill_run

    ! void known_fill_kind(servet_kind *kind);
    subroutine known_fill_kind(kind) bind(c)
      import :: raw_kind
      type(raw_kind), intent(inout) :: kind
    end subroutine known_fill_kind

    ! void known_fill_machine(servet_machine *machine);
    subroutine known_fill_machine(machine) bind(c)
      import :: raw_machine
      type(raw_machine), intent(inout) :: machine
    end subroutine known_fill_machine

    ! void known_fill_cache(servet_cache *cache);
    subroutine known_fill_cache(cache) bind(c)
      import :: raw_cache
      type(raw_cache), intent(inout) :: cache
    end subroutine known_fill_cache

    ! void known_fill_sharing(servet_sharing *sharing);
    subroutine known_fill_sharing(sharing) bind(c)
      import :: raw_sharing
      type(raw_sharing), intent(inout) :: sharing
    end subroutine known_fill_sharing

    ! void known_fill_coherence(servet_coherence *coherence);
    subroutine known_fill_coherence(coherence) bind(c)
      import :: raw_coherence
      type(raw_coherence), intent(inout) :: coherence
    end subroutine known_fill_coherence

    ! void known_fill_distance_layer(servet_distance_layer *layer);
    subroutine known_fill_distance_layer(layer) bind(c)
      import :: raw_distance_layer
      type(raw_distance_layer), intent(inout) :: layer
    end subroutine known_fill_distance_layer

    ! void known_fill_memory_level(servet_memory_level *level);
    subroutine known_fill_memory_level(level) bind(c)
      import :: raw_memory_level
      type(raw_memory_level), intent(inout) :: level
    end subroutine known_fill_memory_level

    ! void known_fill_numa(servet_numa *numa);
    subroutine known_fill_numa(numa) bind(c)
      import :: raw_numa
      type(raw_numa), intent(inout) :: numa
    end subroutine known_fill_numa

    ! void known_fill_concurrency(servet_concurrency *concurrency);
    subroutine known_fill_concurrency(concurrency) bind(c)
      import :: raw_concurrency
      type(raw_concurrency), intent(inout) :: concurrency
    end subroutine known_fill_concurrency

    ! void known_fill_matrix(servet_matrix *matrix);
    subroutine known_fill_matrix(matrix) bind(c)
      import :: raw_matrix
      type(raw_matrix), intent(inout) :: matrix
    end subroutine known_fill_matrix

    ! void known_fill_layers(servet_layers *layers);
    subroutine known_fill_layers(layers) bind(c)
      import :: raw_layers
      type(raw_layers), intent(inout) :: layers
    end subroutine known_fill_layers

    ! void known_fill_map_request(servet_map_request *request);
    subroutine known_fill_map_request(request) bind(c)
      import :: raw_map_request
      type(raw_map_request), intent(inout) :: request
    end subroutine known_fill_map_request

    ! void known_fill_map_process(servet_map_process *process);
    subroutine known_fill_map_process(process) bind(c)
      import :: raw_map_process
      type(raw_map_process), intent(inout) :: process
    end subroutine known_fill_map_process

    ! void known_fill_map_cost(servet_map_cost *cost);
    subroutine known_fill_map_cost(cost) bind(c)
      import :: raw_map_cost
      type(raw_map_cost), intent(inout) :: cost
    end subroutine known_fill_map_cost

    ! void known_fill_map_idle(servet_map_idle *idle);
    subroutine known_fill_map_idle(idle) bind(c)
      import :: raw_map_idle
      type(raw_map_idle), intent(inout) :: idle
    end subroutine known_fill_map_idle

    ! void known_fill_map_seat(servet_map_seat *seat);
    subroutine known_fill_map_seat(seat) bind(c)
      import :: raw_map_seat
      type(raw_map_seat), intent(inout) :: seat
    end subroutine known_fill_map_seat

    ! size_t known_size(const char *name);
    function raw_known_size(name) bind(c, name='known_size') result(size)
      import :: c_char, c_size_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t) :: size
    end function raw_known_size

    ! int known_write_profile(const char *path);
    function raw_known_write_profile(path) bind(c, name='known_write_profile') result(code)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: code
    end function raw_known_write_profile

    ! int known_write_cluster(const char *path);
    function raw_known_write_cluster(path) bind(c, name='known_write_cluster') result(code)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: code
    end function raw_known_write_cluster

  end interface

contains

  function known_size(name) result(bytes)
    character(len=*), intent(in) :: name
    integer :: bytes

    bytes = int(raw_known_size(c_text(name)))
  end function known_size

  ! Writes the known profile into the working folder as `path`.
  subroutine write_profile(path)
    character(len=*), intent(in) :: path

    call is_int(int(raw_known_write_profile(c_text(path))), 0, 'the known profile is written')
  end subroutine write_profile

  ! The same of the cluster to place processes on.
  subroutine write_cluster(path)
    character(len=*), intent(in) :: path

    call is_int(int(raw_known_write_cluster(c_text(path))), 0, 'the known cluster is written')
  end subroutine write_cluster

  subroutine remove(path)
    character(len=*), intent(in) :: path
    integer :: unit

    unit = 10
    open(unit, file=path)
    close(unit, status='delete')
  end subroutine remove

end module known
