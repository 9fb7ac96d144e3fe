! SPDX-License-Identifier: BSD-3-Clause
!
! Questions about memory and about loads in flight (servet/node.h). `node_class`, `core` and
! failures as in servet_profile_caches. Overhead levels count from 1, the least overhead first;
! level 0 is the whole node.
module servet_profile_memory
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_errors
  use servet_node_types
  use servet_profile_base
  use servet_profile_cores
  use servet_raw
  use servet_raw_node
  use servet_text
  use servet_types
  implicit none
  private

  public :: profile_memory

  type, extends(profile_cores) :: profile_memory
  contains
    procedure :: memory_single => profile_memory_single
    procedure :: memory_bandwidth => profile_memory_bandwidth
    procedure :: memory_level_count => profile_memory_level_count
    procedure :: memory_level => profile_memory_level
    procedure :: memory_group_count => profile_memory_group_count
    procedure :: memory_group => profile_memory_group
    procedure :: memory_scaling => profile_memory_scaling
    procedure :: memory_saturation => profile_memory_saturation
    procedure :: numa_count => profile_numa_count
    procedure :: numa => profile_numa
    procedure :: numa_bandwidth => profile_numa_bandwidth
    procedure :: numa_latency => profile_numa_latency
    procedure :: concurrency => profile_concurrency
    procedure :: concurrency_of_chains => profile_concurrency_of_chains
    procedure :: concurrency_of_threads => profile_concurrency_of_threads
  end type profile_memory

contains

  ! --- bandwidth --------------------------------------------------------------------------------

  ! The best copy bandwidth of one core alone.
  recursive subroutine profile_memory_single(self, bandwidth, node_class, stat, errmsg)
    class(profile_memory), intent(in) :: self
    type(servet_value), intent(out) :: bandwidth
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_value) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    code = raw_memory_single(handle_of(self), at%raw, raw)
    if (code == servet_ok) bandwidth = to_value(raw)
    call finish_about(int(code), 'memory bandwidth', stat, errmsg)
  end subroutine profile_memory_single

  ! Bandwidth of one core alone; `kernel` is one of servet_kernel_*.
  recursive subroutine profile_memory_bandwidth(self, kernel, bandwidth, node_class, stat, errmsg)
    class(profile_memory), intent(in) :: self
    character(len=*), intent(in) :: kernel
    type(servet_value), intent(out) :: bandwidth
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_value) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    code = raw_memory_bandwidth(handle_of(self), at%raw, &
                                word_number(raw_kernel_name, kernel), raw)
    if (code == servet_ok) bandwidth = to_value(raw)
    call finish_about(int(code), 'memory bandwidth of ' // trim(kernel), stat, errmsg)
  end subroutine profile_memory_bandwidth

  ! Number of overhead levels; 0 where no pair of cores slows down.
  recursive subroutine profile_memory_level_count(self, count, node_class, stat, errmsg)
    class(profile_memory), intent(in) :: self
    integer, intent(out) :: count
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    integer(c_int) :: raw, code

    count = 0
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    raw = 0
    code = raw_memory_level_count(handle_of(self), at%raw, raw)
    count = int(raw)
    call finish_about(int(code), 'memory levels', stat, errmsg)
  end subroutine profile_memory_level_count

  ! Overhead level `level`.
  recursive subroutine profile_memory_level(self, level, answer, node_class, stat, errmsg)
    class(profile_memory), intent(in) :: self
    integer, intent(in) :: level
    type(servet_memory_level), intent(out) :: answer
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_memory_level) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    code = raw_memory_level_get(handle_of(self), at%raw, int(level, c_int), raw)
    if (code == servet_ok) answer = to_memory_level(raw)
    call finish_about(int(code), 'memory level', stat, errmsg, level)
  end subroutine profile_memory_level

  ! Number of groups of an overhead level: sets of cores connected by its pairs.
  recursive subroutine profile_memory_group_count(self, level, count, node_class, stat, errmsg)
    class(profile_memory), intent(in) :: self
    integer, intent(in) :: level
    integer, intent(out) :: count
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    integer(c_int) :: raw, code

    count = 0
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    raw = 0
    code = raw_memory_group_count(handle_of(self), at%raw, int(level, c_int), raw)
    count = int(raw)
    call finish_about(int(code), 'groups of memory level', stat, errmsg, level)
  end subroutine profile_memory_group_count

  ! The cores of group `index`, from 1, of an overhead level: OS numbers as ranges, '0-2,12-14'.
  recursive subroutine profile_memory_group(self, level, index, cores, node_class, stat, errmsg)
    class(profile_memory), intent(in) :: self
    integer, intent(in) :: level, index
    character(len=:), allocatable, intent(out) :: cores
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(c_ptr) :: raw
    integer(c_int) :: code

    cores = ''
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    raw = c_null_ptr
    code = raw_memory_group(handle_of(self), at%raw, int(level, c_int), int(index - 1, c_int), raw)
    cores = f_text(raw)
    call finish_about(int(code), 'group', stat, errmsg, index)
  end subroutine profile_memory_group

  ! Copy bandwidth of each of `cores` active cores of one group of a level, or of the node.
  recursive subroutine profile_memory_scaling(self, level, cores, bandwidth, node_class, stat, &
                                              errmsg)
    class(profile_memory), intent(in) :: self
    integer, intent(in) :: level, cores
    type(servet_value), intent(out) :: bandwidth
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_value) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    code = raw_memory_scaling(handle_of(self), at%raw, int(level, c_int), int(cores, c_int), raw)
    if (code == servet_ok) bandwidth = to_value(raw)
    call finish_about(int(code), 'memory bandwidth of cores', stat, errmsg, cores)
  end subroutine profile_memory_scaling

  ! The smallest number of cores that gets 95 % or more of the node's best copy bandwidth.
  recursive subroutine profile_memory_saturation(self, cores, node_class, stat, errmsg)
    class(profile_memory), intent(in) :: self
    integer, intent(out) :: cores
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    integer(c_int) :: raw, code

    cores = 0
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    raw = 0
    code = raw_memory_saturation(handle_of(self), at%raw, raw)
    cores = int(raw)
    call finish_about(int(code), 'memory saturation', stat, errmsg)
  end subroutine profile_memory_saturation

  ! --- NUMA nodes, which count from 1 -----------------------------------------------------------

  ! Number of NUMA nodes that were measured.
  recursive subroutine profile_numa_count(self, count, node_class, stat, errmsg)
    class(profile_memory), intent(in) :: self
    integer, intent(out) :: count
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    integer(c_int) :: raw, code

    count = 0
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    raw = 0
    code = raw_numa_count(handle_of(self), at%raw, raw)
    count = int(raw)
    call finish_about(int(code), 'NUMA nodes', stat, errmsg)
  end subroutine profile_numa_count

  ! NUMA node `index`.
  recursive subroutine profile_numa(self, index, numa, node_class, stat, errmsg)
    class(profile_memory), intent(in) :: self
    integer, intent(in) :: index
    type(servet_numa), intent(out) :: numa
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_numa) :: raw
    integer(c_int) :: code

    numa%cores = ''
    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    code = raw_numa_get(handle_of(self), at%raw, int(index - 1, c_int), raw)
    if (code == servet_ok) numa = to_numa(raw)
    call finish_about(int(code), 'NUMA node', stat, errmsg, index)
  end subroutine profile_numa

  ! Bandwidth with which a core of NUMA node `from` reads the memory of node `to`.
  recursive subroutine profile_numa_bandwidth(self, from, to, bandwidth, node_class, stat, errmsg)
    class(profile_memory), intent(in) :: self
    integer, intent(in) :: from, to
    type(servet_value), intent(out) :: bandwidth
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_value) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    code = raw_numa_bandwidth(handle_of(self), at%raw, int(from - 1, c_int), int(to - 1, c_int), &
                              raw)
    if (code == servet_ok) bandwidth = to_value(raw)
    call finish_about(int(code), 'bandwidth to NUMA node', stat, errmsg, to)
  end subroutine profile_numa_bandwidth

  ! Latency of a load by a core of NUMA node `from` from the memory of node `to`.
  recursive subroutine profile_numa_latency(self, from, to, latency, node_class, stat, errmsg)
    class(profile_memory), intent(in) :: self
    integer, intent(in) :: from, to
    type(servet_value), intent(out) :: latency
    character(len=*), intent(in), optional :: node_class
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_value) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class)
    code = raw_numa_latency(handle_of(self), at%raw, int(from - 1, c_int), int(to - 1, c_int), raw)
    if (code == servet_ok) latency = to_value(raw)
    call finish_about(int(code), 'latency to NUMA node', stat, errmsg, to)
  end subroutine profile_numa_latency

  ! --- concurrency: `level` is a cache level, or 0 for memory -------------------------------------

  ! Memory-level parallelism: how many loads in flight still raise bandwidth.
  recursive subroutine profile_concurrency(self, level, concurrency, node_class, core, stat, errmsg)
    class(profile_memory), intent(in) :: self
    integer, intent(in) :: level
    type(servet_concurrency), intent(out) :: concurrency
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_concurrency) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    code = raw_concurrency_get(handle_of(self), at%raw, int(level, c_int), raw)
    if (code == servet_ok) concurrency = to_concurrency(raw)
    call finish_about(int(code), 'concurrency of level', stat, errmsg, level)
  end subroutine profile_concurrency

  ! Bandwidth of one core with `chains` independent chains of loads.
  recursive subroutine profile_concurrency_of_chains(self, level, chains, bandwidth, node_class, &
                                                     core, stat, errmsg)
    class(profile_memory), intent(in) :: self
    integer, intent(in) :: level, chains
    type(servet_value), intent(out) :: bandwidth
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_value) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    code = raw_concurrency_of_chains(handle_of(self), at%raw, int(level, c_int), &
                                     int(chains, c_int), raw)
    if (code == servet_ok) bandwidth = to_value(raw)
    call finish_about(int(code), 'bandwidth of chains', stat, errmsg, chains)
  end subroutine profile_concurrency_of_chains

  ! Bandwidth of each of `threads` threads that share an instance of the level.
  recursive subroutine profile_concurrency_of_threads(self, level, threads, bandwidth, node_class, &
                                                      core, stat, errmsg)
    class(profile_memory), intent(in) :: self
    integer, intent(in) :: level, threads
    type(servet_value), intent(out) :: bandwidth
    character(len=*), intent(in), optional :: node_class
    integer, intent(in), optional :: core
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(place), target :: at
    type(raw_value) :: raw
    integer(c_int) :: code

    if (closed(self, stat, errmsg)) return
    call set_place(at, node_class, core)
    code = raw_concurrency_of_threads(handle_of(self), at%raw, int(level, c_int), &
                                      int(threads, c_int), raw)
    if (code == servet_ok) bandwidth = to_value(raw)
    call finish_about(int(code), 'bandwidth of threads', stat, errmsg, threads)
  end subroutine profile_concurrency_of_threads

end module servet_profile_memory
