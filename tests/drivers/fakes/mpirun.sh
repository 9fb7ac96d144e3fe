#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpirun or mpiexec of Open MPI (or, with FAKE_MPI=hydra, of MPICH), and srun, as their manuals describe
# them, as far as they are used. Starts the program once, and notes the call.
set -u
me=${0##*/}
echo "$me $*" >>"$FAKE/log"

refuse() {
  echo "$me: unrecognized argument $1" >&2
  exit 1
}

version() {
  if [ "${FAKE_MPI-}" = hydra ]; then
    printf 'HYDRA build details:\n    Version: 4.0.2\n'
  else
    printf 'mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/\n'
  fi
}

[ "$*" != --version ] || {
  version
  exit
}
while [ $# -gt 0 ]; do
  case $me:${FAKE_MPI-}:$1 in
  srun:*:--nodes=[1-9]* | srun:*:--ntasks=[1-9]* | srun:*:--ntasks-per-node=[1-9]* | srun:*:--distribution=block | \
    srun:*:--cpu-bind=none | srun:*:--mpi=pmix) ;;
  srun:*:-*) refuse "$1" ;;
  *:-n) shift ;;
  *:hydra:-ppn | *:hydra:-f | *:hydra:-launcher | *:hydra:-launcher-exec) shift ;;
  *::--map-by | *::--bind-to | *::--hostfile) shift ;;
  *::--mca) shift 2 ;;
  *:-*) refuse "$1" ;;
  *) exec "$@" ;;
  esac
  shift
done
