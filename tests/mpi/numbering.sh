#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command that `servet map` prints puts ranks on the PUs of the placement where the numbers of the
# operating system are not hwloc's logical ones. The machine with such numbers is pretended (pretend.c). Usage:
# numbering.sh SOURCE_ROOT SERVET_MPI SERVET PRETEND
# shellcheck disable=SC2317 # called through run
set -eu
. "$1/tests/tap.sh"
tests=$1/tests/mpi
profile=$1/tests/data/profiles/four.json
servet_mpi=$(realpath "$2")
servet=$(realpath "$3")
library=$(realpath "$4")
if ! command -v jq >/dev/null; then
  echo '1..0 # SKIP no jq'
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset OMP_PLACES OMP_PROC_BIND HWLOC_XMLFILE HWLOC_FSROOT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
cd "$folder"

# pretended COMMAND...: on the machine whose PUs have the OS numbers $order in logical order.
pretended() {
  rm -rf bindings
  mkdir bindings
  PRETEND="$folder/bindings" PRETEND_PUS=8 HWLOC_THISSYSTEM=1 \
    HWLOC_SYNTHETIC="pack:2 [numa] core:2 pu:2(indexes=$order)" LD_PRELOAD=$library "$@"
}

# place FORMAT RANKS THREADS: the placement in the file `placement`, in the format in `file`, and the
# command that is printed, up to the program, in $command.
place() {
  "$servet" map -n "$2" --threads-per-process "$3" profile.json >placement
  command=$("$servet" map -n "$2" --threads-per-process "$3" --format "$1" -o file profile.json 2>&1)
  command=${command% PROGRAM}
  export OMP_NUM_THREADS="$3"
}

# launch PROGRAM: in the printed command.
launch() {
  pretended sh -c "$command $1"
}

# The cores of each of OpenMP's threads in one rank that the launcher leaves unbound.
threads() {
  OMPI_MCA_hwloc_base_binding_policy=none pretended \
    sh -c "$command sh '$tests/launch.sh' 1 '$servet_mpi' where --json" | jq -r '.ranks[0].threads[].cores'
}

# placed_threads THREADS: the same as the placement has them, whose two cores are neighbours here.
placed_threads() {
  sed 's/,/-/' placement | while read -r _ _ cores; do
    i=0
    while [ "$i" -lt "$1" ]; do
      echo "$cores"
      i=$((i + 1))
    done
  done
}

# Any program will do to see where a launcher puts it: a line as in the placement.
cat >seen <<'END'
#!/bin/sh
echo "$PMI_RANK $(hostname) $(paste -s -d , "$PRETEND/$$")"
END
chmod +x seen

openmpi=$(mpirun --version 2>/dev/null | sed -n 's/^mpirun (Open MPI) \([0-9]*\)\..*/\1/p')
case $openmpi in
  4) rankfile='openmpi-rankfile' ;;
  *) rankfile=openmpi${openmpi}-rankfile ;;
esac

# Siblings half of the numbers away, packages one after the other; and packages in turn.
for order in 0,4,1,5,2,6,3,7 0,4,2,6,1,5,3,7; do
  jq --arg order "$order" --arg host "$(hostname)" '.classes[0] |= (.nodes = [$host] |
    .machine |= (.cores = "0-7" | .pu_count = 8 | .logical_order = $order))' "$profile" >profile.json
  for each in '4 1' '8 1' '4 2'; do
    ranks=${each% *} threads=${each#* }
    name="$order, $ranks ranks of $threads"
    if [ -z "$openmpi" ]; then
      skip "Open MPI, $name" 'there is no mpirun of Open MPI'
    else
      place "$rankfile" "$ranks" "$threads"
      run launch "'$servet_mpi' where placement"
      holds "Open MPI $openmpi, $name" "$out" "*$ranks of $ranks ranks run as placed"
    fi
    if ! command -v mpiexec.hydra >/dev/null; then
      skip "MPICH, $name" 'there is no MPICH'
    else
      place mpich "$ranks" "$threads"
      command="mpiexec.hydra ${command#mpiexec}"
      run launch ./seen
      same "MPICH, $name" "$(printf '%s\n' "$out" | sort -n)" "$(cat placement)"
    fi
    if [ ! -e "${servet_mpi%/*}/src/machine/ranks/servet_openmp.so" ]; then
      skip "OpenMP, $name" 'the C compiler has no OpenMP'
    else
      place omp-places "$ranks" "$threads"
      run threads
      same "OpenMP, $name" "$out" "$(placed_threads "$threads")"
    fi
  done
done

if [ "$openmpi" = 4 ]; then
  place "$rankfile" 4 1
  run pretended mpirun -n 4 --rankfile file "$servet_mpi" where placement
  holds "without the printed options, ranks run elsewhere" "$out" "*0 of 4 ranks run as placed"
else
  skip "without the printed options, ranks run elsewhere" 'Open MPI 4 only'
fi
done_testing
