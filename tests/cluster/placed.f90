! SPDX-License-Identifier: BSD-3-Clause
! A process of a program that was placed: its rank, host and cores, and ratDist[2] of the installed profile in millionths.
program placed
  use mpi
  use servet
  implicit none
  type(servet_profile) :: profile
  type(degr_desc) :: degradation
  character(len=MPI_MAX_PROCESSOR_NAME) :: host
  character(len=256) :: line, cores
  integer :: code, rank, length, unit

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Get_processor_name(host, length, code)
  cores = ''
  open (newunit=unit, file='/proc/self/status', status='old', action='read')
  do
    read (unit, '(a)', iostat=code) line
    if (code /= 0) exit
    if (index(line, 'Cpus_allowed_list:') == 1) cores = adjustl(line(index(line, ':') + 2:))
  end do
  close (unit)
  call profile%open()
  if (load_degr_info(degradation) /= 0) error stop 'no degradation'
  print '(i0,1x,a,1x,a,1x,i0)', rank, host(1:length), trim(cores), nint(1e6 * get_network_dist_ratio(degradation, 2))
  call release_degr_info(degradation)
  call MPI_Finalize(code)
end program placed
