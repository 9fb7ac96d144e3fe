#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet show: the report for people. What the profiles say is in tests/data/profiles.

load common

setup() {
  private_home
  node=$(of_this_node node)
  cluster=$(of_this_node cluster)
  together=$(of_this_node together)
}

# shows PATTERN: a line of the report.
shows() {
  printf '%s\n' "$output" | grep -q -e "$1"
}

# lacks PATTERN: no line of the report.
lacks() {
  ! shows "$1"
}

# table PATTERN: the lines below the one that matches, up to an empty one, with single blanks.
table() {
  printf '%s\n' "$output" | sed -n "/$1/,/^\$/p" | sed '1d; /^$/d; s/^ *//; s/  */ /g'
}

# line_of PATTERN: its number.
line_of() {
  printf '%s\n' "$output" | grep -n -e "$1" | head -n 1 | cut -d: -f1
}

@test "the report shows machine, run, caches and memory" {
  servet show "$node"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  shows 'node01: Imaginary 9000, none64, Linux 6.1.0$'
  shows '4 cores, 4 PUs (0-3), 1 package, 1 NUMA node, 32 GiB, pages of 4 KiB$'
  shows '2026-11-20T12:00:00Z by Servet 0.1.0 in 21 s: --only cache$'
  shows 'tsc, overhead 11.5 ns, resolution 0.5 ns; seed 2010$'
  shows '^Noise     0.1 % of the time'
  shows '^  L1  *48 KiB  46.9-48.8 KiB  *48 KiB  agrees  *99 %  *1.39  *5$'
  shows '^  L1  *64 B (OS)  *-  *-$'
  shows '^  L2  *2 MiB  1.91-2.1 MiB  *1 MiB  differs  *97 %  *4.45  *-$'
  shows '^  memory  *187.5$'
}

@test "numbers of the machine that are not known are left out, and no key answers 0" {
  local unknown=$BATS_TEST_TMPDIR/unknown.json key
  sed -E 's/"(pu|core|package|numa)_count": [0-9]+/"\1_count": 0/; s/"(memory|page)_bytes": [0-9]+(,$)/"\1_bytes": 0\2/' \
    "$node" >"$unknown"
  servet show "$unknown"
  [ "$status" -eq 0 ]
  shows 'cores and memory are not known'
  lacks '\b0 \(cores\|PUs\|packages\|NUMA\|B\)'
  servet report -o "$unknown.html" "$unknown"
  ! grep '\b0 \(cores\|PUs\|packages\|NUMA\|B\b\)' "$unknown.html" || return 1
  for key in pu_count core_count package_count numa_count memory_bytes page_bytes; do
    servet get "machine.$key" "$unknown"
    [ "$status" -eq 1 ]
    [[ $stderr == "servet: machine.$key: not measured"* ]]
  done
}

@test "a curve that does not reach memory is reported" {
  sed '/"memory": {$/,/}/s/"latency_ns": {[^}]*}/"latency_ns": null/' "$node" >"$BATS_TEST_TMPDIR/cut.json"
  servet show "$BATS_TEST_TMPDIR/cut.json"
  [ "$status" -eq 0 ]
  shows '^  memory was not reached: larger caches may exist$'
}

@test "ways, sets and a reachable capacity below the capacity are shown" {
  counted=$(of_this_node counted)
  servet show "$counted"
  [ "$status" -eq 0 ]
  shows '^  L1  *32 KiB  32 KiB  .* 1.39 '
  shows '^  level  *line  ways  *sets$'
  shows '^  L1  *64 B (OS)  *8  *64?$'
  shows '^  L2  *64 B (OS)  *8  *2048?$'
  shows '^  L1: a pointer chase reaches 20-28 KiB: others use it '
  lacks '^  L2: a pointer chase'
  shows '^  L3  *-  *-  *-$'
  servet show "$node"
  shows '^  L2  *64 B (OS)  *-  *-$'
  lacks 'a pointer chase'
}

@test "a reachable capacity above the capacity is shown" {
  sed 's/"low": 768000, "high": 1100000/"low": 1200000, "high": 1600000/; s/"value": 917504/"value": 1400000/' \
    "$(of_this_node counted)" >"$BATS_TEST_TMPDIR/victim.json"
  servet show "$BATS_TEST_TMPDIR/victim.json"
  shows '^  L2: a pointer chase reaches 1.14-1.53 MiB: the next level keeps evicted lines$'
}

@test "the size of a turnover cache comes from conflicts" {
  sed '/"level": 1,/,/"kind"/s/"capacity"/"turnover"/' "$(of_this_node counted)" \
    >"$BATS_TEST_TMPDIR/turnover.json"
  servet show "$BATS_TEST_TMPDIR/turnover.json"
  shows '^  L1  *32 KiB  32 KiB '
  lacks '^! L1: shared, capacity not measurable'
}

@test "cache sharing is shown" {
  servet show "$node"
  shows '^  sharing  verdict .* PUs that share one$'
  shows '^  L1  *-  *-  *private to each core$'
  shows '^  L2  *-  *-  *0,2  1,3$'
  [ "$(printf '%s\n' "$output" | sed -n '/^  sharing/,/^$/p' | grep -c '^  L')" -eq 2 ]
}

@test "cache sharing is shown beside the operating system's report" {
  servet show "$together"
  shows '^  L1  *agrees  *99 %  *private to each core$'
  shows '^  L2  *differs  *97 %  *0,2  1,3  4,6  5,7$'
  shows '^! L2: measured sharing differs from what the OS reports$'
  lacks '^! L1'
}

@test "memory-level parallelism is shown" {
  servet show "$together"
  shows '^  Bandwidth of the widest loads of one core, and loads of random lines .*$'
  shows '^  L1  *-  *4  *64$'
  shows '^  L2  *-  *8  *24$'
  shows '^  memory  *-  *6  5-8  *5.5$'
  shows '^  threads  *1  *2  *4$'
  shows '^  L2  *24  *15$'
  shows '^  memory  *5.5  *4.4  *2.2$'
}

@test "the bandwidth of the widest loads is shown beside the effective one" {
  tr -d '\n' <"$together" | sed 's/"effective_bandwidth": *\({"value": *\)64000000000/"bandwidth": \132000000000, "low": 32000000000, "high": 32000000000, "unit": "B\/s", "samples": 1, "method": "timed", "trusted": true}, &/' \
    >"$BATS_TEST_TMPDIR/wide.json"
  servet show "$BATS_TEST_TMPDIR/wide.json"
  shows '^  L1  *32  *4  *64$'
}

@test "false-sharing granularity and core-to-core distances are shown" {
  servet show "$together"
  shows '^  False sharing happens within 128 B, the line of L2 (the OS says 64 B: differs)$'
  shows '^! coherence block: measured 128 B, the OS reports lines of 64 B$'
  shows '^  layer 1  *22.5  differs  *99 %  *0,2  1,3  4,6  5,7$'
  shows '^  layer 2  *60  agrees  *95 %  *0-3  4-7$'
  shows '^  layer 3  *110  agrees  *99 %  *0-7$'
  shows '^! distance layer 1: the OS reports different sets of PUs$'
  lacks '^! distance layer [23]'
}

@test "memory bandwidth of one core, several cores and NUMA nodes is shown" {
  servet show "$together"
  shows '^  of one core  *read  *write  *copy  *triad  *write-nt  *copy-nt$'
  shows '^  GB/s  *6.5  *4  *5  *5.25  *6  *6.25$'
  shows '^  PUs  *1  *2  *4  *8$'
  shows '^  of each PU  *6.25  *6  *4  *2$'
  shows '^  of all  *6.25  *12  *16  *16$'
  shows "^  node memory saturates at 4 PUs\$"
  shows '^  level 1  *5.5  agrees  *4 PUs or more  *0-3  4-7$'
  shows '^  level 2  *3.75  not visible  *-  *0,2  1,3  4,6  5,7$'
  shows '^  node 0  *0-3  *6.5  *4.5  *90  *150$'
  shows '^  node 1  *4-7  *6.5  *4.25  *91  *155$'
  lacks '^! memory'
}

@test "cores without contention and a single core are reported" {
  sed '/^        "levels": \[/,/^        \]/c"levels": [],' "$together" |
    sed '/^        "layers": \[/,/^        \]/c"layers": []' >"$BATS_TEST_TMPDIR/free.json"
  servet show "$BATS_TEST_TMPDIR/free.json"
  [ "$status" -eq 0 ]
  shows '^  no two cores slow each other down$'
  shows '^  a single core has no distances$'
}

@test "synchronization is a row for each set of threads" {
  jq '.classes[0].sync = [["add", 1, 0, 6], ["add", 2, 1, 17], ["lock", 2, 1, 102.5], ["central-barrier", 4, 2, 350],
    ["pause", 1, 0, 4.5]] | .classes[0].sync |= map({op: .[0], threads: .[1], layer: .[2], time_ns: {value: .[3],
    low: .[3], high: .[3], samples: 6, unit: "ns", method: "timed", trusted: (.[3] != 17)}})' "$together" >"$BATS_TEST_TMPDIR/sync.json"
  servet show "$BATS_TEST_TMPDIR/sync.json"
  [ "$status" -eq 0 ]
  shows '^  threads  distance  *add  compare-and-swap  *lock  central-barrier  dissemination-barrier$'
  shows '^  *1  *6$'
  shows '^  *2  layer 1  *17?  *-  *102.5  *-  *-$'
  shows '^  *4  layer 2  *-  *-  *-  *350  *-$'
  shows '^  The hint of spinning loops (PAUSE, YIELD) takes 4.5 ns$'
  lacks 'Not measured.*synchronization'
}

@test "disagreements are printed before the tables" {
  servet show "$together"
  [ "$(printf '%s\n' "$output" | grep -c '^!')" -eq 3 ]
  [ "$(line_of '^Clock')" -lt "$(line_of '^!')" ]
  [ "$(printf '%s\n' "$output" | grep -n '^!' | tail -n 1 | cut -d: -f1)" -lt "$(line_of '^Caches of each')" ]
  sed 's/"verdict": "agrees"/"verdict": "differs"/' "$cluster" >"$BATS_TEST_TMPDIR/hybrid.json"
  sed -i 's/"not visible"/"differs"/' "$BATS_TEST_TMPDIR/hybrid.json"
  servet show "$BATS_TEST_TMPDIR/hybrid.json"
  shows '^! L1 on performance cores: measured 128 KiB (127-129 KiB), the OS reports nothing$'
  shows '^! L1 on efficiency cores: measured 64 KiB '
}

# Six PUs copy best, 3 GB/s each.
@test "peak rates are rows with their clocks, and their ridge points follow" {
  jq '.classes[0].peak = ([["scalar", 64, 1, 13e9, true], ["vector", 512, 8, 648e9, false]] | map(
      {precision: "f64", width: .[0], bits: .[1], cores: .[2], core: 0,
       rate: {value: .[3], low: .[3], high: .[3], samples: 2, unit: "FLOP/s", method: "timed", trusted: .[4]},
       clock_hz: {value: 2.5e9, low: 2.5e9, high: 2.5e9, samples: 1, unit: "Hz", method: "timed", trusted: true}}))' \
    "$together" >"$BATS_TEST_TMPDIR/peaks.json"
  servet show "$BATS_TEST_TMPDIR/peaks.json"
  [ "$status" -eq 0 ]
  shows '^  f64  *scalar  *0  *13  *2.5  *5.2$'
  shows '^  f64  *vector of 512 bits  *all 8  *648?  *2.5  *32.4$'
  shows '^  memory, all PUs  *36?  *-$'
  lacks '^  memory  *[0-9.]*  *-$'
  lacks 'Not measured.*peak rates'
}

@test "facts that were not measured are listed at the end" {
  servet show "$together"
  shows '^Not measured: TLBs, synchronization, latency under load, peak rates, accelerators$'
  servet show "$node"
  output=$(sed '/^Not measured/{N; N; N; s/\n */ /g}' <<<"$output")
  shows '^Not measured: sharing of L3, line of L1/L2, TLBs, coherence block, distances between cores, synchronization, memory bandwidth, memory overhead of several cores, number of cores that saturate memory, NUMA nodes, latency under load, memory-level parallelism of L1/L2, memory-level parallelism of memory, peak rates, accelerators$'
  sed '/"caches": \[/,/"memory": {/s/"concurrency": {/"not": {/' "$together" >"$BATS_TEST_TMPDIR/part.json"
  servet show "$BATS_TEST_TMPDIR/part.json"
  output=$(sed '/^Not measured/{N; s/\n */ /g}' <<<"$output")
  shows '^Not measured: TLBs, synchronization, latency under load, memory-level parallelism of L1/L2, peak rates, accelerators$'
}

@test "the report lists facts that the time limit left out, and facts from fewer measurements" {
  jq '.run.cut = "cache,sharing,line"' "$node" >"$BATS_TEST_TMPDIR/cut.json"
  servet show "$BATS_TEST_TMPDIR/cut.json"
  shows '^! Cut by the time limit: cache, sharing and line; '
  shows '^Not measured, the time limit was used up: sharing of L3, line of L1/L2, coherence block$'
  shows '^Not measured: TLBs, distances between cores, synchronization, memory bandwidth, '
  shows '^Perhaps from fewer measurements than planned: number of cache levels, L1, L2, latency of L1/L2,$'
  shows '^  sharing of L1/L2$'
}

# Its length, but for the line of the profile's path.
longest_line() {
  printf '%s\n' "$output" | awk '!/^Profile/ && length($0) > n { n = length($0) } END { print n }'
}

# Disjoint pairs of 256 cores, `apart` from each other.
pairs() {
  awk -v apart="$1" 'BEGIN { for (i = 0; i < 256; i++) if (int(i / apart) % 2 == 0)
    printf "%s\"%d,%d\"", (n++ ? ", " : ""), i, i + apart }'
}

@test "the report of 256 cores is as short" {
  sed -e 's/"0-7"/"0-255"/; s/"pu_count": 8/"pu_count": 256/' \
    -e "s/\"groups\": \[\"0,2\".*\]/\"groups\": [$(pairs 2)]/" "$together" >"$BATS_TEST_TMPDIR/large.json"
  servet show "$BATS_TEST_TMPDIR/large.json"
  [ "$status" -eq 0 ]
  shows '^  L2  *differs  *97 %  *0,2  1,3  4,6  .*\.\.\.  (128 sets)$'
  shows '^  layer 1  *22.5 .*  0,2  1,3  4,6  .*\.\.\.  (128 sets)$'
  shows '^  Use 4 of the 256 PUs for code that memory limits (0,4,8-9): 4 threads saturate memory'
  [ "$(wc -l <<<"$output")" -le $(($("$SERVET" show "$together" | wc -l) + 1)) ]
  [ "$(longest_line)" -le 100 ]
}

# Texts of 100 and more columns where the profile may have them: processor, options of the run, reasons.
@test "a long line continues on the next one, indented" {
  jq --arg cpu "$(printf 'Processor %.0s' 1 2 3 4 5 6 7 8 9 10 11)" --arg options "$(printf -- '--machine m%.0s ' {1..9})" \
    --arg reason "$(printf 'other work %.0s' {1..12})" '.run.options = $options | .classes[0] |=
      (.machine.cpu = $cpu | .memory.levels = [] | .doubts = [{fact: "memory.levels", reason: $reason}])' \
    "$together" >"$BATS_TEST_TMPDIR/long.json"
  servet show "$BATS_TEST_TMPDIR/long.json"
  [ "$status" -eq 0 ]
  [ "$(longest_line)" -le 100 ]
  shows '^          Processor'
  shows '^          --machine m'
  shows '^! memory overhead of several cores not trusted: other work'
  shows '^  \(other\|work\) '
  shows '^    \(other\|work\) '
}

@test "a long set of cores is truncated" {
  local even
  even=$(seq -s, 0 2 510)
  sed "s/\[\"0-3\", \"4-7\"\]/[\"$even\"]/" "$together" >"$BATS_TEST_TMPDIR/even.json"
  servet show "$BATS_TEST_TMPDIR/even.json"
  [ "$status" -eq 0 ]
  shows '^  layer 2 .*  0,2,4,6,.*[0-9],\.\.\.$'
  [ "$(longest_line)" -le 100 ]
}

@test "sizes just below a unit keep the smaller unit" {
  sed '/"bytes": {"value": 49152/s/49152, "low": 48000, "high": 50000/1023488, "low": 1023480, "high": 1048575/' \
    "$node" >"$BATS_TEST_TMPDIR/large.json"
  servet show "$BATS_TEST_TMPDIR/large.json"
  shows '^  L1  *1000 KiB  999-1024 KiB  '
}

@test "an interval whose ends round to the same text is printed once" {
  sed '/"bytes": {"value": 49152/s/"low": 48000, "high": 50000/"low": 49150, "high": 49160/' "$node" \
    >"$BATS_TEST_TMPDIR/narrow.json"
  servet show "$BATS_TEST_TMPDIR/narrow.json"
  shows '^  L1  *48 KiB  48 KiB  .* 1.39 '
}

@test "disagreements are printed before a table" {
  servet show "$node"
  shows '^! L2: measured 2 MiB (1.91-2.1 MiB), the OS reports 1 MiB$'
  shows '^! L3: shared, capacity not measurable; reachable 2.8-57 MiB at this access rate; the OS reports$'
  shows '^  480 MiB$'
  lacks '^! L1'
}

@test "noise during a run is reported" {
  sed '/"noise"/s/"value": 0.001, "low": 0, "high": 0.002/"value": 0.25, "low": 0.2, "high": 0.3/' \
    "$node" >"$BATS_TEST_TMPDIR/noisy.json"
  servet show "$BATS_TEST_TMPDIR/noisy.json"
  shows '^! other work took 25 % of the measuring time$'
}

@test "values that are not trusted are listed, one line for each level that has a capacity" {
  sed '/^ *"\(bytes\|latency_ns\)":/s/"trusted": true/"trusted": false/' "$node" \
    >"$BATS_TEST_TMPDIR/doubtful.json"
  servet show "$BATS_TEST_TMPDIR/doubtful.json"
  shows '^! not trusted, the measurements do not determine it: L1, L2, latency of L1, latency of L2$'
  lacks '^! L3 '
  shows '^  memory  *not trusted  *187.5?$'
  servet show "$node"
  lacks '^!.*trusted'
}

@test "values of several cores that are not trusted are listed" {
  sed 's/"trusted": true/"trusted": false/' "$together" >"$BATS_TEST_TMPDIR/doubtful.json"
  servet show "$BATS_TEST_TMPDIR/doubtful.json"
  [[ ${output//$'\n  '/ } == *$'\n! not trusted, the measurements do not determine it: '*'memory-level parallelism of L2, '* ]]
  for what in 'memory-level parallelism of memory' 'coherence block' 'distances between cores' \
    'memory bandwidth' 'memory overhead of several cores' 'NUMA nodes'; do
    [[ ${output//$'\n  '/ } == *", $what"* ]]
  done
  servet show "$together"
  lacks 'trusted'
}

@test "all core types are shown, or only the type of --core" {
  servet show "$cluster"
  shows '^Class  *hybrid (3 nodes; 2 node classes in the profile)$'
  shows '(performance)$'
  shows '(efficiency)$'
  servet show --core 3 "$cluster"
  lacks '(performance)$'
  shows '^  L1  *64 KiB'
}

@test "--class selects a class, even one without measurements" {
  servet show --class plain "$cluster"
  [ "$status" -eq 0 ]
  shows '^Machine  *p1: none64, Linux 6.1.0$'
  shows 'not measured$'
  servet show --class fat "$cluster"
  fails 1 "*no node class 'fat'*"
  servet show --core 77 "$cluster"
  fails 1 "*no core 77*"
}

@test "--json prints only the document" {
  "$SERVET" show --json "$node" >"$BATS_TEST_TMPDIR/out.json"
  cmp "$node" "$BATS_TEST_TMPDIR/out.json"
  "$SERVET" show --json "$cluster" | cmp "$cluster" -
  # Lists of values are written as arrays, which are read as the same.
  "$SERVET" show --json "$together" >"$BATS_TEST_TMPDIR/arrays.json"
  "$SERVET" show --json "$BATS_TEST_TMPDIR/arrays.json" | cmp "$BATS_TEST_TMPDIR/arrays.json" -
  cmp <("$SERVET" get --all "$together" | grep -v '^schema=') \
    <("$SERVET" get --all "$BATS_TEST_TMPDIR/arrays.json" | grep -v '^schema=')
}

@test "a full output device is a failure" {
  [ -c /dev/full ] || skip "no /dev/full here"
  for option in --json --core=0; do
    run bash -c '"$SERVET" show "$0" "$1" 2>&1 >/dev/full' "$option" "$node"
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "servet: "*"No space left"* ]]
  done
}

@test "broken files are refused" {
  servet show "$BATS_TEST_TMPDIR/none"
  fails 1 "*/none: *No such file*"
  : >"$BATS_TEST_TMPDIR/empty.json"
  servet show "$BATS_TEST_TMPDIR/empty.json"
  fails 1 "*/empty.json:1: *empty*"
  sed 's/"schema": 4/"schema": 5/' "$node" >"$BATS_TEST_TMPDIR/newer.json"
  servet show "$BATS_TEST_TMPDIR/newer.json"
  fails 1 "*/newer.json:2: *newer*"
}

@test "communication between cores is shown" {
  servet show "$(of_this_node job)"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  shows '^Communication of 8 processes on 2 nodes$'
  shows '^  Layers, by messages of 32 KiB$'
  shows '^  layer 1 *in a node *8 *4.1  *99 %  *0:0-3  1:0-3$'
  shows '^  layer 2 *between nodes *40 *0.819  *97 %  *0-1:0-3$'
  [ "$(table '^  Time of a message, us$')" = 'size layer 1 layer 2
1 B 0.5 5
1 KiB 0.75 -
32 KiB 8 40
1 MiB 256 -' ]
  [ "$(table '^  Sizes of messages at which the MPI library changes its protocol$')" = 'protocols from latency, us GB/s
layer 1 1 B 0.5 4
8 KiB 1.5 5' ]
  [ "$(table '^  Slowdown of messages of 32 KiB that are sent at once$')" = 'messages layer 1 layer 2
2 1.5 1.5
4 - 3' ]
  [ "$(table '^  Messages to one process that are faster as one message$')" = 'layer messages size of each times as fast
layer 1 2 below 4 KiB 1.6
layer 1 8 below 512 B 4
layer 1 8 from 4 KiB 1.5
layer 2 2 no size
layer 2 8 all sizes 4' ]
  [ "$(table '^  Bandwidth lost by distance between nodes, messages of 32 MiB$')" = 'distance between nodes 1
times less 1' ]
  [ "$(table '^  Bandwidth lost by processes per node, messages of 32 MiB, always on all nodes$')" = \
    'processes per node 1 2 4
times less 1 1.25 2' ]
}

@test "a latency of large messages that may be 0 is not shown as a number" {
  local none=$BATS_TEST_TMPDIR/none.json
  jq '.network.layers[0].protocols[1].latency_us |= (.value = 0 | .low = 0)' "$(of_this_node job)" >"$none"
  servet show "$none"
  [ "$status" -eq 0 ]
  [ "$(table '^  Sizes of messages at which the MPI library changes its protocol$')" = 'protocols from latency, us GB/s
layer 1 1 B 0.5 4
8 KiB - 5' ]
}

@test "each fact of communication that the time limit left out is named" {
  local cut=$BATS_TEST_TMPDIR/cut.json
  jq --slurpfile one "$node" '.run = $one[0].run + {cut: "curves,scalability,aggregation,distance"} | .network.distance = null |
    .network.layers[1] |= (.together = null | .batches = null | .aggregation = null)' \
    "$(of_this_node job)" >"$cut"
  servet show "$cut"
  [ "$status" -eq 0 ]
  shows '^! Cut by the time limit: curves, scalability, aggregation and distance; '
  output=$(sed -z 's/\n    */ /g' <<<"$output")
  shows '^  not measured, the time limit was used up: messages at once of layer 2, several messages to one process of layer 2, bandwidth loss by distance between nodes$'
  shows '^  not measured, the time limit was used up: messages above 1 MiB of layer 1$'
  shows '^  not measured, the time limit was used up: messages above 32 KiB of layer 2$'
  jq '.run.cut = "layers"' "$cut" >"$cut.2"
  servet show "$cut.2"
  lacks 'not measured, the time limit'
}

@test "the report says if a curve ends because messages take a second" {
  local slow
  slow=$BATS_TEST_TMPDIR/slow.json
  jq '(.network.layers[1].points | last.time_us) *= {value: 800000, low: 800000, high: 800000}' "$(of_this_node job)" >"$slow"
  servet show "$slow"
  [ "$status" -eq 0 ]
  shows '^  not measured, each may take more than a second: messages above 32 KiB of layer 2$'
  lacks 'above .* of layer 1'
  jq '.run.cut = "curves"' "$slow" >"$slow.2"
  servet show "$slow.2"
  lacks 'more than a second'
}

@test "a slow node is named with its factor" {
  local profile value
  profile=$(of_this_node job)
  value='"low": 1, "high": 4, "unit": "1", "samples": 1, "method": "timed", "trusted": true'
  sed -i "s/^    \"layers\": \[/    \"slowness\": [{\"value\": 1, $value}, {\"value\": 3.5, $value}],\n&/" "$profile"
  servet show "$profile"
  [ "$status" -eq 0 ]
  shows '^! node02: its messages take 3.5 times as long as those of other nodes$'
  [ "$(grep -c 'times as long as' <<<"$output")" -eq 1 ]
}

@test "a slow link is named, with its factor" {
  local profile value text
  profile=$(of_this_node job)
  value='"factor": {"value": 2.5, "low": 2, "high": 3, "unit": "1", "samples": 5, "method": "timed", "trusted": true}'
  jq ".network.slow_links = [{from: \"0\", to: \"1\", confidence: 0.875, $value},
    {from: \"0-1\", to: \"4-5\", confidence: 0.875, $value}] | .network.slow_links[1].factor.trusted = false" \
    "$profile" >"$profile.new"
  servet show "$profile.new"
  [ "$status" -eq 0 ]
  text=$(tr -s ' \n' ' ' <<<"$output")
  [[ $text == *" and node02: its messages take 2.5 times as long as others of both; bandwidth loss is that of the others "* ]]
  [[ $text == *" between nodes 0-1 and nodes 4-5: its messages take 2.5 times as long as others of both (not trusted); bandwidth loss"* ]]
  jq '.network.distance = null' "$profile.new" >"$profile.alone"
  servet show "$profile.alone"
  shows '^! slow link between [^ ]* and node02: its messages take 2.5 times as long as others of both$'
  servet get network.slow_links.1.factor "$profile.new"
  [ "$output" = 2.5 ]
}

@test "a profile of an earlier version, with other advice about gathering messages, is read without it" {
  local old=$BATS_TEST_TMPDIR/old.json
  jq '.network.layers[] |= (del(.batches, .aggregation) + {gathers: [{messages: 2, below: 4096, unbounded: false}]})' \
    "$(of_this_node job)" >"$old"
  servet show "$old"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  shows '^  Slowdown of messages of 32 KiB that are sent at once$'
  [[ $output != *"as one"* ]]
  servet get layers.1.aggregation_below.2 "$old"
  fails 1 "servet: layers.1.aggregation_below.2: not measured"
}

@test "doubtful and unmeasured facts of communication are reported" {
  local job
  job=$(of_this_node job)
  servet show "$job"
  lacks '^! layer'
  lacks '^! bandwidth loss'
  lacks 'nodes measured'
  sed -e '/"latency_us": {"value": 40,/s/true/false/' -e '/"at": 1, /s/true/false/g' \
    -e 's/"nodes_asked": 2/"nodes_asked": 1/' "$job" >"$BATS_TEST_TMPDIR/doubt.json"
  servet show "$BATS_TEST_TMPDIR/doubt.json"
  [ "$status" -eq 0 ]
  shows '^! communication layers not trusted: the measurements do not determine it$'
  shows '^! bandwidth loss by distance between nodes not trusted: the measurements do not determine it$'
  shows '^  Layers, by messages of 32 KiB; between nodes: 1 of 2 nodes measured$'
}

@test "nothing is printed of communication that was not measured" {
  servet show "$node"
  lacks Communication
  sed -n '/^  "network"/q; p' "$(of_this_node job)" >"$BATS_TEST_TMPDIR/alone.json"
  cat >>"$BATS_TEST_TMPDIR/alone.json" <<'END'
  "network": {"benchmarks": "layers", "ranks": 1, "nodes_asked": 1, "message_bytes": 32768, "nodes": ["node01"],
              "layers": []}
}
END
  servet show "$BATS_TEST_TMPDIR/alone.json"
  [ "$status" -eq 0 ]
  shows '^Communication of 1 process on 1 node$'
  shows '^  a single process: no communication$'
  lacks 'Bandwidth lost'
  sed 's/"ranks": 1,/"ranks": 2,/' "$BATS_TEST_TMPDIR/alone.json" >"$BATS_TEST_TMPDIR/two.json"
  servet show "$BATS_TEST_TMPDIR/two.json"
  shows '^  none: all processes were on one core$'
}

@test "memory that only all cores saturate is reported" {
  sed 's/^        "saturation": [0-9]*/        "saturation": 8/' "$together" > "$BATS_TEST_TMPDIR/all.json"
  servet show "$BATS_TEST_TMPDIR/all.json"
  shows "^  node memory saturates at 8 PUs or more\$"
}

@test "a value measured under noise is always marked" {
  jq --arg reason "other work took 51 % of the core's time" \
    '.classes[0] |= (.memory.levels = [] | .doubts = [{fact: "memory.levels", reason: $reason},
       {fact: "kinds.caches.groups", reason: $reason}, {fact: "kinds.caches.sharing", reason: $reason},
       {fact: "distance.layers", reason: $reason}, {fact: "coherence", reason: $reason},
       {fact: "memory.saturation", reason: $reason}])' "$together" >"$BATS_TEST_TMPDIR/disturbed.json"
  servet show "$BATS_TEST_TMPDIR/disturbed.json"
  local doubt="(not trusted: other work took 51 % of the core's time)"
  shows "^  no two cores slow each other down $doubt\$"
  shows '^  L1  *not trusted  *not trusted  *private to each core$'
  shows '^  L2  *not trusted  *not trusted  *0,2  1,3  4,6  5,7$'
  shows "^  node memory saturates at 4 PUs $doubt\$"
  [[ ${output//$'\n  '/ } == *$'\n'"! not trusted, other work took 51 % of the core's time: "*'sharing of L2, '* ]]
  [ "$(grep -c "^!.*51 %" <<<"$output")" -eq 1 ]
  shows '^  layer 1 .* not trusted  *not trusted '
  lacks '97 %'
  lacks 'differs from'
  lacks '^  no two cores slow each other down$'
}

# disturbed SHARE...: the report on a node whose facts were measured beside other work of these shares.
disturbed() {
  jq --args '.classes[0] |= (.memory.levels = [] | .doubts = [$ARGS.positional | to_entries[] |
      {fact: (["distance.layers", "coherence", "memory.levels", "kinds.caches.groups"][.key]),
       reason: "other work took \(.value) % of the time"}])' "$@" <"$together" >"$BATS_TEST_TMPDIR/shares.json"
  servet show "$BATS_TEST_TMPDIR/shares.json"
}

@test "a reason of four or more doubts is printed once, with the range of its number" {
  disturbed 51 53 50.5
  shows '^! distances between cores not trusted: other work took 51 % of the time$'
  shows '^! memory overhead of several cores not trusted: other work took 50.5 % of the time$'
  disturbed 51 53 50.5 60
  shows '^! not trusted, other work took 50.5-60 % of the time: '
  lacks 'not trusted: other work took 51 % of the time'
}

# doubted NAME: the path of a copy of a profile of tests/data in which nothing is trusted.
doubted() {
  local copy=$BATS_TEST_TMPDIR/doubted-$1.json
  jq '(.. | objects | select(has("value") and .method != "os")) |= (.trusted = false) |
    (.. | objects | select(has("confidence"))) |= (.confidence = 0.3)' \
    "$SOURCE_ROOT/tests/data/profiles/$1.json" >"$copy"
  printf '%s\n' "$copy"
}

@test "each number that is not trusted has a mark, and none is compared with the report of the system" {
  servet show "$(doubted together)"
  shows '^  L1  *32 KiB?  31-33 KiB .* 1?  *3?$'
  shows '^  L2  *24?  *15?$'
  shows '^  layer 1  *22.5?  not trusted  not trusted'
  shows '^  GB/s  *6.5?  *4?  *5?  *5.25?  *6?  *6.25?$'
  shows '^  of each PU  *6.25?  *6?  *4?  *2?$'
  shows '^  node 1  *4-7  *6.5?  *4.25?  *91?  *155?$'
  lacks ' the OS reports '
  lacks '^  L.*differs'
  lacks '^  la.*differs'
  servet show "$(doubted node)"
  shows '^  L3  *reachable .* not trusted  *30 %  '
  servet show "$(doubted job)"
  [[ ${output//$'\n  '/ } == *', message sizes of layer 2, '* ]]
  shows '^  *1 KiB  *0.75?  *-$'
  shows '^  *8 KiB?  *1.5?  *5?$'
  shows '^  *2  *1.5?  *1.5?$'
  shows '^  layer 1  *2  *below 4 KiB  *1.6?$'
  shows '^  times less  *1?  *1.25?  *2?$'
}

@test "a wide interval of a TLB is printed in place of its value, in the report and on the page" {
  local file=$BATS_TEST_TMPDIR/tlb.json
  value() {
    printf '{"value": %s, "low": %s, "high": %s, "unit": "%s", "samples": 9, "method": "timed", "trusted": true}' "$@"
  }
  tlb() {
    printf '{"entries": %s, "ways": null, "reach_bytes": %s, "latency_ns": %s, "confidence": 0.9}' \
      "$(value "$1" "$2" "$3" 1)" "$(value $(($1 * 4096)) $(($2 * 4096)) $(($3 * 4096)) B)" "$(value 7 7 7 ns)"
  }
  jq --argjson tlbs "[$(tlb 64 62 66), $(tlb 1536 1240 2170)]" --argjson page "$(value 4096 4096 4096 B)" \
    '(.classes[].kinds[].translation) = {page_bytes: $page, granule_bytes: null, walk_ns: null, pages_asked: 99, tlbs: $tlbs}' \
    "$node" >"$file"
  servet show "$file"
  shows '^ *TLB 1  *64  *-  *256 KiB  *7  90 %$'
  shows '^ *TLB 2  *1240-2170  *-  *4.84-8.48 MiB  *7  90 %$'
  servet report "$file"
  [[ $output == *"<td>64</td><td>-</td><td>256 KiB</td>"*"<td>1240-2170</td><td>-</td><td>4.84-8.48 MiB</td>"* ]]
}

# Three times as long from 3000 B on, between sizes that would not be shown if each n-th were.
@test "the points of a long curve that are shown have its knee on both sides" {
  jq '.network.layers[0].points = [range(1; 81) | (. * 100) as $bytes | {bytes: $bytes, time_us: {value:
    (if $bytes < 3000 then 1 else 3 end), low: 0.1, high: 10, unit: "us", samples: 9, method: "timed", trusted: true}}]' \
    "$(of_this_node job)" >"$BATS_TEST_TMPDIR/knee.json"
  servet show "$BATS_TEST_TMPDIR/knee.json"
  [ "$status" -eq 0 ]
  local curve
  curve=$(table '^  Time of a message, us$' | grep -v ' - ')
  [[ $curve == *$'\n100 B 1 -\n'* && $curve == *$'\n2.83 KiB 1 -\n2.93 KiB 3 -\n'* ]]
  [ "$(grep -c 'B [13] -$' <<<"$curve")" -le 12 ]
}

# The control sequence introducer of C1, and the override of direction.
@test "paths and words of the command line cannot control the terminal" {
  evil=$(printf 'a\302\2332Jb\342\200\256c\033d')
  mkdir "$BATS_TEST_TMPDIR/$evil"
  cp "$node" "$BATS_TEST_TMPDIR/$evil/profile.json"
  servet show "$BATS_TEST_TMPDIR/$evil/profile.json"
  shows '/a??2Jb???c?d/profile\.json$'
  servet "$evil"
  fails 2 "servet: unknown command 'a[?][?]2Jb[?][?][?]c[?]d'*"
  servet show "--$evil"
  fails 2 'servet: show: unknown option --a[?][?]2Jb[?][?][?]c[?]d *'
  servet show "$BATS_TEST_TMPDIR/$evil.json"
  fails 1 '*/a[?][?]2Jb[?][?][?]c[?]d.json: *'
}

# L2 takes 4.45 ns: two threads of one core are no farther apart than two loads from it. Two cores whose distance changes by
# less than a factor of two were not moved.
@test "two modes of a distance are explained by virtual CPUs that are moved" {
  moves='the hypervisor moves' pin=': pin them on the host, or count on the slower mode'
  while IFS='|' read -r fast why; do
    jq --argjson fast "$fast" '(.classes[0]) |= (.modes = [{fact: "distance.layers.1.latency_ns", first: $fast, first_share: 0.51,
        second: 28.9, second_share: 0.49}]
      | .distance.layers = [{latency_ns: {value: 28.9, low: $fast, high: 28.9, unit: "ns", samples: 20, method: "timed",
          trusted: true}, confidence: 0.9, verdict: "agrees", groups: [.machine.cores]}])' \
      "$node" >"$BATS_TEST_TMPDIR/moved.json"
    servet show "$BATS_TEST_TMPDIR/moved.json"
    [ "$status" -eq 0 ]
    output=$(tr -s ' \n' ' ' <<<"$output")
    [[ $output == *"distance layer 1: two modes: $fast ns (51 %), 28.9 ns (49 %)$why "* ]]
    [ -n "$why" ] || [[ $output != *"$moves"* ]]
  done <<END
6.9|; $moves the virtual CPUs, which share a core at times$pin
14|; if this is a virtual machine, $moves its CPUs$pin
19|
END
}

@test "latency under load is a table; without a knee a sentence says why" {
  local loaded=$BATS_TEST_TMPDIR/loaded.json few=$BATS_TEST_TMPDIR/few.json
  under_load "$together" >"$loaded"
  servet show "$loaded"
  shows '^Latency of memory under load$'
  shows '^ *node 0  *1:0  *3  *100  *110  *125  *180  *40  *30$'
  lacks 'without a knee'
  jq '.classes[0].loaded[0].knee = null' "$loaded" >"$few"
  servet show "$few"
  shows '^ *node 0  *1:0  *3  *100  *110  *125  *180  *40  *-$'
  shows 'without a knee'
}
