#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The benefit of a mapping: the examples with MPI on eight hosts of four cores whose processes share an uplink, placed
# as the launcher does by itself and as `servet map` does. The fastest run of each counts, of three where the first does
# not show the difference. If both placements are equal, nothing is timed. Usage: mapping.sh SOURCE_ROOT SERVET
# TRANSPOSE STENCIL
# shellcheck disable=SC2119,SC2317 # arguments that may be left out; called through ok
set -eu
. "$1/tests/tap.sh"
cluster_tools=$1/tests/cluster
# shellcheck source=tests/cluster/hosts.sh
. "$cluster_tools/hosts.sh"
# shellcheck source=tests/cluster/links.sh
. "$cluster_tools/links.sh"
launch=$1/tests/mpi/launch.sh
SERVET_PROFILE=$1/tests/data/profiles/star.json
servet=$(realpath "$2")
transpose=$(realpath "$3")
stencil=$(realpath "$4")
export SERVET_PROFILE

reason=$(cluster_lacks)
[ -n "$reason" ] || reason=$(cluster_lacks_mpi)
if [ -n "$reason" ]; then
  echo "1..0 # SKIP $reason"
  exit 0
fi

# The cables are so slow that neither two real cores nor the work between messages matter. Ranks are not bound: the
# hosts have fewer cores than they say.
trap cluster_end EXIT
trap 'exit 1' HUP INT TERM PIPE
cluster_begin
cluster_hosts 8
cluster_star 20mbit
cluster_mpi
export OMPI_MCA_hwloc_base_binding_policy=none
cd "$SERVET_CLUSTER"
for host in $(cluster_list); do
  echo "$host slots=4"
done >slots

# seconds OPTION... PROGRAM...: of a step of $processes ranks.
seconds() {
  in_host h0 sh "$launch" "$processes" "$@" 2>>log | sed -n 's/.*: *\([0-9.]*\) s a step, the results agree$/\1/p'
}

# placed RANKS PATTERN: the host of each rank.
placed() {
  "$servet" map -n "$1" --pattern "$2" --message-size 32K --format pbs
}

# by_slot RANKS: those of the launcher, which fills host after host.
by_slot() {
  cluster_list | awk -v "ranks=$1" '{ for (slot = 0; slot < 4 && n < ranks; n++) { slot++; print } }'
}

# Is true if it is $least times as fast.
at_least() {
  awk -v "ratio=$ratio" -v "least=$least" 'BEGIN { exit !(ratio >= least) }'
}

gains() {
  at_least || { cat log && false; }
}

# is_faster NAME LEAST RANKS PATTERN PROGRAM...: when mapped it is at least LEAST times as fast.
is_faster() {
  what=$1 least=$2 processes=$3
  placed "$3" "$4" >mapped
  shift 4
  : >measured.txt
  ratio=0
  for _ in 1 2 3; do
    ! at_least || break
    echo "$(seconds --hostfile slots "$@") $(seconds --map-by seq --hostfile mapped "$@")" >>measured.txt
    ratio=$(awk '
      NF < 2 { failed = 1 }
      NR == 1 || $1 < by_default { by_default = $1 }
      NR == 1 || $2 < by_servet { by_servet = $2 }
      END { print failed ? 0 : by_default / by_servet }' measured.txt)
  done
  ok "$what" gains
  echo "# $processes ranks, ${1##*/}: $ratio times as fast mapped (seconds by default, mapped: $(paste -s -d ';' measured.txt))"
}

# Four ranks of a host share its uplink by default, which by ratNC makes each four times as slow: 16 messages pass an
# uplink one after the other. With one rank on each host it is 7.
is_faster "a transpose on a part of the cores is 1.5 times as fast" 1.5 8 all-to-all "$transpose" 64 3

# Two rows of the grid are on each host by default: 2 messages pass its uplink. If spread out, 3 would.
same "a stencil that is placed well already is unchanged" "$(placed 8 stencil-2d)" "$(by_slot 8)"

# A row on each host sends 8 messages, a tile of 2 x 2 sends 4.
is_faster "a stencil in tiles is faster than in rows" 1.25 16 stencil-2d "$stencil" 64 3

# All cores: nothing can be gained.
same "a transpose on all cores is unchanged" "$(placed 32 all-to-all)" "$(by_slot 32)"
done_testing
