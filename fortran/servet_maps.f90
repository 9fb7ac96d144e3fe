! SPDX-License-Identifier: BSD-3-Clause
!
! Placements (servet/map.h): the best nodes and cores for the processes of a program, their predicted cost, and the best
! order of the ranks of a running program. Ranks count from 0, as in MPI, nodes from 1. Failures are reported as module
! servet_errors says.
module servet_maps
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_conversions
  use servet_errors
  use servet_facts
  use servet_profile_base, only: closed, handle_of, profile_base
  use servet_raw
  use servet_text
  use servet_traffics
  implicit none
  private

  public :: servet_map, servet_map_request, servet_map_process, servet_map_reorder

  ! The request for a placement: the processes, and the nodes that may be used.
  type :: servet_map_request
    integer :: processes = 0
    integer :: threads = 1          ! threads of each process, on neighbouring cores, one core each
    character(len=servet_word_max) :: code = servet_code_communication ! what limits the program
    character(len=:), allocatable :: nodes ! 'n0,n1' in the scheduler's order; not allocated: all nodes
    integer :: accelerators = 0     ! of each node that processes are placed near to; 0: none
    integer :: node_count = 0       ! how many of these nodes to use, from the first on; 0: all
    character(len=servet_word_max) :: order = servet_order_servet ! one of servet_order_*
    character(len=servet_word_max) :: work = servet_work_usual ! of which the speeds of core types count
  end type servet_map_request

  ! Place of a process.
  type :: servet_map_process
    character(len=:), allocatable :: host
    integer :: node = 0             ! number of the host among the nodes, from 1
    integer :: local = 0            ! number of the process within its node, from 0
    integer :: accelerator = -1     ! the driver's number of the one that it is near to; -1: none
    integer, allocatable :: cores(:) ! OS numbers, one for each thread
    real(c_double) :: weight = 0     ! weight of its first core when it was selected, see servet_map_weight
    real(c_double) :: speed = 1      ! of its slowest core relative to the fastest core type
  end type servet_map_process

  ! A placement. It belongs to one variable, which frees it when it is closed or goes out of scope.
  ! It cannot be copied: an assignment stops the program.
  type :: servet_map
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => map_create
    procedure :: close => map_close
    procedure :: process_count => map_process_count
    procedure :: process => map_process
    procedure :: weight_count => map_weight_count
    procedure :: weight => map_weight
    procedure :: write => map_write
    procedure :: write_command => map_write_command
    procedure :: predict => map_predict
    procedure :: idle => map_idle
    procedure, private :: copy => map_copy
    generic :: assignment(=) => copy
    final :: map_final
  end type servet_map

  interface

    ! FILE *fopen(const char *path, const char *mode);
    function raw_fopen(path, mode) bind(c, name='fopen') result(stream)
      import
      character(kind=c_char), intent(in) :: path(*), mode(*)
      type(c_ptr) :: stream
    end function raw_fopen

    ! int fclose(FILE *stream);
    function raw_fclose(stream) bind(c, name='fclose') result(failed)
      import
      type(c_ptr), intent(in), value :: stream
      integer(c_int) :: failed
    end function raw_fclose

  end interface

contains

  ! --- placements -------------------------------------------------------------------------------

  ! Places the processes; with `traffic`, according to their messages. If that succeeds, frees the
  ! variable's earlier placement.
  recursive subroutine map_create(self, profile, request, traffic, stat, errmsg)
    class(servet_map), intent(inout) :: self
    class(profile_base), intent(in) :: profile
    type(servet_map_request), intent(in) :: request
    class(servet_traffic), intent(in), optional :: traffic
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_map_request) :: raw
    character(kind=c_char), allocatable, target :: nodes(:)
    type(c_ptr) :: handle
    type(raw_error) :: error
    integer :: code

    if (closed(profile, stat, errmsg)) return
    code = servet_ok
    raw%processes = int(request%processes, c_int)
    raw%threads = int(request%threads, c_int)
    raw%code = word_number(raw_code_name, request%code)
    raw%node_count = int(request%node_count, c_int)
    raw%accelerators = int(request%accelerators, c_int)
    raw%order = word_number(raw_order_name, request%order)
    raw%work = word_number(raw_work_name, request%work)
    raw%traffic = traffic_handle(traffic)
    if (allocated(request%nodes)) then
      call to_c(request%nodes, nodes, code)
      if (code == servet_ok) raw%nodes = c_loc(nodes)
    end if
    handle = c_null_ptr
    if (code == servet_ok) code = int(raw_map_create(handle, handle_of(profile), raw, error))
    if (code == servet_ok) then
      call self%close()
      self%handle = handle
    end if
    call finish_error(code, error, stat, errmsg)
  end subroutine map_create

  ! Frees the placement; a closed one stays closed.
  subroutine map_close(self)
    class(servet_map), intent(inout) :: self

    call raw_map_destroy(self%handle)
    self%handle = c_null_ptr
  end subroutine map_close

  subroutine map_final(self)
    type(servet_map), intent(inout) :: self

    call self%close()
  end subroutine map_final

  ! Never changes `self`, but a defined assignment needs intent(inout).
  subroutine map_copy(self, other)
    class(servet_map), intent(inout) :: self
    class(servet_map), intent(in) :: other

    if (c_associated(self%handle) .or. c_associated(other%handle)) &
      call finish(servet_eunsupported, 'a placement cannot be copied')
  end subroutine map_copy

  ! Returns true, and reports the error, if there is no placement.
  function no_map(self, stat, errmsg) result(none)
    class(servet_map), intent(in) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    logical :: none

    none = .not. c_associated(self%handle)
    if (none) call finish(servet_eargument, 'nothing is placed', stat, errmsg)
  end function no_map

  ! Number of processes; 0 without a placement.
  function map_process_count(self) result(count)
    class(servet_map), intent(in) :: self
    integer :: count

    count = 0
    if (c_associated(self%handle)) count = int(raw_map_process_count(self%handle))
  end function map_process_count

  ! The place of process `rank` (from 0).
  recursive subroutine map_process(self, rank, process, stat, errmsg)
    class(servet_map), intent(in) :: self
    integer, intent(in) :: rank
    type(servet_map_process), intent(out) :: process
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_map_process) :: raw
    integer(c_int), pointer :: cores(:)
    integer :: code

    if (no_map(self, stat, errmsg)) return
    code = int(raw_map_process_get(self%handle, int(rank, c_int), raw))
    if (code == servet_ok) then
      call new_text(raw%host, process%host, code)
      process%node = int(raw%node) + 1
      process%local = int(raw%local)
      process%accelerator = int(raw%accelerator)
      call c_f_pointer(raw%cores, cores, [raw%core_count])
      call cores_from_c(cores, process%cores, code)
      process%weight = raw%weight
      process%speed = raw%speed
    end if
    call finish_about(code, 'process', stat, errmsg, rank)
  end subroutine map_process

  ! Number of weights that decided on the cores of a node, from 1.
  recursive subroutine map_weight_count(self, node, count, stat, errmsg)
    class(servet_map), intent(in) :: self
    integer, intent(in) :: node
    integer, intent(out) :: count
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: code, found

    count = 0
    if (no_map(self, stat, errmsg)) return
    found = 0
    code = raw_map_weight_count(self%handle, int(node - 1, c_int), found)
    count = int(found)
    call finish_about(int(code), 'weights of node', stat, errmsg, node)
  end subroutine map_weight_count

  ! Weight `index` (from 1) of a node.
  recursive subroutine map_weight(self, node, index, weight, stat, errmsg)
    class(servet_map), intent(in) :: self
    integer, intent(in) :: node, index
    type(servet_map_weight), intent(out) :: weight
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_map_weight) :: raw
    integer(c_int) :: code

    if (no_map(self, stat, errmsg)) return
    code = raw_map_weight_get(self%handle, int(node - 1, c_int), int(index - 1, c_int), raw)
    if (code == servet_ok) weight = to_map_weight(raw)
    call finish_about(int(code), 'weight', stat, errmsg, index)
  end subroutine map_weight

  ! Writes the placement to the file `path`, in a format of servet_map_*.
  recursive subroutine map_write(self, format, path, stat, errmsg)
    class(servet_map), intent(in) :: self
    character(len=*), intent(in) :: format, path
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (no_map(self, stat, errmsg)) return
    call write_file(self, format, path, stat=stat, errmsg=errmsg)
  end subroutine map_write

  ! Writes to the file `path` the command that runs a program according to the placement in the file `placement`.
  recursive subroutine map_write_command(self, format, placement, path, stat, errmsg)
    class(servet_map), intent(in) :: self
    character(len=*), intent(in) :: format, placement, path
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (no_map(self, stat, errmsg)) return
    call write_file(self, format, path, placement, stat, errmsg)
  end subroutine map_write_command

  ! Writes the placement or, with `placement`, the command for that file.
  recursive subroutine write_file(self, format, path, placement, stat, errmsg)
    class(servet_map), intent(in) :: self
    character(len=*), intent(in) :: format, path
    character(len=*), intent(in), optional :: placement
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char), parameter :: mode(2) = ['w', c_null_char]
    character(kind=c_char), allocatable :: c_path(:), c_placement(:)
    type(raw_error) :: error
    type(c_ptr) :: stream
    integer :: code

    code = servet_ok
    stream = c_null_ptr
    if (present(placement)) call to_c(placement, c_placement, code)
    if (code == servet_ok) call to_c(path, c_path, code)
    if (code == servet_ok) stream = raw_fopen(c_path, mode)
    if (c_associated(stream)) then
      if (present(placement)) then
        code = int(raw_map_write_command(self%handle, word_number(raw_map_format_name, format), c_placement, &
                                         stream, error))
      else
        code = int(raw_map_write(self%handle, word_number(raw_map_format_name, format), stream, error))
      end if
      if (raw_fclose(stream) == 0 .or. code /= servet_ok) then
        call finish_error(code, error, stat, errmsg)
        return
      end if
    end if
    if (code == servet_ok) code = servet_eio
    call finish_about(code, '{}', stat, errmsg, because='cannot be written', name=path)
  end subroutine write_file

  ! --- predicted cost ---------------------------------------------------------------------------

  ! Predicts the cost of the placement for the messages of `traffic`, or else for all-to-all traffic.
  recursive subroutine map_predict(self, profile, cost, traffic, stat, errmsg)
    class(servet_map), intent(in) :: self
    class(profile_base), intent(in) :: profile
    type(servet_map_cost), intent(out) :: cost
    class(servet_traffic), intent(in), optional :: traffic
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_map_cost) :: raw
    type(raw_error) :: error
    integer(c_int) :: code

    if (closed(profile, stat, errmsg)) return
    if (no_map(self, stat, errmsg)) return
    code = raw_map_predict(self%handle, handle_of(profile), traffic_handle(traffic), raw, error)
    if (code == servet_ok) cost = to_map_cost(raw)
    if (cost%limit == servet_limit_node) cost%limit_at = cost%limit_at + 1
    call finish_error(int(code), error, stat, errmsg)
  end subroutine map_predict

  ! Finds how many processes of a node use the resource (one of servet_resource_*) best.
  recursive subroutine map_idle(self, profile, resource, idle, stat, errmsg)
    class(servet_map), intent(in) :: self
    class(profile_base), intent(in) :: profile
    character(len=*), intent(in) :: resource
    type(servet_map_idle), intent(out) :: idle
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(raw_map_idle) :: raw
    integer(c_int) :: code

    if (closed(profile, stat, errmsg)) return
    if (no_map(self, stat, errmsg)) return
    code = raw_map_idle_get(self%handle, handle_of(profile), &
                            word_number(raw_resource_name, resource), raw)
    if (code == servet_ok) idle = to_map_idle(raw)
    call finish_about(int(code), '{} of a node', stat, errmsg, name=resource)
  end subroutine map_idle

  ! --- programs that run already ----------------------------------------------------------------

  ! Assigns ranks to the places of a running program: rank r (from 0) should take the place of rank
  ! seat_of(r). Element r + 1 of `hosts` and `cores` is the place of rank r.
  recursive subroutine servet_map_reorder(profile, traffic, hosts, cores, seat_of, stat, errmsg)
    class(profile_base), intent(in) :: profile
    class(servet_traffic), intent(in) :: traffic
    character(len=*), intent(in) :: hosts(:)
    integer, intent(in) :: cores(:)
    integer, allocatable, intent(out) :: seat_of(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: names(:, :)
    type(raw_map_seat), allocatable :: seats(:)
    integer(c_int), allocatable :: raw(:)
    type(raw_error) :: error
    integer :: code, failed, i, processes

    allocate(seat_of(0:size(cores) - 1), names(len(hosts) + 1, size(hosts)), seats(size(hosts)), &
             raw(size(cores)), stat=failed)
    if (failed /= 0) then
      call finish_about(servet_ememory, 'order of processes', stat, errmsg)
      return
    end if
    do i = 0, size(cores) - 1
      seat_of(i) = i
      raw(i + 1) = int(i, c_int)
    end do
    if (closed(profile, stat, errmsg)) return
    if (no_traffic(traffic, stat, errmsg)) return
    processes = traffic%processes()
    if (size(hosts) /= size(cores) .or. size(cores) /= processes) then
      call finish(servet_eargument, 'the numbers of hosts, cores and processes differ', stat, errmsg)
      return
    end if
    do i = 1, size(hosts)
      call name_seat(hosts(i), names(:, i))
      seats(i) = raw_map_seat(c_loc(names(1, i)), int(cores(i), c_int))
    end do
    code = int(raw_map_reorder(handle_of(profile), traffic_handle(traffic), seats, raw, error))
    if (code == servet_ok) then
      do i = 1, size(raw)
        seat_of(i - 1) = int(raw(i))
      end do
    end if
    call finish_error(code, error, stat, errmsg)
  end subroutine servet_map_reorder

  subroutine name_seat(host, chars)
    character(len=*), intent(in) :: host
    character(kind=c_char), intent(out) :: chars(:)
    integer :: i

    chars = c_null_char
    do i = 1, len_trim(host)
      chars(i) = host(i:i)
    end do
  end subroutine name_seat

end module servet_maps
