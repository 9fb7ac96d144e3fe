! SPDX-License-Identifier: BSD-3-Clause
!
! Eight threads query one open profile at the same time. Each queries different facts and gets the right results.
program profile_threads
  use, intrinsic :: iso_c_binding
  use known
  use servet
  use tap
  implicit none

  character(len=*), parameter :: path = 'profile_threads.json'
  real(c_double), parameter :: bytes(3) = [49152.0_c_double, 2097152.0_c_double, 8388608.0_c_double]
  character(len=*), parameter :: kernels(3) = &
    [character(len=8) :: servet_kernel_read, servet_kernel_triad, servet_kernel_copy_nt]
  real(c_double), parameter :: bandwidths(3) = [12e9_c_double, 9e9_c_double, 11e9_c_double]
  character(len=*), parameter :: groups(3) = ['0,2', '1,3', '4-7']
  integer, parameter :: rounds = 3000
  type(servet_profile) :: profile
  integer :: i, wrong

  call write_profile(path)
  call profile%open(path)
  wrong = 0
  !$omp parallel do num_threads(8) schedule(static, 1) reduction(+: wrong)
  do i = 1, rounds
    wrong = wrong + wrong_answers(1 + modulo(i, 3)) + wrong_on_node(1 + modulo(i, 3))
  end do
  !$omp end parallel do
  call is_int(wrong, 0, 'no wrong answer')
  call profile%close()
  call remove(path)
  call done_testing()

contains

  recursive function wrong_answers(level) result(wrong)
    integer, intent(in) :: level
    type(servet_cache) :: cache
    character(len=:), allocatable :: text
    character(len=16) :: key, expected
    integer :: wrong, stat

    wrong = 0
    call profile%cache(level, cache)
    if (abs(cache%bytes%value - bytes(level)) > 0) wrong = wrong + 1
    write(key, '(a, i0, a)') 'caches.', level, '.bytes'
    write(expected, '(i0)') int(bytes(level))
    call profile%get(key, text)
    if (text /= expected) wrong = wrong + 1
    call profile%cache(level + 3, cache, stat=stat)
    if (stat /= servet_erange) wrong = wrong + 1
  end function wrong_answers

  recursive function wrong_on_node(index) result(wrong)
    integer, intent(in) :: index
    type(servet_value) :: bandwidth
    character(len=:), allocatable :: cores
    integer :: wrong

    wrong = 0
    call profile%memory_bandwidth(kernels(index), bandwidth)
    if (abs(bandwidth%value - bandwidths(index)) > 0) wrong = wrong + 1
    call profile%distance_group(1, index, cores)
    if (cores /= groups(index)) wrong = wrong + 1
  end function wrong_on_node

end program profile_threads
