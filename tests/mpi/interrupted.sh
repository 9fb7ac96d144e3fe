#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ctrl-C in a job of ranks, and SIGTERM for its launcher: it ends at once and says so, keeps what was measured, and goes on
# from there. Usage:
# interrupted.sh SOURCE_ROOT SERVET_MPI SERVET
set -eu
. "$1/tests/tap.sh"
. "$1/tests/processes.sh"
. "$1/tests/mpi/budget.sh"
launch=$1/tests/mpi/launch.sh
servet_mpi=$2
servet=$3
folder=$(mktemp -d)
job=
trap '[ -z "$job" ] || kill -s KILL -- "-$job" 2>/dev/null || :; rm -rf "$folder"' EXIT

# begin OPTION...: a job in a process group of its own, as a terminal has it; others would ignore the signal.
begin() {
  : >"$folder/out" # what the job before said is not waited for
  setsid env --default-signal=INT sh "$launch" 2 "$servet_mpi" measure -o "$folder/all" "$@" \
    >"$folder/out" 2>&1 &
  job=$!
}

# interrupt SIGNAL WHOM: the group, as a terminal does at Ctrl-C, or the launcher alone, as a batch system does.
interrupt() {
  began=$(date +%s)
  case $2 in
  group) kill -s "$1" -- "-$job" ;;
  launcher) kill -s "$1" "$job" ;;
  esac
  status=0
  wait "$job" || status=$?
  seconds=$(($(date +%s) - began))
}

# One line of Servet's, whatever the launcher says.
tells() {
  grep '^servet: ' "$folder/out"
}

known() {
  "$servet" get "$1" "$folder/all/profile.json"
}

interrupted='servet: interrupted; --resume continues from there'
everything=$("$servet_mpi" --complete measure --only '' | paste -s -d , -)

# ends WHAT SIGNAL WHOM: a job that measures its nodes and gets the signal.
ends() {
  begin
  wait_until 60 grep -q 'caches of core' "$folder/out" || :
  interrupt "$2" "$3"
  ok "$1 fails" [ "$status" -ne 0 ]
  ok "$1 ends without being taken for one that hangs: $seconds s" [ "$seconds" -lt 45 ]
  same "$1 says so" "$(tells)" "$interrupted"
  same "$1: all that was not measured is unfinished" "$(known run.unfinished)" "$everything"
  rm -rf "$folder/all"
}

ends "an interrupted job" INT group
if [ -n "${SERVET_THOROUGH-}" ]; then
  ends "a job whose launcher gets SIGTERM" TERM launcher
else
  skip "a job whose launcher gets SIGTERM" "the ranks end as after Ctrl-C: at night only"
fi

# The times of the curve of the layer.
points() {
  "$servet" get --all "$folder/all/profile.json" | grep '^layers\.1\.points\.[0-9]*\.time_us'
}

# interrupt_at_curve SECONDS: a job with that budget is interrupted when the curve of the layer is known, which is before
# its batches are. Fails if it ended before, for that was too short here.
network=layers,curves,aggregation
interrupt_at_curve() {
  rm -rf "$folder/all"
  begin --only "$network" --budget "$1"
  wait_until 300 has_curve_or_ended || :
  interrupt INT group
  [ "$(known run.unfinished)" = aggregation ]
}

# shellcheck disable=SC2317 # called through others
has_curve_or_ended() {
  known layers.1.points.count || ! kill -0 "$job"
}

budget=6
until interrupt_at_curve "$budget" 2>/dev/null || [ "$budget" -gt 100 ]; do
  budget=$((2 * budget))
done
ok "a job that is interrupted between its ranks fails" [ "$status" -ne 0 ]
ok "it ends without being taken for one that hangs: $seconds s" [ "$seconds" -lt 45 ]
same "it says so" "$(tells)" "$interrupted"
ok "the curve is kept" points
same "the rest is unfinished" "$(known run.unfinished)" aggregation
curve=$(points)
within 2 run sh "$launch" 2 "$servet_mpi" measure --quiet -o "$folder/all" --only "$network" --resume
same "the job is resumed" "$status" 0
clean "nothing is unfinished then" "$(known run.unfinished)"
same "the resumed job does not measure the curve again: each time is the same" "$(points)" "$curve"
done_testing
