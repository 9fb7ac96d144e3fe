#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# `servet measure`: what it writes and where, and what happens if it cannot. How well it measures is
# not tested here: the machine of the tests may be any.

load common

# On this machine: small enough to take a few seconds.
small='--max-bytes 4M'
smaller='--only cache --max-bytes 1M' # where any first cache will do

# Facts that do not depend on the machine are tested on a simulated one: done at once, and after a second.
tiny="--machine $BATS_TEST_DIRNAME/tiny.json"
brief="$tiny --only cache --max-bytes 64K --budget 0.1"
lasting="$tiny --only translation"

setup() {
  private_home
}

profile_of_home() {
  printf '%s' "$XDG_DATA_HOME/servet/profile.json"
}

@test "profile and raw series are written to DIR, which the other commands read" {
  local dir="$BATS_TEST_TMPDIR/new dir" curve
  within 3 servet measure $small -o "$dir"
  [ "$status" -eq 0 ]
  [[ $output == *L1* ]]
  [[ ${output##*$'\n'} == 'fit for use' || ${output##*$'\n'} == 'not fit for use: '* ]]
  [ -s "$dir/profile.json" ]
  [ ! -e "$(profile_of_home)" ]
  servet get caches.count "$dir/profile.json"
  [ "$status" -eq 0 ]
  [ "$output" -ge 1 ]
  for curve in "$dir"/raw/cache-*.csv; do
    case $curve in *-visits.csv) continue ;; esac
    servet analyze cache "$curve" --json
    [ "$status" -eq 0 ]
  done
}

@test "by default each machine keeps and finds its own profile" {
  local mine
  mkdir -p "$XDG_DATA_HOME/servet"
  cp "$SOURCE_ROOT/tests/data/profiles/node.json" "$(profile_of_home)"
  servet get caches.count
  fails 1 "*profile.json: not of this node: *measure this node, or name a node class"
  servet get --class default caches.count
  [ "$output" = 3 ]
  servet show
  [ "$status" -eq 0 ]
  [[ $output == '! not of this node: '* ]]
  within 1 servet measure $smaller
  [ "$status" -eq 0 ]
  cmp "$SOURCE_ROOT/tests/data/profiles/node.json" "$(profile_of_home)"
  mine=$(printf '%s' "$output" | sed -n 's/^profile: //p')
  [[ $mine == "$XDG_DATA_HOME"/servet/*/profile.json ]]
  servet get machine.hostname
  [ "$output" = "$(uname -n)" ]
  SERVET_PROFILE=$(profile_of_home) servet get caches.count
  fails 1 "*: not of this node: *"
}

@test "the profile of a cluster is not replaced by the profile of one of its nodes" {
  mkdir -p "$XDG_DATA_HOME/servet"
  local change
  for change in '.classes[0].nodes += ["n2"]' '.classes += [.classes[0] | .name = "fat" | .nodes = ["f1"]]' \
    '.network = $job[0].network'; do
    jq --arg here "$(uname -n)" --slurpfile job "$SOURCE_ROOT/tests/data/profiles/job.json" \
      ".classes[0].nodes = [\$here] | .classes[0].machine.fingerprint = \"\" | $change" \
      "$SOURCE_ROOT/tests/data/profiles/node.json" >"$(profile_of_home)"
    cp "$(profile_of_home)" "$BATS_TEST_TMPDIR/before.json"
    servet measure $small
    fails 1 "servet: $(profile_of_home): describes nodes that are not measured now, and is not replaced: use -o *, and servet merge *"
    cmp "$BATS_TEST_TMPDIR/before.json" "$(profile_of_home)"
  done
}

@test "a second measurement replaces the first and nothing else" {
  local dir=$BATS_TEST_TMPDIR/dir
  servet measure $brief -o "$dir"
  [ "$status" -eq 0 ]
  echo mine | tee "$dir/raw/data.bin" >"$dir/raw/my curve.csv"
  echo 'bytes,ns' | tee "$dir/raw/cache-gone-lines.csv" >"$dir/raw/cache-all-lines.csv"
  mkdir "$dir/raw/cache-folder.csv"
  ln -s data.bin "$dir/raw/cache-link.csv"
  servet measure $brief -o "$dir"
  [ "$status" -eq 0 ]
  [ "$(ls -A "$dir")" = $'profile.json\nraw' ]
  [ "$(cat "$dir/raw/data.bin")" = mine ]
  [ "$(cat "$dir/raw/my curve.csv")" = mine ]
  [ -d "$dir/raw/cache-folder.csv" ]
  [ -L "$dir/raw/cache-link.csv" ]
  [ ! -e "$dir/raw/cache-gone-lines.csv" ]
  [ "$(wc -l <"$dir/raw/cache-all-lines.csv")" -gt 3 ]
}

@test "a file that Servet cannot read is not replaced" {
  local dir="$BATS_TEST_TMPDIR/dir" profile
  mkdir -p "$dir/raw"
  echo 'my notes' >"$dir/raw/answers-cache.txt"
  # shellcheck disable=SC2086 # words
  servet measure $brief -q -o "$dir"
  fails 1 "servet: $dir/raw/answers-cache.txt: no record of Servet, and is not replaced: move it away, or use -o *"
  [ "$(cat "$dir/raw/answers-cache.txt")" = 'my notes' ]
  echo '# probes and answers of an earlier run' >"$dir/raw/answers-cache.txt"
  # shellcheck disable=SC2086
  servet measure $brief -q -o "$dir"
  [ "$status" -eq 0 ]
  grep -q ' = ' "$dir/raw/answers-cache.txt"
  profile=$(profile_of_home)
  mkdir -p "${profile%/*}"
  echo '{"schema": 99}' >"$profile"
  in_time 60 measure $small --only cache --budget 1
  fails 1 "servet: $profile:1: *newer Servet*; it is not replaced: move it away, or use -o to name another folder"
  [ "$(cat "$profile")" = '{"schema": 99}' ]
}

@test "a raw that is not a real folder is refused before measuring" {
  local dir=$BATS_TEST_TMPDIR/dir data=$BATS_TEST_TMPDIR/data
  mkdir "$dir" "$data"
  echo mine >"$data/cache-mine.csv"
  ln -s "$data" "$dir/raw"
  servet measure -o "$dir"
  fails 1 "servet: $dir/raw: *ot a directory*"
  [ "$(cat "$data/cache-mine.csv")" = mine ]
  ln -sfn nowhere "$dir/raw"
  servet measure -o "$dir"
  fails 1 "servet: $dir/raw: *"
  rm "$dir/raw"
  echo mine >"$dir/raw"
  servet measure -o "$dir"
  fails 1 "servet: $dir/raw: *ot a directory*"
  [ "$(cat "$dir/raw")" = mine ]
  [ "$(ls -A "$dir")" = raw ]
}

@test "the folder of a killed run with the same process ID does not stop the next one" {
  local dir=$BATS_TEST_TMPDIR/dir
  mkdir "$dir"
  bash -c 'mkdir "$0/unfinished-$(hostname).$$" && exec "$SERVET" measure $1 -q -o "$0"' "$dir" "$brief" >/dev/null
  [ -s "$dir/profile.json" ]
  [ -s "$dir/raw/cache-all-lines.csv" ]
}

@test "the recorded options repeat the measurement" {
  servet measure --only line --max-bytes 64k --budget 0.1 --seed 7 --pages base --min-bytes=8K $tiny --only cache -q -o "$BATS_TEST_TMPDIR/a"
  [ "$status" -eq 0 ]
  servet get run.options "$BATS_TEST_TMPDIR/a"
  [ "$output" = "--only cache $tiny --budget 0.1 --min-bytes 8192 --max-bytes 65536 --pages base --seed 7" ]
  servet measure $output -q -o "$BATS_TEST_TMPDIR/b"
  [ "$status" -eq 0 ]
  diff -I '"started":' "$BATS_TEST_TMPDIR/a/profile.json" "$BATS_TEST_TMPDIR/b/profile.json"
  diff -r -x answers-machine.txt "$BATS_TEST_TMPDIR/a/raw" "$BATS_TEST_TMPDIR/b/raw"
}

@test "a stored measurement analysed again gives the same results" {
  local dir=$BATS_TEST_TMPDIR/dir
  within 3 servet measure --max-bytes 16M -q -o "$dir" --json
  [ "$status" -eq 0 ]
  printf '%s\n' "$output" >"$BATS_TEST_TMPDIR/then.json"
  servet analyze "$dir" --json
  [ "$status" -eq 0 ]
  [ "$output" == "$(cat "$BATS_TEST_TMPDIR/then.json")" ]
}

@test "without -o the profile is written where programs find it" {
  within 1 servet measure $smaller --quiet
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [ -s "$(profile_of_home)" ]
  servet get caches.1.bytes
  [ "$status" -eq 0 ]
}

@test "--json prints only one JSON document" {
  command -v jq >/dev/null || skip "no jq here"
  servet measure $brief --json
  [ "$status" -eq 0 ]
  [ "$(jq -s length <<<"$output")" -eq 1 ]
  [ -n "$stderr" ]
}

@test "a folder that cannot be written is reported before measuring" {
  : >"$BATS_TEST_TMPDIR/file"
  servet measure -o "$BATS_TEST_TMPDIR/file/below"
  fails 1 "*$BATS_TEST_TMPDIR/file*"
  servet measure -o /proc/none
  fails 1 "*/proc/none*"
}

@test "values that make no sense are usage errors" {
  local words
  for words in '--only nothing' '--pages none' '--budget -1' '--min-bytes 0' '--max-bytes 4Q' \
    '--seed x' '--min-bytes 4M --max-bytes 1M' 'operand'; do
    servet measure $words
    fails 2 '*'
  done
}

# A place with a profile and a series of an earlier run, in $out.
earlier_run() {
  out=$BATS_TEST_TMPDIR/out
  mkdir -p "$out/raw"
  echo old >"$out/profile.json"
  echo old >"$out/raw/cache-all-lines.csv"
}

# Nothing in $out has changed.
untouched() {
  [ "$(cd "$out" && find . -type f | sort)" = $'./profile.json\n./raw/cache-all-lines.csv' ] &&
    [ "$(ls -A "$out")" = $'profile.json\nraw' ] &&
    [ "$(cat "$out/profile.json" "$out/raw/cache-all-lines.csv")" = $'old\nold' ]
}

# begun_then SIGNAL: sends it to the last command of the background once that measures into $out.
begun_then() {
  until compgen -G "$out/unfinished-*" >/dev/null; do
    kill -0 "$!" || return 1
    sleep 0.02
  done
  kill -s "$1" "$!"
}

@test "an interrupted run prints one line, exits 1 and leaves the old profile and no partial file" {
  local signal
  earlier_run
  for signal in TERM INT HUP XCPU; do
    status=0
    set -m # or INT is ignored in the background
    env --default-signal="$signal" "$SERVET" measure -o "$out" -q 2>"$BATS_TEST_TMPDIR/stderr" 3>&- & # despite nohup
    set +m
    begun_then "$signal"
    wait "$!" || status=$?
    output='' stderr=$(cat "$BATS_TEST_TMPDIR/stderr")
    fails 1 'servet: *interrupted*'
    untouched
  done
}

# A model of 224 PUs, which takes minutes. Ten seconds are long for a busy machine, too.
@test "a signal ends the simulation of a large model quickly" {
  local signal left
  earlier_run
  for signal in TERM INT; do
    status=0 left=500
    set -m # or INT is ignored in the background
    env --default-signal="$signal" "$SERVET" measure --machine sapphire-rapids-snc4 -o "$out" -q 2>"$BATS_TEST_TMPDIR/stderr" 3>&- &
    set +m
    begun_then "$signal"
    while kill -0 "$!" 2>/dev/null && [ "$((left -= 1))" -gt 0 ]; do sleep 0.02; done
    kill -s KILL "$!" 2>/dev/null || :
    wait "$!" || status=$?
    output='' stderr=$(cat "$BATS_TEST_TMPDIR/stderr")
    fails 1 'servet: *interrupted*'
    untouched
  done
}

@test "a broken pipe of the progress output leaves no file" {
  earlier_run
  "$SERVET" measure --budget 60 -o "$out" 2>&1 >/dev/null | head -n 1
  untouched
}

@test "signals that the parent ignores stay ignored (nohup)" {
  local out=$BATS_TEST_TMPDIR/out pid
  (
    trap '' HUP
    exec "$SERVET" measure $lasting -q -o "$out"
  ) >/dev/null &
  pid=$!
  begun_then HUP
  wait "$pid"
  [ -s "$out/profile.json" ]
}

@test "a signal while results are being stored does not stop the storing" {
  [ -n "$LATE_SIGNAL" ] || skip 'nothing can be preloaded before the sanitizers'
  earlier_run
  LD_PRELOAD=$LATE_SIGNAL servet measure $brief -q -o "$out"
  [ "$status" -eq 0 ]
  servet get caches.count "$out"
  [ "$status" -eq 0 ]
  [ "$(ls -A "$out")" = $'profile.json\nraw' ]
  [ "$(wc -l <"$out/raw/cache-all-lines.csv")" -gt 3 ]
}

# measure_in PAGES: measures into an earlier run on a disk of PAGES pages, in a private mount namespace; the content of
# the disk is then copied to $out.
# shellcheck disable=SC2016 # for the inner shell
measure_in() {
  local disk=$BATS_TEST_TMPDIR/disk size=$(($1 * $(getconf PAGESIZE)))
  mkdir -p "$disk"
  rm -rf "$out.full"
  status=0
  output=$(unshare --mount bash -c 'mount -t tmpfs -o size='"$size"' none "$1" && cp -r "$2/." "$1" &&
    { "$SERVET" measure $3 -q -o "$1"; status=$?; cp -r "$1" "$2.full"; exit "$status"; }' \
    - "$disk" "$out" "$small" 2>"$BATS_TEST_TMPDIR/stderr") || status=$?
  stderr=$(cat "$BATS_TEST_TMPDIR/stderr")
}

@test "a full disk at any file is reported, and the old profile stays" {
  unshare --mount mount -t tmpfs none "$BATS_TEST_TMPDIR" 2>/dev/null || skip 'no file system can be mounted here'
  local small="$tiny --only cache --max-bytes 16K --budget 0.1" pages last # one series, of less than a page
  earlier_run
  for pages in 2 3; do
    measure_in "$pages"
    fails 1 'servet: *: *No space left on device'
    (out+=.full && untouched)
  done
  # With more pages more gets there: series, the record of probes, progress, the profile.
  for pages in 4 8 16 32 64 128 256; do
    measure_in "$pages"
    [ "$status" -ne 0 ] || break
    fails 1 'servet: *No space left on device*'
    [ "$(cat "$out.full/profile.json" "$out.full/raw/cache-all-lines.csv")" = $'old\nold' ]
  done
  [ "$status" -eq 0 ]
  # Page by page less, until what is known after the benchmark still finds room, and the profile does not.
  while ((--pages > 4)); do
    measure_in "$pages"
    [ "$status" -ne 0 ] || continue
    fails 1 'servet: *No space left on device*'
    last=$stderr
    [[ $last != *'--resume continues from there' ]] || break
  done
  rm -rf "$out.last"
  mv "$out.full" "$out.last"
  [[ $last == *'No space left on device; --resume continues from there' ]]
  rm -r "$out"
  mv "$out.last" "$out"
  small+=' --resume' measure_in 64
  [ "$status" -eq 0 ]
  [ "$(ls -A "$out.full")" = $'profile.json\nraw' ]
}

@test "--explain is for the default method" {
  servet measure --machine dempsey --method servet2010 --explain
  fails 2 "*--explain*default*"
}

@test "--explain reports that no decision of the measurement gives reasons" {
  servet measure $brief --method servet2010 -q -o "$BATS_TEST_TMPDIR/out"
  [ "$status" -eq 0 ]
  servet analyze "$BATS_TEST_TMPDIR/out" --explain
  [ "$status" -eq 0 ]
  [[ $output == *"explanation: no reasons were recorded" ]]
  servet analyze "$BATS_TEST_TMPDIR/out" --explain --json
  [ "$status" -eq 0 ]
  [[ $output == *'"explanation": []'* ]]
}

@test "--explain on a full disk is a failure" {
  status=0
  "$SERVET" measure $brief -q -o "$BATS_TEST_TMPDIR/out" --explain --json \
    >/dev/full 2>"$BATS_TEST_TMPDIR/stderr" || status=$?
  [ "$status" -eq 1 ]
  [[ $(cat "$BATS_TEST_TMPDIR/stderr") == "servet: "*"No space"* ]]
}

# Memory takes 97 ns on this model. When the second is over, the largest set is one of the second cache, of 5.6 ns.
@test "a curve that the budget cuts gives no trusted latency of memory" {
  command -v jq >/dev/null || skip 'no jq here'
  "$SERVET" measure --machine apple-m1 --budget 1 -q -o "$BATS_TEST_TMPDIR/out"
  [ "$(jq '[.. | .memory?.latency_ns? // empty | select(.trusted and (.value < 80 or .value > 115))] | length' \
    "$BATS_TEST_TMPDIR/out/profile.json")" = 0 ]
  [ "$(jq '[.. | .caches? // empty | .[] | select(.level == 1 and .bytes.trusted) | .bytes.value]' -c \
    "$BATS_TEST_TMPDIR/out/profile.json")" = '[131072,65536]' ]
}

@test "an unknown benchmark is answered by the list of them" {
  servet measure --only cache,frob
  fails 2 "servet: --only must be a list with commas of cache, sharing, * or accelerators, not 'cache,frob'"
}
