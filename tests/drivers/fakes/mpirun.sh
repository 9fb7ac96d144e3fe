#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpirun or mpiexec of Open MPI (or, with FAKE_MPI=hydra, of MPICH), and srun, as their manuals describe
# them, as far as they are used. Starts the program once, and notes the call; the program learns from FAKE_RANKS and
# FAKE_HOSTS for whom it speaks. Open MPI's starts a daemon on each other host by the agent it was told, if any, and
# waits for ever for one that does not come up.
# File $FAKE/apart: a host has another file system.
# File $FAKE/stuck: it waits for ever in any case. File $FAKE/broken: it fails with these words.
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

wait_for_ever() {
  while :; do
    sleep 0.1
  done
}

# Words of the environment and of the command line mean the same.
start_daemons() {
  agent=${OMPI_MCA_plm_rsh_agent-}
  [ -n "$agent" ] || return 0
  case $agent in
  *' '*) echo "$me: ${agent%% *}: not found" >&2 && exit 1 ;;
  esac
  others=$(($(echo "$FAKE_HOSTS" | wc -w) - 1))
  background=--daemonize
  if [ "${OMPI_MCA_orte_leave_session_attached-0}" = 1 ]; then
    background=''
    [ "${OMPI_MCA_plm_rsh_num_concurrent-128}" -ge "$others" ] || {
      echo "$me: the launch would deadlock: plm_rsh_num_concurrent is too small" >&2
      exit 1
    }
  fi
  for host in ${FAKE_HOSTS#* }; do
    [ "$others" -gt 0 ] || return 0
    rm -f "$FAKE/orted.$host"
    "$agent" "$host" "sh '$FAKE_HOME/orted.sh' '$agent' $$ $host $background" >/dev/null 2>&1 &
    until [ -s "$FAKE/orted.$host" ]; do
      sleep 0.02
    done
    # A daemon in the background ends with the agent: long enough for one that was killed to be missed.
    [ -z "$background" ] || sleep 0.1
    kill -0 "$(cat "$FAKE/orted.$host")" 2>/dev/null || wait_for_ever
  done
}

# Without a list: those of Slurm, those of PBS where it was built for it, else its own.
hosts_of_job() {
  if [ -n "${SLURM_JOB_NODELIST-}" ]; then
    echo "$SLURM_JOB_NODELIST" | tr ',' ' '
  elif [ -n "${PBS_NODEFILE-}" ] && ompi_info 2>/dev/null | grep -q ': tm '; then
    sort -u "$PBS_NODEFILE" | paste -s -d ' ' -
  else
    uname -n
  fi
}

# Its words on a host that has no such file as the first of them: sh -c TEXT FILE WORD...
set_apart() {
  [ "$1 $2" = 'sh -c' ] || return 0
  sh -c "$3" "$4.apart" &
  trap 'kill $!' TERM
  wait $!
  exit 143
}

start() {
  [ ! -e "$FAKE/stuck" ] || wait_for_ever
  [ ! -e "$FAKE/broken" ] || {
    cat "$FAKE/broken" >&2
    exit 1
  }
  [ -n "$FAKE_HOSTS" ] || FAKE_HOSTS=$(hosts_of_job)
  export FAKE_RANKS FAKE_HOSTS
  [ ! -e "$FAKE/apart" ] || set_apart "$@"
  [ "${FAKE_MPI-}" = hydra ] || start_daemons
  exec "$@"
}

[ "$*" != --version ] || {
  version
  exit
}
FAKE_RANKS=1 FAKE_HOSTS=''
while [ $# -gt 0 ]; do
  case $me:${FAKE_MPI-}:$1 in
  srun:*:--ntasks=[1-9]*) FAKE_RANKS=${1#*=} ;;
  srun:*:--nodes=[1-9]* | srun:*:--ntasks-per-node=[1-9]* | srun:*:--distribution=block | \
    srun:*:--cpu-bind=none | srun:*:--mpi=pmix) ;;
  srun:*:-*) refuse "$1" ;;
  *:-n) FAKE_RANKS=$2 && shift ;;
  *:hydra:-f | *::--hostfile) FAKE_HOSTS=$(sed 's/[ :].*//' "$2" | paste -s -d ' ' -) && shift ;;
  *:hydra:-ppn | *:hydra:-launcher | *:hydra:-launcher-exec) shift ;;
  *::--map-by | *::--bind-to) shift ;;
  *::--mca) shift 2 ;;
  *::-x) shift ;;
  *:-*) refuse "$1" ;;
  *) start "$@" ;;
  esac
  shift
done
