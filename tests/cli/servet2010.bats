#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The method of the papers of 2010 on the command line: on curves, on models, on this node.

# shellcheck disable=SC2154 # set in common.bash
load common

# Dempsey is measured once; what does not depend on the machine is tested on a tiny one.
setup_file() {
  "$SERVET" measure --machine "$SOURCE_ROOT/share/models/dempsey.json" --method servet2010 --max-bytes 6M -q \
    -o "$BATS_FILE_TMPDIR/dempsey" >"$BATS_FILE_TMPDIR/report" 2>"$BATS_FILE_TMPDIR/errors"
}

setup() {
  private_home
  cd "$BATS_TEST_TMPDIR" || return 1
  models=$SOURCE_ROOT/share/models
  tiny=$BATS_TEST_DIRNAME/tiny.json
  dempsey=$BATS_FILE_TMPDIR/dempsey
}

# coloured FILE: the papers' grid to 20 MiB; 4 cycles to 32 KiB, 14 to 512 KiB, 40 to 8 MiB, then 200, each
# boundary in one step, as where pages are coloured.
coloured() {
  awk 'BEGIN {
    print "bytes,cycles"
    for (s = 4096; s <= 20 * 1048576; s += s < 2097152 ? s : 1048576)
      printf "%d,%d\n", s, s <= 32768 ? 4 : s <= 524288 ? 14 : s <= 8388608 ? 40 : 200
  }' >"$1"
}

# values KEY: what each level of the JSON on stdout says about KEY, in one line.
values() {
  sed -n 's/^ *"'"$1"'": \(.*[^,]\),*$/\1/p' <<<"$output" | tr '\n' ' '
}

@test "a curve with one step for each level is analysed" {
  coloured curve.csv
  servet analyze cache curve.csv --method servet2010 --json
  [ "$status" -eq 0 ]
  [ "$(values bytes)" = "32768 524288 8388608 " ]
  servet analyze cache curve.csv --method servet2010
  [[ $output == *L1*"32 KiB"*L2*"512 KiB"*L3*"8 MiB"*mem*200* ]]
}

@test "with random pages the capacity is not at the steepest rise" {
  servet analyze cache "$SOURCE_ROOT/tests/data/curves/random-pages.csv" --method servet2010 --json
  [ "$(values bytes)" = "16384 2097152 " ]
  servet analyze cache "$SOURCE_ROOT/tests/data/curves/random-pages.csv" --method servet2010 --votes 1 --json
  [ "$(values bytes)" = "16384 2097152 " ]
}

@test "the page size changes the result" {
  # No way of a 2 MiB cache holds a page of 1 GiB: what is left is the steepest step.
  servet analyze cache "$SOURCE_ROOT/tests/data/curves/random-pages.csv" --method servet2010 --page-size 1G --json
  [ "$(values bytes)" = "16384 1048576 " ]
}

@test "values that make no sense are refused" {
  coloured curve.csv
  servet analyze cache curve.csv --method servet2011
  fails 2 "*servet2011*"
  servet analyze cache curve.csv --method servet2010 --votes 0
  fails 2 "*--votes must be a whole number from 1 to 64*"
  servet measure --method paper
  fails 2 "*paper*"
  servet measure --method servet2010 --pages huge
  fails 2 "*--pages must be base*"
  servet measure --method servet2010 --sharing-ratio 0.9
  fails 2 "*--sharing-ratio*"
  servet measure --method servet2010 --only line -o out
  fails 1 "*does not measure line*"
  servet measure --method servet2010 --votes 0
  fails 2 "*--votes*"
  servet measure --method servet2010 --votes 65
  fails 2 "*--votes*"
}

@test "an unreadable model is reported before any file is written" {
  servet measure --machine nobody -o out
  fails 1 "*nobody*"
  [ ! -e out ]
  echo '{"model": 1,' >bad.json
  servet measure --machine ./bad.json -o out
  fails 1 "servet: ./bad.json:*"
  [ ! -e out ]
  servet measure --machine ./bad.json
  fails 1 "servet: ./bad.json:*"
  [ ! -e "$XDG_DATA_HOME" ]
}

@test "a model never replaces this node's profile" {
  local own=$XDG_DATA_HOME/servet
  mkdir -p "$own/raw"
  echo mine | tee "$own/raw/cache-all-lines.csv" >"$own/profile.json"
  servet measure --machine "$tiny" --method servet2010 -q
  [ "$status" -eq 0 ]
  [[ $output == *"profile: $own/machines/tiny/profile.json"$'\n'"fit for use" ]]
  [ "$(cat "$own/profile.json" "$own/raw/cache-all-lines.csv")" = $'mine\nmine' ]
  [ "$(ls -A "$own" "$own/raw")" = "$own:"$'\nmachines\nprofile.json\nraw\n\n'"$own/raw:"$'\ncache-all-lines.csv' ]
  servet get machine.hostname "$own/machines/tiny"
  [ "$output" = tiny ]
  # Whatever the file is called.
  local name
  for name in ...json ..json .json; do
    cp "$tiny" "./$name"
    servet measure --machine "./$name" -q
    fails 1 "servet: ./$name: *-o*"
  done
  [ "$(cat "$own/profile.json")" = mine ]
  [ "$(ls -A "$own/machines")" = tiny ]
}

@test "progress shows simulated and real time of a model" {
  servet measure --machine "$tiny" --method servet2010 --only cache -o out
  [[ $stderr == *" s ("*" s here"*") caches of core "* ]]
}

# on_terminal TERM COLUMNS: what the terminal gets of the progress of a run.
on_terminal() {
  script -qec "stty cols $2; TERM=$1 '$SERVET' measure --machine '$tiny' --method servet2010 \
    --only cache -o out >/dev/null" /dev/null </dev/null
}

@test "progress fits the width of the terminal, and is a line every few seconds if the terminal cannot clear one" {
  command -v script >/dev/null || skip 'no script here'
  local column narrow lines
  for column in 30 60 200; do
    narrow=$(on_terminal xterm $column)
    [[ $narrow == *' %'* ]]
    [ "$(tr '\r' '\n' <<<"$narrow" | sed 's/\x1b\[K//g' | awk '{ if (length($0) > n) n = length($0) } END { print n }')" -lt $column ]
    [ $column -ne 30 ] || [[ $narrow != *$'\r['* ]]
  done
  [[ $narrow == *$'\r['[#.]*'] '*' % '*$'\e[K'* ]]
  [[ $narrow == *' s here) '*' s here, about '*' s left) '* ]]
  lines=$(on_terminal dumb 200)
  [[ $lines != *$'\e'* ]]
  [[ $lines == *' % '*'caches of core '* ]]
}

@test "each column has a header" {
  local report
  report=$(cat "$BATS_FILE_TMPDIR/report")
  [[ $report != *"95 %"* ]]
  [[ $report == *"range of votes"*"votes"* ]]
  grep -Eq '^  L1 +16 KiB  - .* - ' <<<"$report" # a step of the curve: nobody voted
  grep -Eq '^  L2 +2 MiB  [0-9].* [0-9]+ %  ' <<<"$report"
  servet show "$dempsey"
  grep -qxF "$(grep '^  L2 *2 MiB' <<<"$report")" <<<"$output"
}

@test "benchmarks that did not fit the budget or were not requested are listed" {
  servet measure --machine "$models/dunnington.json" --method servet2010 --budget 1.5 -q -o out
  [ "$status" -eq 0 ]
  grep -q '^Not measured, the budget of 1.5 s was used up: sharing of L1' <<<"$output"
  servet get caches.1.groups out
  fails 1 "servet: caches.1.groups: not measured (the time limit cut *sharing)"
  [ "$(head -n 1 out/raw/sharing-L1.csv)" = core,other,ratio ]
  servet show out
  grep -q '^Not measured, the time limit was used up: sharing of L1' <<<"$output"
  servet measure --machine "$tiny" --method servet2010 --only cache -q -o out
  grep -q '^Not measured, not requested: sharing of L1' <<<"$output"
  [ "$(ls out/raw/*.csv)" = out/raw/cache-all-servet2010.csv ] # the series of sharing are gone
}

@test "a budget too small to measure is not reported as no cache" {
  local method
  for method in default servet2010; do
    servet measure --machine "$models/kentsfield.json" --method "$method" --only cache --budget 0.1 -q -o out
    fails 1 "servet: too little time to tell*; it takes * s at least*"
    [ ! -e out/profile.json ]
    local least=${stderr#*it takes }
    servet measure --machine "$models/kentsfield.json" --method "$method" --only cache --budget "${least%% *}" -q -o "out-$method"
    [ "$status" -eq 0 ]
    servet get caches.1.bytes "out-$method"
    [ "$output" = 32768 ]
  done
}

@test "the report and the profile name the benchmarks that a budget cut, with the missing facts" {
  servet measure --machine "$tiny" --budget 0.3 -q -o out
  [ "$status" -eq 0 ]
  grep -q '^! Cut by the time limit: cache\(,\| and\) ' <<<"$output"
  grep -q '^Not measured, the budget of 0.3 s was used up: sharing of L1' <<<"$output"
  servet get run.cut out
  [[ $output == cache,*memory* ]]
  servet show out
  [[ $output == *$'\n''Not measured, the time limit was used up: '*'memory bandwidth'* ]]
}

@test "--votes is used and recorded" {
  servet measure --machine "$models/dempsey.json" --method servet2010 --votes 1 --only cache --max-bytes 6M -q -o out
  [ "$status" -eq 0 ]
  grep -Eq '^  L2 +2 MiB  2 MiB .* 100 %  ' <<<"$output"
  servet get run.options out
  [[ $output == *"--votes 1"* ]]
}

@test "sizes and private caches of the model of Dempsey are found" {
  [ ! -s "$BATS_FILE_TMPDIR/errors" ]
  servet get caches.2.bytes "$dempsey"
  [ "$output" = 2097152 ]
  servet get caches.1.groups "$dempsey"
  [ "$output" = $'0\n1' ]
  servet get run.options "$dempsey"
  [[ $output == *"--method servet2010"*"--machine $models/dempsey.json"* ]]
  servet analyze cache "$dempsey/raw/cache-all-servet2010.csv" --method servet2010 --json
  [ "$(values bytes)" = "16384 2097152 " ]
}

@test "--only cache leaves the sharing unmeasured" {
  servet measure --machine "$tiny" --method servet2010 --only cache -q -o out
  [ "$status" -eq 0 ]
  servet get caches.1.groups out
  fails 1 "servet: caches.1.groups: not measured (run with --only cache *)"
}

@test "this node is measured" {
  within 5 servet measure --method servet2010 --max-bytes 4M -q -o out
  [ "$status" -eq 0 ]
  servet get run.options out
  [[ $output == *"--method servet2010"* ]]
  [ "$(wc -l <out/raw/cache-all-servet2010.csv)" -gt 3 ]
}
