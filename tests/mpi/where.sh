#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `servet-mpi where`: it says where ranks and threads are bound, whether that is where they were placed,
# and why not. Ranks are bound by taskset, whatever launcher there is. Usage:
# where.sh SOURCE_ROOT SERVET_MPI
set -eu
. "$1/tests/tap.sh"
launch=$1/tests/mpi/launch.sh
servet_mpi=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
host=$(hostname)
unset OMP_NUM_THREADS OMP_PLACES OMP_PROC_BIND
export OMPI_MCA_hwloc_base_binding_policy=none

# The first two cores that this test itself may use.
allowed=$(taskset -cp $$ | sed 's/.*: //')
# shellcheck disable=SC2046 # one word a number
set -- $(echo "$allowed" | tr ',' '\n' | while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done)
first=$1 second=${2:-}

# where CORES... -- ARGUMENT...: a rank on each of these sets of cores tells where it is.
where() {
  ranks=0
  : >"$folder/cores"
  while [ "$1" != -- ]; do
    echo "$1" >>"$folder/cores"
    ranks=$((ranks + 1))
    shift
  done
  shift
  run sh "$launch" "$ranks" "$folder/bound" "$servet_mpi" where "$@"
}
cat >"$folder/bound" <<'END'
#!/bin/sh
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
exec taskset -c "$(sed -n "$((rank + 1))p" "${0%/*}/cores")" "$@"
END
chmod +x "$folder/bound"

run "$servet_mpi" where --help
same "help needs no launcher" "$status" 0
holds "the help shows the arguments" "$out" '*where*\[PLACEMENT\]*--json*'

where "$first" --
same "the binding of a single rank is printed" "$out" "rank 0 on $host, cores $first, now on $first"
same "a single rank exits 0" "$status" 0

printf '0 %s %s\n' "$host" "$first" >"$folder/one"
where "$first" -- "$folder/one"
same "a rank where it was placed: status" "$status" 0
holds "a rank where it was placed: report" "$out" '*1 of 1 rank runs as placed'

where "$first" "$first" -- "$folder/one"
same "more ranks than were placed: status" "$status" 1
holds "more ranks than were placed: reason" "$err" '*servet: the job has 2 ranks, the placement 1*'

where "$first" -- "$folder/nowhere"
ok "a missing placement is refused" [ "$status" -ne 0 ]
holds "the message names the missing placement" "$err" "*servet: $folder/nowhere*"

where "$first" "$first" -- --frob
same "a wrong command line exits 2" "$status" 2
same "only one rank reports a wrong command line" "$(printf '%s\n' "$err" | grep -c '^servet: ')" 1

printf '0 %s %s\n' nobody "$first" >"$folder/other"
where "$first" -- "$folder/other"
same "a rank on another node: status" "$status" 1
holds "a rank on another node: reason" "$out" '*placed on nobody*runs on another node*'

printf '{"processes": [{"rank": 0, "host": "a\\u001b[2J\\nrank 1\\u009b\\u202eb", "cores": [%s]}]}' "$first" >"$folder/hostile"
where "$first" -- "$folder/hostile"
holds "a hostile name of a host is cleaned" "$out" "rank 0 on $host, cores $first, now on $first; placed on a?\[2J?rank 1?????b, *
0 of 1 rank runs as placed"

printf '0 %s 8191\n' "$host" >"$folder/none"
where "$first" -- "$folder/none"
holds "a core outside of the job's cpuset is reported" "$out" "*core 8191 is not in the job's cpuset (*)*"

if [ -z "$second" ]; then
  skip 'two cores' 'there is only one core'
  done_testing
fi

printf '0 %s %s\n1 %s %s\n' "$host" "$first" "$host" "$second" >"$folder/two"
where "$first" "$second" -- "$folder/two"
same "two ranks run where they were placed" "$status" 0
where "$second" "$first" -- "$folder/two"
same "two ranks that are exchanged: status" "$status" 1
holds "two ranks that are exchanged: reasons" "$out" '*other cores*other cores*0 of 2 ranks run as placed'
where "$first" "$first,$second" -- "$folder/two"
holds "the binding of a rank that is free to move is printed" "$out" "rank 0 on $host, cores $first, now on $first
rank 1 on $host, cores *, now on *; placed on $host, cores $second: *
1 of 2 ranks run as placed"

where "$second" "$first" -- --json "$folder/two"
same "as JSON: status" "$status" 1
printf '%s\n' "$out" >"$folder/json"
if command -v jq >/dev/null; then
  same "as JSON" "$(jq -c '.ranks[1] | [.rank, .host, .cores, .threads, .placed, .agrees, .reason]' "$folder/json")" \
    "[1,\"$host\",\"$first\",[{\"cores\":\"$first\",\"core\":$first}],{\"host\":\"$host\",\"cores\":\"$second\"},false,\"bound to other cores\"]"
else
  skip "as JSON" 'no jq'
fi

# Sanitizers load modules in the name of their own library, which has another run path.
LD_LIBRARY_PATH=${servet_mpi%/*}/src/machine/ranks${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
printf '0 %s %s,%s\n' "$host" "$first" "$second" >"$folder/threads"
if [ -e "${servet_mpi%/*}/src/machine/ranks/servet_openmp.so" ]; then
  export OMP_NUM_THREADS=2 OMP_PROC_BIND=true OMP_PLACES=threads
  where "$first,$second" -- "$folder/threads"
  same "threads on cores of their own" "$status" 0
  holds "threads on cores of their own: report" "$out" "*now on $first,$second*"
  export OMP_NUM_THREADS=3 OMP_PROC_BIND=false
  where "$first,$second" -- "$folder/threads"
  holds "more threads than cores are reported" "$out" '*3 threads for 2 cores*'
else
  skip "threads on cores of their own" 'the C compiler has no OpenMP'
fi
done_testing
