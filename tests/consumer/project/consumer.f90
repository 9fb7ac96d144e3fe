! SPDX-License-Identifier: BSD-3-Clause
program consumer
  use servet
  implicit none

  type(servet_profile) :: profile
  type(servet_cache) :: cache
  integer :: levels

  call profile%open()
  call profile%cache_count(levels)
  call profile%cache(levels, cache)
  print '(3a, i0, a, i0, 3a)', 'Servet ', servet_version(), ': ', levels, &
    ' levels, the last has ', int(cache%bytes%value), ' bytes (', trim(cache%verdict), ')'
  call profile%close()
end program consumer
