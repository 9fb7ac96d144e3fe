#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The network's recording by `servet-mpi measure` is enough for `servet analyze` to give the same results. Usage:
# replay.sh SOURCE_ROOT SERVET_MPI SERVET
set -eu
. "$1/tests/tap.sh"
. "$1/tests/processes.sh"
. "$1/tests/mpi/budget.sh"
launch=$1/tests/mpi/launch.sh
servet_mpi=$2
servet=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
network=$("$servet_mpi" --complete measure --only '' | sed 1d | paste -s -d , -)

# measure OPTION...: with four ranks.
# shellcheck disable=SC2317 # called through within
measure() {
  run sh "$launch" 4 "$servet_mpi" measure --quiet "$@"
}

# How long it took is known to the job alone.
but_for_duration() {
  grep -v '"duration_s":'
}

# says_the_same WHAT FOLDER: all that is in the profile comes out again.
says_the_same() {
  "$servet" show --json "$2/profile.json" | but_for_duration >"$folder/then"
  run "$servet" analyze "$2" --json
  clean "$1: nothing is missing" "$err"
  printf '%s\n' "$out" | but_for_duration >"$folder/now"
  clean "$1: analyze says the same to the last digit" "$(diff "$folder/then" "$folder/now" || :)"
}

within 5 measure --only "$network" --message-size 256K -o "$folder/run"
same "four ranks are measured" "$status" 0
says_the_same "the network" "$folder/run"
run "$servet" analyze "$folder/run"
holds "the replay prints a report" "$out" "*Communication of 4 processes on 1 node*layer 1*"

"$servet" gather "$folder/run" -o "$folder/report.tar" >/dev/null
mkdir "$folder/report"
tar -xf "$folder/report.tar" -C "$folder/report"
ok "servet gather includes the recording" [ -s "$folder/report/raw/answers-network-1-curves.txt" ]
clean "the gathered recording has no host names" "$(grep -rwF -e "$(hostname)" "$folder/report" || :)"
same "the gathered recording gives the same results" "$("$servet" analyze "$folder/report" --json | grep -c latency)" \
  "$("$servet" analyze "$folder/run" --json | grep -c latency)"

# Each commit does so with the recording of another machine, in cli-analyze.
if [ -n "${SERVET_THOROUGH-}" ]; then
  within 12 measure --only "node,layers" -o "$folder/both"
  same "node and network are replayed together" "$status" 0
  says_the_same "both" "$folder/both"
  run "$servet" analyze "$folder/both"
  holds "the report shows node and network" "$out" "*L1 *Communication of 4 processes on 1 node*layer 1*"
else
  skip "node and network are replayed together" "each commit does so in cli-analyze: at night only"
fi

# Killed when the layers are known.
sh "$launch" 4 "$servet_mpi" measure --quiet --only "$network" --message-size 256K -o "$folder/killed" \
  >"$folder/out" 2>"$folder/err" &
job=$!
# shellcheck disable=SC2016 # expanded by the inner shell, again and again
wait_until 60 sh -c 'ls "$1"/unfinished-*/answers-network-1-layers.txt' sh "$folder/killed" || :
pkill -KILL -P "$job" || :
wait "$job" || :
within 6 measure --only "$network" --message-size 256K -o "$folder/killed" --resume
same "a killed job is resumed" "$status" 0
ok "the second job has a recording of its own" [ -s "$folder/killed/raw/answers-network-2-scalability.txt" ]
ok "the recording of the first job is kept" [ -s "$folder/killed/raw/answers-network-1-layers.txt" ]
says_the_same "both jobs" "$folder/killed"
done_testing
