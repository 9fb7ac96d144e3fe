#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A rank that is killed, or that hangs: the job ends within a minute and says why. Usage:
# failures.sh SOURCE_ROOT PROGRAM
set -eu
. "$1/tests/tap.sh"
. "$1/tests/processes.sh"
launch=$1/tests/mpi/launch.sh
program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The last rank, in $rank.
# shellcheck disable=SC2317 # wait_until calls it
rank_is_found() {
  rank=$(rank_below "$job" 3 | head -n 1)
  [ -n "$rank" ]
}

# fail_with SIGNAL: starts four ranks and sends the last one SIGNAL once messages go; leaves $status,
# $seconds and the output.
fail_with() {
  : >"$folder/out" # what the job before wrote is not of this one
  sh "$launch" 4 "$program" >"$folder/out" 2>"$folder/err" &
  job=$!
  wait_until 60 grep -q going "$folder/out" || :
  wait_until 60 rank_is_found || sed 's/^/# /' "$folder/out" "$folder/err"
  kill -s "$1" "$rank"
  began=$(date +%s)
  status=0
  wait "$job" || status=$?
  seconds=$(($(date +%s) - began))
}

fail_with KILL
ok "a job with a rank that was killed fails" [ "$status" -ne 0 ]
ok "the job ends within a minute after a rank was killed" [ "$seconds" -le 60 ]

fail_with STOP
ok "a job with a rank that hangs fails" [ "$status" -ne 0 ]
ok "the job ends within a minute after a rank hangs" [ "$seconds" -le 60 ]
host=$(hostname)
holds "the message names the pair that hangs" "$(cat "$folder/out")" \
  "*messages from rank 2 ($host, core [0-9]*) to rank 3 ($host, core [0-9]*) hang*"
done_testing
