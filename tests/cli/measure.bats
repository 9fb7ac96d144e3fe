#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# `servet measure`: what it writes and where, and what happens if it cannot. How well it measures is
# not asked here: the machine of the tests is nobody's.

load common

# Small enough to take a second or two.
small='--max-bytes 4M --budget 3'

setup() {
  private_home
}

profile_of_home() {
  printf '%s' "$XDG_DATA_HOME/servet/profile.json"
}

@test "writes profile and raw series into DIR, which the other commands read" {
  local dir="$BATS_TEST_TMPDIR/new dir" curve
  servet measure $small -o "$dir"
  [ "$status" -eq 0 ]
  [[ $output == *L1* ]]
  [ -s "$dir/profile.json" ]
  [ ! -e "$(profile_of_home)" ]
  servet get caches.count "$dir/profile.json"
  [ "$status" -eq 0 ]
  [ "$output" -ge 1 ]
  for curve in "$dir"/raw/*.csv; do
    servet analyze cache "$curve" --json
    [ "$status" -eq 0 ]
  done
}

@test "a second measurement takes the place of the first and leaves nothing else" {
  local dir=$BATS_TEST_TMPDIR/dir
  servet measure $small -o "$dir"
  [ "$status" -eq 0 ]
  : >"$dir/raw/of an earlier run.csv"
  servet measure $small -o "$dir"
  [ "$status" -eq 0 ]
  [ "$(ls -A "$dir")" = $'profile.json\nraw' ]
  [ ! -e "$dir/raw/of an earlier run.csv" ]
}

@test "without -o the profile lands where programs find it" {
  servet measure $small --quiet
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [ -s "$(profile_of_home)" ]
  servet get caches.1.bytes
  [ "$status" -eq 0 ]
}

@test "--json prints one JSON document and nothing else" {
  command -v jq >/dev/null || skip "no jq here"
  servet measure $small --json
  [ "$status" -eq 0 ]
  [ "$(jq -s length <<<"$output")" -eq 1 ]
  [ -n "$stderr" ]
}

@test "a folder that cannot be written is said before measuring" {
  : >"$BATS_TEST_TMPDIR/file"
  SECONDS=0
  servet measure -o "$BATS_TEST_TMPDIR/file/below"
  fails 1 "*$BATS_TEST_TMPDIR/file*"
  servet measure -o /proc/none
  fails 1 "*/proc/none*"
  [ "$SECONDS" -le 5 ]
}

@test "values that make no sense are usage errors" {
  local words
  for words in '--only nothing' '--pages none' '--budget -1' '--min-bytes 0' '--max-bytes 4Q' \
    '--seed x' '--min-bytes 4M --max-bytes 1M' 'operand'; do
    servet measure $words
    fails 2 '*'
  done
}

@test "interrupted: the old profile is untouched and no half file stays" {
  local signal out=$BATS_TEST_TMPDIR/out
  mkdir "$out"
  echo old >"$out/profile.json"
  for signal in TERM INT; do
    status=0
    timeout --preserve-status -s "$signal" 2 "$SERVET" measure -o "$out" 2>"$BATS_TEST_TMPDIR/stderr" || status=$?
    [ "$status" -ne 0 ]
    [[ $(tail -n 1 "$BATS_TEST_TMPDIR/stderr") == "servet: "*interrupted* ]]
    [ "$(cat "$out/profile.json")" = old ]
    [ "$(find "$out" -mindepth 1)" = "$out/profile.json" ]
  done
}
