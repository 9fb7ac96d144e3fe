#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The commands that `servet map` prints put ranks where it placed them. On four hosts of a virtual cluster. Usage:
# launchers.sh SOURCE_ROOT SERVET_MPI SERVET
# shellcheck disable=SC2119,SC2317 # arguments that may be left out; called through run
set -eu
. "$1/tests/tap.sh"
cluster_tools=$1/tests/cluster
# shellcheck source=tests/cluster/hosts.sh
. "$cluster_tools/hosts.sh"
# shellcheck source=tests/cluster/links.sh
. "$cluster_tools/links.sh"
profile=$1/tests/data/profiles/four.json
servet_mpi=$(realpath "$2")
servet=$(realpath "$3")
unset OMP_NUM_THREADS OMP_PLACES OMP_PROC_BIND

reason=$(cluster_lacks)
taskset -c 0,1 true 2>/dev/null || reason='the profile has the cores 0 and 1, and not both are here'
if [ -n "$reason" ]; then
  echo "1..0 # SKIP $reason"
  exit 0
fi

trap cluster_end EXIT
trap 'exit 1' HUP INT TERM PIPE
cluster_begin
cluster_hosts 4
cluster_star 400mbit
cd "$SERVET_CLUSTER"

# place FORMAT RANKS THREADS: the placement in `placement`, in the format in `file`; the command that is
# printed, up to the program, in $command. Not the hosts' own order.
place() {
  set -- "$1" -n "$2" --threads-per-process "$3" --nodes h2,h0,h3
  format=$1
  shift
  "$servet" map "$@" "$profile" >placement
  command=$("$servet" map "$@" --format "$format" -o file "$profile" 2>&1)
  command=${command% PROGRAM}
}

# --- Open MPI -------------------------------------------------------------------------------------

# The test names the hosts, like a batch system, and allows root.
openmpi() {
  for host in h0 h1 h2 h3; do echo "$host slots=2"; done >hosts.openmpi
  (
    cluster_mpi
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_orte_default_hostfile="$PWD/hosts.openmpi"
    in_host h0 sh -c "$command '$servet_mpi' where placement"
  )
}

reason=$(cluster_lacks_mpi)
for threads in 1 2; do
  name="Open MPI, $threads a rank"
  if [ -n "$reason" ]; then
    skip "$name" "$reason"
    continue
  fi
  place openmpi-rankfile $((6 / threads)) "$threads"
  run openmpi
  same "$name: status" "$status" 0
  holds "$name: where" "$out" "rank 0 on h2, cores 0*$((6 / threads)) of $((6 / threads)) ranks run as placed"
done

if [ -z "$reason" ]; then
  # Rank 0 and rank 1 with each other's cores.
  place openmpi-rankfile 6 1
  sed 's/=h2 slot=0/=h2 slot=9/; s/=h2 slot=1/=h2 slot=0/; s/slot=9/slot=1/' file >exchanged
  mv exchanged file
  run openmpi
  same "Open MPI, another rankfile: status" "$status" 1
  holds "Open MPI, another rankfile: where" "$out" '*4 of 6 ranks run as placed*'
fi

if [ -z "$reason" ]; then
  place pbs 5 1
  run openmpi
  same "the hosts of a PBS job, with Open MPI" "$(printf '%s\n' "$out" | sed -n 's/^rank [0-9]* on \([^,]*\),.*/\1/p')" \
    "$(cat file)"
else
  skip "the hosts of a PBS job, with Open MPI" "$reason"
fi

# --- MPICH ----------------------------------------------------------------------------------------

hydra=
for file in "$(command -v mpiexec.hydra)" /usr/lib64/mpich/bin/mpiexec.hydra \
  /usr/lib64/mpi/gcc/mpich/bin/mpiexec.hydra; do
  [ -n "$hydra" ] || [ ! -x "$file" ] || hydra=$file
done

# Any program will do to see where the launcher puts it: a line as in the placement, sets as ranges.
cat >seen <<'END'
#!/bin/sh
echo "$PMI_RANK $(hostname) $(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)"
END
chmod +x seen

mpich() {
  in_host h0 sh -c "'$hydra' -launcher rsh -launcher-exec '$cluster_tools/agent.sh' ${command#mpiexec} '$PWD/seen'"
}

for threads in 1 2; do
  name="MPICH, $threads a rank"
  if [ -z "$hydra" ]; then
    skip "$name" 'there is no MPICH'
    continue
  fi
  place mpich $((6 / threads)) "$threads"
  run mpich
  same "$name: status" "$status" 0
  same "$name: where" "$(printf '%s\n' "$out" | sort -n)" "$(sed 's/0,1$/0-1/' placement)"
done

# --- OpenMP ---------------------------------------------------------------------------------------

# threads_on RANKS THREADS: the cores of each of OpenMP's threads, by the command that is printed.
threads_on() {
  command=$("$servet" map -n "$1" --threads-per-process "$2" --nodes h0 --format omp-places -o places "$profile" 2>&1)
  OMPI_MCA_hwloc_base_binding_policy=none LD_LIBRARY_PATH="${servet_mpi%/*}/src/machine/ranks" \
    sh -c "${command% PROGRAM} sh '$cluster_tools/../mpi/launch.sh' 1 '$servet_mpi' where --json" |
    jq -c '[.ranks[0].threads[].cores]'
}

if [ ! -e "${servet_mpi%/*}/src/machine/ranks/servet_openmp.so" ]; then
  skip 'OMP_PLACES' 'the C compiler has no OpenMP'
elif ! command -v jq >/dev/null; then
  skip 'OMP_PLACES' 'no jq'
else
  same 'OMP_PLACES, two threads' "$(threads_on 2 1)" '["0","1"]'
  same 'OMP_PLACES, one place of two cores' "$(threads_on 1 2)" '["0-1","0-1"]'
fi
done_testing
