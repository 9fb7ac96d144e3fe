#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# `servet measure --resume`: a measurement that was killed goes on where it was.

load common

setup() {
  private_home
}

# All benchmarks (per commit without those that take longest), the same on any machine.
benchmarks=cache,distance,sharing,line,memory${SERVET_THOROUGH:+,concurrency,translation,sync,loaded},peak${SERVET_THOROUGH:+,accelerators}
whole="--machine $BATS_TEST_DIRNAME/tiny.json --max-bytes 256K --only $benchmarks"

# A benchmark that is done at once, and one that takes long enough to be killed in.
short="--machine $BATS_TEST_DIRNAME/tiny.json --only distance,translation --max-bytes 1M"

# unfinished DIR: the folders that runs have left in it.
unfinished() {
  find "$1" -maxdepth 1 -name 'unfinished-*'
}

# kill_after_first DIR WORD...: begins to measure WORD... into DIR, and kills it when the first benchmark is done.
kill_after_first() {
  local pid
  "$SERVET" measure "${@:2}" -q -o "$1" >/dev/null 3>&- &
  pid=$!
  until compgen -G "$1/unfinished-*/progress.json" >/dev/null; do
    kill -0 "$pid" || return 1
    sleep 0.02
  done
  kill -KILL "$pid"
  wait "$pid" || :
}

@test "--resume continues a killed run and repeats no stage" {
  local dir=$BATS_TEST_TMPDIR/dir
  kill_after_first "$dir" $whole
  [ ! -e "$dir/profile.json" ]
  servet get run.benchmarks "$dir"/unfinished-*/progress.json
  [[ $output == cache* ]]
  servet measure $whole --resume -o "$dir"
  [ "$status" -eq 0 ]
  [[ $stderr != *"caches of core"* ]]
  [ -z "$(unfinished "$dir")" ]
  servet get run.benchmarks "$dir"
  [ "$output" = "$benchmarks" ]
  [ -s "$dir/raw/cache-all-lines.csv" ]
  [ ! -e "$dir/raw/progress.json" ]
  servet measure $whole -q -o "$dir.whole"
  for key in caches.count caches.1.bytes caches.2.bytes coherence_line memory.single; do
    [ "$("$SERVET" get $key "$dir")" = "$("$SERVET" get $key "$dir.whole")" ]
  done
}

@test "a run killed at random times completes when resumed" {
  local dir=$BATS_TEST_TMPDIR/dir
  for _ in 1 2 3 4 ${SERVET_THOROUGH:+5 6 7 8}; do
    status=0
    timeout -s KILL "0.$((RANDOM % 9 + 1))" "$SERVET" measure $short --resume -q -o "$dir" >/dev/null || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 137 ]
    [ ! -e "$dir/profile.json" ] || "$SERVET" show "$dir" >/dev/null
  done
  servet measure $short --resume -q -o "$dir"
  [ "$status" -eq 0 ]
  servet get run.benchmarks "$dir"
  [ "$output" = distance,translation ]
}

@test "the old profile stays until the new one is whole" {
  local dir=$BATS_TEST_TMPDIR/out
  mkdir -p "$dir/raw"
  cp "$SOURCE_ROOT/tests/data/profiles/node.json" "$dir/profile.json"
  echo old >"$dir/raw/distance.csv"
  kill_after_first "$dir" $short
  cmp "$SOURCE_ROOT/tests/data/profiles/node.json" "$dir/profile.json"
  [ "$(cat "$dir/raw/distance.csv")" = old ]
  servet measure $short --resume -q -o "$dir"
  [ "$status" -eq 0 ]
  [ "$(head -n 1 "$dir/raw/distance.csv")" != old ]
  servet get distance.layers.count "$dir"
  [ "$status" -eq 0 ]
}

@test "a run begun with other options is not resumed and is kept" {
  local dir=$BATS_TEST_TMPDIR/dir
  kill_after_first "$dir" $short
  servet measure ${short/1M/2M} --seed 7 --resume -o "$dir"
  fails 2 "servet: cannot resume: the options changed from --max-bytes 1048576 to --max-bytes 2097152 --seed 7"
  [ -n "$(unfinished "$dir")" ]
  servet measure $short --resume -q -o "$dir"
  [ "$status" -eq 0 ]
}

@test "a complete run removes an unfinished one with its options, and names one with others" {
  local dir=$BATS_TEST_TMPDIR/dir other
  kill_after_first "$dir" $short
  other=$(unfinished "$dir")
  servet measure ${short/1M/2M} -q -o "$dir"
  [ "$status" -eq 0 ]
  [ "$(unfinished "$dir")" = "$other" ]
  [[ $stderr == "servet: $other has results of an earlier run that was not finished: "* ]]
  servet measure $short -q -o "$dir"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [ -z "$(unfinished "$dir")" ]
}

@test "--resume without an earlier run measures everything" {
  local dir=$BATS_TEST_TMPDIR/dir
  servet measure $short --resume -q -o "$dir"
  [ "$status" -eq 0 ]
  servet get run.benchmarks "$dir"
  [ "$output" = distance,translation ]
}

# LATE_KILL preloaded, a program is killed before the second series is moved to its place.
@test "the next run completes the storing of series that a kill interrupted" {
  [ -n "$LATE_KILL" ] || skip 'nothing can be preloaded before the sanitizers'
  local dir=$BATS_TEST_TMPDIR/dir first
  LD_PRELOAD=$LATE_KILL servet measure $short -q -o "$dir"
  [ "$status" -eq 137 ]
  [ "$(ls "$dir"/raw/*.csv | wc -l)" -eq 1 ]
  first=$(ls "$dir"/raw/*.csv)
  [ -z "$(unfinished "$dir")" ]
  kill_after_first "$dir" $short
  [ -z "$(find "$dir" -name 'stored-*')" ]
  [ "$(ls "$dir"/raw/*.csv | wc -l)" -eq 3 ]
  [ -s "$first" ]
  servet get run.benchmarks "$dir"
  [ "$output" = distance,translation ]
}

@test "if series cannot be stored, the error says where the profile is" {
  [ -n "$LATE_KILL" ] || skip 'nothing can be preloaded before the sanitizers'
  local dir=$BATS_TEST_TMPDIR/dir
  LATE_ERROR=1 LD_PRELOAD=$LATE_KILL servet measure $short -q -o "$dir"
  fails 1 "servet: $dir/raw: cannot put the raw series here: Input/output error; the new profile is in its place, and the next run moves them"
  servet get run.benchmarks "$dir"
  [ "$output" = distance,translation ]
  [ "$(ls "$dir"/raw/*.csv | wc -l)" -eq 1 ]
  servet measure $short -q -o "$dir"
  [ "$status" -eq 0 ]
  [ "$(ls "$dir"/raw/*.csv | wc -l)" -eq 3 ]
  [ -z "$(find "$dir" -name 'stored-*')" ]
}

@test "a run in progress is not resumed by another process" {
  local dir=$BATS_TEST_TMPDIR/dir pid
  "$SERVET" measure --machine dunnington -q -o "$dir" >/dev/null 3>&- &
  pid=$!
  until [ -n "$(unfinished "$dir" 2>/dev/null)" ]; do sleep 0.02; done
  kill -STOP "$pid"
  cp "$SOURCE_ROOT/tests/data/profiles/node.json" "$(unfinished "$dir")/progress.json"
  servet measure $short --resume -q -o "$dir"
  [ "$status" -eq 0 ]
  [ -n "$(unfinished "$dir")" ]
  kill -KILL "$pid"
  wait "$pid" || :
}

@test "the next run removes remnants of runs of this host that were killed early" {
  local dir=$BATS_TEST_TMPDIR/dir here
  here=$(uname -n)
  mkdir -p "$dir/unfinished-$here.early1" "$dir/unfinished-$here.early2" "$dir/unfinished-$here.later" \
    "$dir/unfinished-other.early"
  echo half >"$dir/unfinished-$here.early2/cache-all-lines.csv.$here.1-0"
  cp "$SOURCE_ROOT/tests/data/profiles/node.json" "$dir/unfinished-$here.later/progress.json"
  echo half >"$dir/profile.json.$here.1-0"
  echo half >"$dir/profile.json.other.1-0"
  servet measure $short -q -o "$dir"
  [ "$status" -eq 0 ]
  [ "$(unfinished "$dir" | sort)" = "$(printf '%s\n' "$dir/unfinished-$here.later" "$dir/unfinished-other.early" | sort)" ]
  [ "$(cd "$dir" && printf '%s\n' *profile*)" = $'profile.json\nprofile.json.other.1-0' ]
}

@test "an interrupted run keeps its progress and says so" {
  local dir=$BATS_TEST_TMPDIR/dir pid
  "$SERVET" measure $short -q -o "$dir" >/dev/null 2>"$BATS_TEST_TMPDIR/stderr" 3>&- &
  pid=$!
  until compgen -G "$dir/unfinished-*/progress.json" >/dev/null; do
    kill -0 "$pid"
    sleep 0.02
  done
  kill -TERM "$pid"
  status=0
  wait "$pid" || status=$?
  output='' stderr=$(cat "$BATS_TEST_TMPDIR/stderr")
  fails 1 'servet: *interrupted*; --resume continues from there'
  [ -n "$(unfinished "$dir")" ]
}

@test "SIGINT in a benchmark keeps all benchmarks before it, and --resume does not repeat them" {
  [ -n "$LATE_SIGNAL" ] || skip 'nothing can be preloaded before the sanitizers'
  local dir=$BATS_TEST_TMPDIR/dir curves before
  LATE_SIGNAL_AT=coherence.csv LD_PRELOAD=$LATE_SIGNAL servet measure $whole -q -o "$dir"
  fails 1 'servet: *interrupted*; --resume continues from there'
  [ ! -e "$dir/profile.json" ]
  servet get run.benchmarks "$dir"/unfinished-*/progress.json
  [ "$output" = cache,distance,sharing ]
  curves=$(unfinished "$dir")/cache-all-lines.csv
  before=$(cat "$curves")
  servet measure $whole --resume -o "$dir"
  [ "$status" -eq 0 ]
  [[ $stderr != *"caches of core"* ]]
  [ "$(cat "$dir/raw/cache-all-lines.csv")" = "$before" ]
  servet get run.benchmarks "$dir"
  [ "$output" = "$benchmarks" ]
}
