# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# The beginning of all tests on virtual clusters. Usage of each: TEST.sh SOURCE_ROOT SERVET_MPI SERVET
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
trap 'exit 1' HUP INT TERM PIPE

# measure RANKS OPTION...: with RANKS ranks on each host, or with h0:2,h1:1,... The test's facts are those of this
# measurement from then on.
measure() {
  measured=$*
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

# --- a machine that others use, too ---------------------------------------------------------------

# offence KEY TEXT: a fact is wrong, and the run says itself that it is not to be trusted, or does not.
offence() {
  case $(fact "$1.trusted" 2>&1) in
    no) echo "marked: $2" ;;
    *) echo "unmarked: $2" ;;
  esac
}

# settled OFFENCES: all is right, or something is wrong that nothing warns of.
settled() {
  case $1 in
    '' | unmarked* | *"
unmarked"*) ;;
    *) return 1 ;;
  esac
}

# unless_disturbed NAME COMMAND...: the command finds no offence in what was measured. A run that marks what is
# wrong is repeated, three times at most; on a machine that is always busy nothing is proved, and that is said.
unless_disturbed() {
  name=$1 repeats=3
  shift
  offences=$("$@")
  until settled "$offences" || [ "$repeats" -eq 0 ]; do
    repeats=$((repeats - 1))
    # shellcheck disable=SC2086 # words
    measure $measured
    offences=$("$@")
  done
  if settled "$offences"; then
    clean "$name" "$offences"
  else
    skip "$name" "each run says that it was disturbed: $(echo "$offences" | tr '\n' ' ')"
  fi
}

# far_off KEY TRUTH...: those of the facts KEY.1, KEY.2, ... that are not these, within 15 %.
far_off() {
  key=$1 index=0
  shift
  for truth; do
    index=$((index + 1))
    value=$(fact "$key.$index" 2>&1) || :
    awk "BEGIN { exit !(\"$value\" + 0 >= 0.85 * $truth && \"$value\" + 0 <= 1.15 * $truth) }" ||
      offence "$key.$index" "$key.$index is $value, not $truth"
  done
}

# near KEY TRUTH...: the facts KEY.1, KEY.2, ... are these, unless the run was disturbed.
near() {
  unless_disturbed "$*" far_off "$@"
}

# --- processes ------------------------------------------------------------------------------------

# processes HOST: of the job, with their names.
processes() {
  for process in $(ip netns pids "$(namespace_of "$1")"); do
    name=$(cat "/proc/$process/comm" 2>/dev/null) || continue
    [ "$name" = sleep ] || echo "$process $name"
  done
}
