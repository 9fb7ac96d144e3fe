! SPDX-License-Identifier: BSD-3-Clause
!
! Makes the failure that its argument names, in a call without `stat`; stops.sh checks the result.
program stops
  use known
  use servet
  implicit none

  type :: simulation
    type(servet_profile) :: profile
  end type simulation

  type(servet_profile) :: profile, other
  type(simulation) :: one, two
  type(servet_cache) :: cache
  type(servet_map) :: placed, placed_too
  type(servet_map_request) :: request
  type(servet_traffic) :: ring, ring_too
  character(len=*), parameter :: path = 'stops.json'
  character(len=20) :: failure
  character(len=80) :: errmsg

  call write_profile(path)
  call get_command_argument(1, failure)
  select case (failure)
  case ('missing')
    call profile%open('nowhere.json')
  case ('closed')
    call profile%cache(1, cache)
  case ('errmsg')
    call profile%cache(1, cache, errmsg=errmsg)
  case ('copy')
    call profile%open(path)
    other = profile
  case ('copy of a whole')
    call one%profile%open(path)
    two = one
  case ('copy of a placement')
    call write_cluster(path)
    call profile%open(path)
    request%processes = 1
    call placed%create(profile, request)
    placed_too = placed
  case ('copy of messages')
    call ring%pattern(servet_pattern_ring, 4, 1024d0)
    ring_too = ring
  end select
  call remove(path)
  print '(a)', 'still running'
end program stops
