#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A rank that is killed, or that hangs: the job ends within a minute and says why. Usage:
# failures.sh SOURCE_ROOT PROGRAM
set -eu
. "$1/tests/tap.sh"
launch=$1/tests/mpi/launch.sh
program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The process that is rank $2 below process $1, by what its launcher told it.
rank_below() {
  for child in $(pgrep -P "$1"); do
    if tr '\0' '\n' <"/proc/$child/environ" 2>/dev/null | grep -qE "^(OMPI_COMM_WORLD|PMI)_RANK=$2\$"; then
      printf '%s\n' "$child"
    else
      rank_below "$child" "$2"
    fi
  done
}

# fail_with SIGNAL: starts four ranks and sends the last one SIGNAL once messages go; leaves $status,
# $seconds and the output.
fail_with() {
  sh "$launch" 4 "$program" >"$folder/out" 2>"$folder/err" &
  job=$!
  tries=0
  until grep -q going "$folder/out" || [ $tries -gt 60 ]; do
    sleep 1
    tries=$((tries + 1))
  done
  kill -s "$1" "$(rank_below "$job" 3 | head -n 1)"
  began=$(date +%s)
  status=0
  wait "$job" || status=$?
  seconds=$(($(date +%s) - began))
}

fail_with KILL
ok "a job with a rank that was killed fails" [ "$status" -ne 0 ]
ok "within a minute" [ "$seconds" -le 60 ]

fail_with STOP
ok "a job with a rank that hangs fails" [ "$status" -ne 0 ]
ok "within a minute" [ "$seconds" -le 60 ]
host=$(hostname)
holds "and names the pair" "$(cat "$folder/out")" \
  "*messages from rank 2 ($host, core [0-9]*) to rank 3 ($host, core [0-9]*) hang*"
done_testing
