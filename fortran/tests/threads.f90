! SPDX-License-Identifier: BSD-3-Clause
! Placing threads on the class "thin" (known_profile.c, known_node.c): cores 0-3 are fast, and 0 and
! 2, 1 and 3 share a level 2 cache; 4-7 are slow; each half contends for memory.
program threads
  use known, only: remove, write_profile
  use servet
  use tap
  implicit none

  character(len=*), parameter :: path = 'threads.json'
  integer, parameter :: all_cores(8) = [0, 1, 2, 3, 4, 5, 6, 7]
  type(servet_profile) :: profile
  character(len=200) :: message
  integer :: room, stat

  call write_profile(path)
  call profile%open(path)
  call by_policies()
  call rooms()
  call trust()
  call this_node()
  call failures()
  call profile%close()
  call servet_thread_room(profile, servet_policy_compact, room, stat=stat)
  call is_int(stat, servet_eargument, 'no profile is open')
  call remove(path)
  call done_testing()

contains

  subroutine gets(policy, threads, expected)
    character(len=*), intent(in) :: policy
    integer, intent(in) :: threads, expected(:)
    integer, allocatable :: cores(:)

    call servet_thread_place(profile, policy, cores, threads, among=all_cores, node_class='thin')
    call ok(size(cores) == size(expected), policy // ': as many cores as threads')
    call ok(all(cores == expected), policy // ': these cores')
  end subroutine gets

  subroutine by_policies()
    integer, allocatable :: cores(:)

    call gets(servet_policy_compact, 2, [0, 2])
    call gets(servet_policy_compact, 4, [0, 2, 1, 3])
    call gets(servet_policy_scatter, 2, [0, 7])
    call gets(servet_policy_memory, 4, [0, 1, 4, 7])
    call servet_thread_place(profile, servet_policy_per_l2, cores, among=[3, 2, 1, 0])
    call ok(size(cores) == 2, 'as many threads as there are caches')
    call ok(all(cores == [0, 1]), 'one for each')
  end subroutine by_policies

  subroutine rooms()
    integer :: room
    logical :: trusted

    call servet_thread_room(profile, servet_policy_memory, room, all_cores, trusted=trusted)
    call is_int(room, 4, 'three cores saturate each half, four the node')
    call ok(.not. trusted, 'the number of memory levels decides')
    call servet_thread_room(profile, servet_policy_per_l2, room, all_cores(:4), 'thin')
    call is_int(room, 2, 'two level 2 caches')
    call servet_thread_room(profile, servet_policy_scatter, room, all_cores)
    call is_int(room, 8, 'all cores')
  end subroutine rooms

  subroutine trust()
    integer, allocatable :: cores(:)
    logical :: trusted

    call servet_thread_place(profile, servet_policy_memory, cores, 2, all_cores, trusted=trusted)
    call ok(.not. trusted, 'the number of memory levels is doubtful')
    call servet_thread_place(profile, servet_policy_compact, cores, 2, all_cores, trusted=trusted)
    call ok(trusted, 'caches are not')
  end subroutine trust

  ! The profile is also of nodes such as this one.
  subroutine this_node()
    integer, allocatable :: cores(:), usable(:)

    call servet_cores_usable(usable)
    call servet_thread_place(profile, servet_policy_compact, cores, stat=stat)
    if (any(usable <= 7)) then
      call is_int(size(cores), count(usable <= 7), 'the cores that the thread may use')
      call ok(all(cores <= 7), 'those that the profile has')
    else
      call is_int(stat, servet_erange, 'none of the cores of the profile may be used')
    end if
  end subroutine this_node

  subroutine failures()
    integer, allocatable :: cores(:)
    integer :: room

    call servet_thread_place(profile, servet_policy_scatter, cores, 9, all_cores, stat=stat, &
                             errmsg=message)
    call is_int(stat, servet_erange, 'more threads than cores')
    call is_text(message, '9 threads do not fit: scatter has cores for 8', 'which is said')
    call is_int(size(cores), 0, 'and none are placed')
    call servet_thread_place(profile, servet_policy_per_l2, cores, 1, [4, 5], stat=stat)
    call is_int(stat, servet_eunmeasured, 'the slow cores have no level 2 that is known')
    call servet_thread_place(profile, 'dense', cores, 1, all_cores, stat=stat)
    call is_int(stat, servet_eargument, 'no such policy')
    call servet_thread_place(profile, servet_policy_compact, cores, 1, [8], stat=stat)
    call is_int(stat, servet_erange, 'no such core')
    call servet_thread_place(profile, servet_policy_compact, cores, 1, all_cores(:0), stat=stat)
    call is_int(stat, servet_eargument, 'no cores to choose from')
    call servet_thread_room(profile, servet_policy_compact, room, node_class='none', stat=stat)
    call is_int(stat, servet_erange, 'no such class')
    call is_int(room, 0, 'which has no room')
  end subroutine failures

end program threads
