! SPDX-License-Identifier: BSD-3-Clause
!
! The facts of servet/node.h as Fortran types, each made from its C struct, which says what every
! component means. A variable that nothing was read into holds unknown values, empty texts and
! zeros.
module servet_node_types
  use, intrinsic :: iso_c_binding
  use servet_constants
  use servet_raw
  use servet_raw_node
  use servet_text
  use servet_types
  implicit none
  private

  public :: servet_sharing, servet_coherence, servet_distance_layer
  public :: servet_memory_level, servet_numa, servet_concurrency
  public :: to_sharing, to_coherence, to_distance_layer, to_memory_level, to_numa, to_concurrency

  ! What is known about the groups of a cache level.
  type :: servet_sharing
    real(c_double) :: confidence = 0               ! 0..1 that the groups are right
    character(len=servet_word_max) :: verdict = '' ! one of servet_verdict_*
  end type servet_sharing

  ! The block that cores lose to each other by false sharing.
  type :: servet_coherence
    type(servet_value) :: line                     ! bytes
    integer :: level = 0                           ! of the cache whose line it is; 0: unknown
    type(servet_value) :: reported                 ! the largest line the operating system reports
    character(len=servet_word_max) :: verdict = ''
  end type servet_coherence

  ! Pairs of cores between which a modified line takes the same time.
  type :: servet_distance_layer
    type(servet_value) :: latency                  ! of a typical pair, ns
    real(c_double) :: confidence = 0               ! 0..1 that it is a layer of its own
    character(len=servet_word_max) :: verdict = ''
  end type servet_distance_layer

  ! Pairs of cores with the same contention when both copy in memory.
  type :: servet_memory_level
    type(servet_value) :: bandwidth                ! of one core of a pair, B/s
    integer :: saturation = 0                      ! cores that fill a group's memory; 0: unknown
    character(len=servet_word_max) :: verdict = ''
  end type servet_memory_level

  ! A NUMA node.
  type :: servet_numa
    integer :: number = -1                         ! the operating system's
    character(len=:), allocatable :: cores         ! OS numbers as ranges: '0-3,8'
  end type servet_numa

  ! Memory-level parallelism: how many loads in flight still raise bandwidth.
  type :: servet_concurrency
    integer :: requests = 0                        ! independent chains that get 95 % of the best
    integer :: requests_low = 0                    ! which it may be as well, for all that noise
    integer :: requests_high = 0                   ! lets see; 0: unknown
    type(servet_value) :: best                     ! bandwidth of one core, B/s
    integer :: chains = 0                          ! 1 to this many chains were asked
    integer :: threads = 0                         ! 1 to this many threads were asked
  end type servet_concurrency

contains

  function to_sharing(raw) result(sharing)
    type(raw_sharing), intent(in) :: raw
    type(servet_sharing) :: sharing

    sharing%confidence = raw%confidence
    sharing%verdict = f_text(raw_verdict_name(raw%verdict))
  end function to_sharing

  function to_coherence(raw) result(coherence)
    type(raw_coherence), intent(in) :: raw
    type(servet_coherence) :: coherence

    coherence%line = to_value(raw%line)
    coherence%level = int(raw%level)
    coherence%reported = to_value(raw%reported)
    coherence%verdict = f_text(raw_verdict_name(raw%verdict))
  end function to_coherence

  function to_distance_layer(raw) result(layer)
    type(raw_distance_layer), intent(in) :: raw
    type(servet_distance_layer) :: layer

    layer%latency = to_value(raw%latency)
    layer%confidence = raw%confidence
    layer%verdict = f_text(raw_verdict_name(raw%verdict))
  end function to_distance_layer

  function to_memory_level(raw) result(level)
    type(raw_memory_level), intent(in) :: raw
    type(servet_memory_level) :: level

    level%bandwidth = to_value(raw%bandwidth)
    level%saturation = int(raw%saturation)
    level%verdict = f_text(raw_verdict_name(raw%verdict))
  end function to_memory_level

  function to_numa(raw) result(numa)
    type(raw_numa), intent(in) :: raw
    type(servet_numa) :: numa

    numa%number = int(raw%number)
    numa%cores = f_text(raw%cores)
  end function to_numa

  function to_concurrency(raw) result(concurrency)
    type(raw_concurrency), intent(in) :: raw
    type(servet_concurrency) :: concurrency

    concurrency%requests = int(raw%requests)
    concurrency%requests_low = int(raw%requests_low)
    concurrency%requests_high = int(raw%requests_high)
    concurrency%best = to_value(raw%best)
    concurrency%chains = int(raw%chains)
    concurrency%threads = int(raw%threads)
  end function to_concurrency

end module servet_node_types
