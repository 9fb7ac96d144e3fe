! SPDX-License-Identifier: BSD-3-Clause
!
! Failures with `stat`: the code, the message, and what is left behind.
program profile_errors
  use, intrinsic :: iso_c_binding
  use known
  use servet
  use tap
  implicit none

  character(len=*), parameter :: path = 'profile_errors.json'
  character(len=*), parameter :: missing = 'no such folder/profile.json'
  character(len=300) :: errmsg
  integer :: stat

  call write_profile(path)
  call opening()
  call finding()
  call querying_beyond_the_last()
  call querying_unmeasured_facts()
  call querying_by_key()
  call using_a_closed_profile()
  call remove(path)
  call done_testing()

contains

  subroutine opening()
    type(servet_profile) :: profile

    errmsg = 'as it was'
    call profile%open(path, stat, errmsg)
    call is_int(stat, servet_ok, 'open')
    call is_text(errmsg, 'as it was', 'success leaves errmsg alone')
    call profile%open(missing, stat, errmsg)
    call is_int(stat, servet_enotfound, 'open a missing profile')
    call ok(index(errmsg, missing) > 0, 'the message names the file')
    call ok(profile%is_open(), 'the profile that was open stays open')
    call is_text(profile%path(), path, 'and is still the same')
  end subroutine opening

  ! The test runs with SERVET_PROFILE set to a file that does not exist.
  subroutine finding()
    character(len=:), allocatable :: where
    type(servet_profile) :: profile

    call servet_profile_find(where, stat, errmsg)
    call is_int(stat, servet_ok, 'find')
    call is_text(where, 'nowhere.json', 'the variable decides')
    call profile%open(stat=stat, errmsg=errmsg)
    call is_int(stat, servet_enotfound, 'open by lookup order')
    call ok(index(errmsg, 'nowhere.json') > 0, 'the message says where it looked')
    call ok(.not. profile%is_open(), 'a failed open leaves the profile closed')
  end subroutine finding

  subroutine querying_beyond_the_last()
    type(servet_profile) :: profile
    type(servet_cache) :: cache
    type(servet_machine) :: machine
    type(servet_value) :: latency
    type(servet_kind) :: kind
    character(len=:), allocatable :: name
    integer :: count

    call profile%open(path)
    call profile%cache(4, cache, node_class='thin', stat=stat, errmsg=errmsg)
    call is_int(stat, servet_erange, 'a level beyond the last')
    call is_text(errmsg, 'cache level 4: out of range', 'message of a level beyond the last')
    call ok(.not. cache%bytes%known, 'its size is unknown')
    call profile%cache(0, cache, node_class='thin', stat=stat)
    call is_int(stat, servet_erange, 'level 0')
    call profile%cache(1, cache, node_class='thin', core=8, stat=stat)
    call is_int(stat, servet_erange, 'a core that is not there')
    call profile%cache_count(count, node_class='none', stat=stat)
    call is_int(stat, servet_erange, 'caches of a class that is not there')
    call profile%memory_latency(latency, node_class='none', stat=stat)
    call is_int(stat, servet_erange, 'memory of a class that is not there')
    call profile%machine(machine, node_class='none', stat=stat)
    call is_int(stat, servet_erange, 'machine of a class that is not there')
    call profile%class_name(0, name, stat)
    call is_int(stat, servet_erange, 'class 0')
    call profile%class_name(3, name, stat, errmsg)
    call is_int(stat, servet_erange, 'a class beyond the last')
    call is_text(errmsg, 'node class 3: out of range', 'message of a class beyond the last')
    call profile%class_of('elsewhere', count, stat, errmsg)
    call is_int(stat, servet_enotfound, 'class of an unknown host')
    call is_text(errmsg, 'host elsewhere: not found', 'message of an unknown host')
    call is_int(count, 0, 'and no index')
    call profile%node(2, name, stat=stat, errmsg=errmsg)
    call is_int(stat, servet_erange, 'a node beyond the last')
    call is_text(errmsg, 'node 2: out of range', 'message of a node beyond the last')
    call profile%kind(3, kind, stat=stat, errmsg=errmsg)
    call is_int(stat, servet_erange, 'a kind beyond the last')
    call is_text(errmsg, 'core kind 3: out of range', 'message of a kind beyond the last')
    call is_text(kind%name // kind%cores, '', 'and nothing is known of it')
  end subroutine querying_beyond_the_last

  subroutine querying_unmeasured_facts()
    type(servet_profile) :: profile
    type(servet_cache) :: cache
    type(servet_value) :: latency
    integer :: count

    call profile%open(path)
    call profile%cache_count(count, node_class='fat', stat=stat, errmsg=errmsg)
    call is_int(stat, servet_eunmeasured, 'number of caches not measured')
    call is_text(errmsg, 'caches: not measured', 'message of what was not measured')
    call profile%cache(1, cache, node_class='fat', stat=stat)
    call is_int(stat, servet_eunmeasured, 'cache not measured')
    call profile%memory_latency(latency, node_class='thin', core=4, stat=stat)
    call is_int(stat, servet_eunmeasured, 'memory latency not measured')
    call ok(.not. latency%known, 'and not known')
  end subroutine querying_unmeasured_facts

  subroutine querying_by_key()
    type(servet_profile) :: profile
    character(len=:), allocatable :: text

    call profile%open(path)
    call profile%get('caches.2.byte', text, node_class='thin', stat=stat, errmsg=errmsg)
    call is_int(stat, servet_ekey, 'unknown key')
    call ok(index(errmsg, 'caches.N.bytes') > 0 .or. index(errmsg, 'caches.2.bytes') > 0, &
            'the message names the nearest key')
    call is_int(len(text), 0, 'no text then')
    call profile%get('caches.2.bytes'//achar(0)//'.high', text, node_class='thin', stat=stat)
    call is_int(stat, servet_eargument, 'a key with a NUL in it is not cut')
    call profile%get('caches.1.bytes', text, node_class='fat', stat=stat)
    call is_int(stat, servet_eunmeasured, 'key without a value')
    call profile%get('caches.1.bytes', text, node_class='none', stat=stat)
    call is_int(stat, servet_erange, 'key of a class that is not there')
  end subroutine querying_by_key

  subroutine using_a_closed_profile()
    type(servet_profile) :: profile
    type(servet_run) :: run
    type(servet_machine) :: machine
    type(servet_cache) :: cache
    type(servet_value) :: latency
    type(servet_kind) :: kind
    character(len=:), allocatable :: text
    integer :: count

    call is_int(profile%class_count(), 0, 'closed: class_count')
    call is_text(profile%path(), '', 'closed: path')
    call profile%run(run, stat, errmsg)
    call is_int(stat, servet_eargument, 'closed: run')
    call is_text(errmsg, 'no profile is open', 'closed: message')
    call profile%class_name(1, text, stat)
    call is_int(stat, servet_eargument, 'closed: class_name')
    call profile%class_of('node17', count, stat)
    call is_int(stat, servet_eargument, 'closed: class_of')
    call profile%machine(machine, stat=stat)
    call is_int(stat, servet_eargument, 'closed: machine')
    call profile%node(1, text, stat=stat)
    call is_int(stat, servet_eargument, 'closed: node')
    call profile%kind(1, kind, stat=stat)
    call is_int(stat, servet_eargument, 'closed: kind')
    call profile%cache_count(count, stat=stat)
    call is_int(stat, servet_eargument, 'closed: cache_count')
    call profile%cache(1, cache, stat=stat)
    call is_int(stat, servet_eargument, 'closed: cache')
    call profile%memory_latency(latency, stat=stat)
    call is_int(stat, servet_eargument, 'closed: memory_latency')
    call profile%get('caches.count', text, stat=stat)
    call is_int(stat, servet_eargument, 'closed: get')
  end subroutine using_a_closed_profile

end program profile_errors
