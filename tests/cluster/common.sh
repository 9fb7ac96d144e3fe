# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What all tests on virtual clusters begin with. Usage of each: TEST.sh SOURCE_ROOT SERVET_MPI SERVET
# shellcheck disable=SC2034 # for the tests
set -eu
root=$1 servet_mpi=$2 servet=$3
# shellcheck source=tests/tap.sh
. "$root/tests/tap.sh"
# shellcheck source=tests/processes.sh
. "$root/tests/processes.sh"
cluster_tools=$root/tests/cluster
# shellcheck source=tests/cluster/hosts.sh
. "$cluster_tools/hosts.sh"
# shellcheck source=tests/cluster/links.sh
. "$cluster_tools/links.sh"

for reason in "$(cluster_lacks)" "$(cluster_lacks_mpi)"; do
  [ -z "$reason" ] || { echo "1..0 # SKIP $reason" && exit 0; }
done
folder=$(mktemp -d)
trap 'cluster_end; rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# measure RANKS OPTION...: with so many ranks on each host, or with h0:2,h1:1,... The facts are the
# test's from then on.
measure() {
  hosts=$1
  shift
  case $hosts in *:*) ;; *) hosts=$(ranks_each "$hosts") ;; esac
  rm -rf "$folder/measured"
  run mpi_on "$hosts" ${starter:+"$starter"} "$servet_mpi" measure --quiet -o "$folder/measured" "$@"
  same "servet-mpi measure $* with $hosts" "$status $(printf '%s\n' "$err" | grep '^servet:')" "0 "
}

# fact KEY
fact() {
  "$servet" get "$1" "$folder/measured/profile.json"
}

# near KEY TRUTH...: the facts KEY.1, KEY.2, ... are these, within 15 %.
near() {
  key=$1 index=0
  shift
  for truth; do
    index=$((index + 1))
    value=$(fact "$key.$index" 2>&1) || :
    ok "$key.$index is $truth: $value" \
      awk "BEGIN { exit !(\"$value\" + 0 >= 0.85 * $truth && \"$value\" + 0 <= 1.15 * $truth) }"
  done
}

# processes HOST: of the job, with their names.
processes() {
  for process in $(ip netns pids "$(namespace_of "$1")"); do
    name=$(cat "/proc/$process/comm" 2>/dev/null) || continue
    [ "$name" = sleep ] || echo "$process $name"
  done
}
