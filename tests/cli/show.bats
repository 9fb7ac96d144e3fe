#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet show: the report for people. What the profiles say is in tests/data/profiles.

load common

setup() {
  private_home
  node=$SOURCE_ROOT/tests/data/profiles/node.json
  cluster=$SOURCE_ROOT/tests/data/profiles/cluster.json
}

# shows PATTERN: a line of the report.
shows() {
  printf '%s\n' "$output" | grep -q -e "$1"
}

# lacks PATTERN: no line of the report.
lacks() {
  ! shows "$1"
}

# line_of PATTERN: its number.
line_of() {
  printf '%s\n' "$output" | grep -n -e "$1" | head -n 1 | cut -d: -f1
}

@test "machine, run, caches and memory" {
  servet show "$node"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  shows 'node01: Imaginary 9000, none64, Linux 6.1.0$'
  shows '4 cores, 4 PUs (0-3), 1 package, 1 NUMA node, 32 GiB, pages of 4 KiB$'
  shows '2026-11-20T12:00:00Z by Servet 0.1.0 in 21 s: --only cache$'
  shows 'tsc, overhead 11.5 ns, resolution 0.5 ns; noise 0.1 %; seed 2010$'
  shows '^  L1  *48 KiB  46.9-48.8 KiB  *1.39  *5  *64 B  *48 KiB  agrees  *99 %$'
  shows '^  L2  *2 MiB  1.91-2.1 MiB  *4.45  *-  *64 B  *1 MiB  differs  *97 %$'
  shows '^  memory  *187.5$'
}

@test "a curve that ended before memory says so" {
  sed 's/"memory_latency": {[^}]*}/"memory_latency": null/' "$node" >"$BATS_TEST_TMPDIR/cut.json"
  servet show "$BATS_TEST_TMPDIR/cut.json"
  [ "$status" -eq 0 ]
  shows '^  memory  not reached: there may be more caches$'
}

@test "who shares a cache" {
  servet show "$node"
  shows '^  L1 is private to each core$'
  shows '^  L2 is shared by  0,2  1,3$'
  lacks 'L3 is'
}

@test "sizes just below a unit" {
  sed '/"bytes": {"value": 49152/s/49152, "low": 48000, "high": 50000/1023488, "low": 1023480, "high": 1048575/' \
    "$node" >"$BATS_TEST_TMPDIR/large.json"
  servet show "$BATS_TEST_TMPDIR/large.json"
  shows '^  L1  *1000 KiB  999-1024 KiB  '
}

@test "disagreements are said before the table" {
  servet show "$node"
  shows '^! L2: measured 2 MiB (1.91-2.1 MiB), the OS reports 1 MiB$'
  shows '^! L3: shared, capacity not measurable; reachable 2.8-57 MiB at this access rate; the OS reports 480 MiB$'
  [ "$(line_of '^! L3')" -lt "$(line_of '^  L1 ')" ]
  lacks '^! L1'
}

@test "a disturbed run is said" {
  sed '/"noise"/s/"value": 0.001, "low": 0, "high": 0.002/"value": 0.25, "low": 0.2, "high": 0.3/' \
    "$node" >"$BATS_TEST_TMPDIR/noisy.json"
  servet show "$BATS_TEST_TMPDIR/noisy.json"
  shows '^! other work took 25.0 % of the time while measuring$'
}

@test "what is not to be trusted is said, a line a level" {
  sed '/^ *"\(bytes\|latency\|memory_latency\)":/s/"trusted": true/"trusted": false/' "$node" \
    >"$BATS_TEST_TMPDIR/doubtful.json"
  servet show "$BATS_TEST_TMPDIR/doubtful.json"
  shows '^! L1: size and latency not to be trusted$'
  shows '^! L3: latency not to be trusted$'
  shows '^  memory  *187.5  not to be trusted$'
  servet show "$node"
  lacks 'trusted'
}

@test "every core kind, or the one of --core" {
  servet show "$cluster"
  shows '^Class  *hybrid (3 nodes; 2 classes in the profile)$'
  shows '(performance)$'
  shows '(efficiency)$'
  servet show --core 3 "$cluster"
  lacks '(performance)$'
  shows '^  L1  *64 KiB'
}

@test "--class, and a class without measurements" {
  servet show --class plain "$cluster"
  [ "$status" -eq 0 ]
  shows '^Machine  *p1: none64, Linux 6.1.0$'
  shows 'not measured$'
  servet show --class fat "$cluster"
  fails 1 "*no node class 'fat'*"
  servet show --core 77 "$cluster"
  fails 1 "*no core 77*"
}

@test "--json is the document and nothing else" {
  "$SERVET" show --json "$node" >"$BATS_TEST_TMPDIR/out.json"
  cmp "$node" "$BATS_TEST_TMPDIR/out.json"
  "$SERVET" show --json "$cluster" | cmp "$cluster" -
}

@test "an output that takes nothing is a failure" {
  [ -c /dev/full ] || skip "no /dev/full here"
  for option in --json --core=0; do
    run bash -c '"$SERVET" show "$0" "$1" 2>&1 >/dev/full' "$option" "$node"
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "servet: "*"No space left"* ]]
  done
}

@test "broken files" {
  servet show "$BATS_TEST_TMPDIR/none"
  fails 1 "*/none: *No such file*"
  : >"$BATS_TEST_TMPDIR/empty.json"
  servet show "$BATS_TEST_TMPDIR/empty.json"
  fails 1 "*/empty.json:1: *empty*"
  sed 's/"schema": 1/"schema": 2/' "$node" >"$BATS_TEST_TMPDIR/newer.json"
  servet show "$BATS_TEST_TMPDIR/newer.json"
  fails 1 "*/newer.json:2: *newer*"
}
