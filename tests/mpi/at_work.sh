#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Two jobs of `servet-mpi measure` in one folder: the second is refused, until the first has ended, however
# it does. Usage: at_work.sh SOURCE_ROOT SERVET_MPI
set -eu
. "$1/tests/tap.sh"
. "$1/tests/processes.sh"
launch=$1/tests/mpi/launch.sh
servet_mpi=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
place=$folder/place

measure() {
  sh "$launch" 2 "$servet_mpi" measure --quiet --budget 30 -o "$place" "$@"
}

measure --only node,layers >"$folder/out" 2>"$folder/err" &
first=$!
wait_until 60 [ -s "$place/profile.json" ] || :
holder=$(cut -d ' ' -f 2 "$place/at-work-mpi")
ok "the lock file names the running process" grep -q servet-mpi "/proc/$holder/cmdline"
# It stands still while others come, or its job would end by the clock.
kill -STOP "$holder"
before=$(ls "$place")

run measure --only layers
same "a second job in the folder is refused" "$(printf '%s\n' "$err" | grep '^servet:')" \
  "servet: $place: process $holder on $(hostname) is writing to this folder: wait until it ends, or use -o to name another folder"
ok "the refusal has a status other than 0" [ "$status" -ne 0 ]
same "a refused job leaves the folder unchanged" "$(ls "$place")" "$before"
run measure --only node,layers --resume
holds "a job with --resume is refused, too" "$err" "*servet: $place: process $holder on *"
ok "the first job continues" kill -0 "$first"

kill -KILL "$holder"
wait "$first" 2>/dev/null || :
wait_until 60 sh -c "! kill -0 $holder" || :
ok "a killed job leaves the lock file" [ -e "$place/at-work-mpi" ]
run measure --only layers
same "the lock file of a killed job stops no other job" "$status" 0
ok "the lock file is removed at the end" [ ! -e "$place/at-work-mpi" ]
done_testing
