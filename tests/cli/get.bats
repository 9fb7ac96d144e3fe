#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet get: one fact for shell scripts. What the profiles say is in tests/data/profiles.

load common

setup() {
  private_home
  node=$(of_this_node node)
  cluster=$(of_this_node cluster)
}

# get_is EXPECTED WORD...
get_is() {
  local expected=$1
  shift
  servet get "$@"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [ "$output" = "$expected" ]
}

# doubted_is EXPECTED REASON WORD...: the fact is on stdout as any other, and one line on stderr has the reason.
doubted_is() {
  local expected=$1 reason=$2
  shift 2
  servet get "$@"
  [ "$status" -eq 0 ]
  [ "$output" = "$expected" ]
  [ "$stderr" = "servet: $1: not trusted: $reason" ]
}

@test "stderr names facts that are not trusted or only reported by the system" {
  doubted_is 64 "only reported by the operating system" caches.1.line "$node"
  doubted_is 8388608 "others use the cache: it is what they leave" caches.3.bytes "$node"
  get_is os caches.1.line.method "$node"
  get_is no caches.1.line.trusted "$node"
}

@test "sizes are bare integers" {
  get_is 2097152 caches.2.bytes "$node"
  doubted_is 503316480 "only reported by the operating system" caches.3.reported "$node"
  get_is 34359738368 machine.memory_bytes "$node"
  get_is 49015 caches.1.reachable_bytes "$node"
}

@test "ways and sets are plain integers, and not measured if conflicts were not clear" {
  counted=$(of_this_node counted)
  get_is 8 caches.1.ways "$counted"
  doubted_is 2048 "sets follow from a line that is not trusted: 2048 here, but 64 B in kinds.1.caches.2.line" caches.2.sets "$counted"
  get_is 25600 caches.1.reachable_bytes "$counted"
  get_is 28672 caches.1.reachable_bytes.high "$counted"
  get_is conflict caches.1.bytes.method "$counted"
  servet get caches.3.ways "$counted"
  fails 1 "*caches.3.ways: not measured*"
  servet get caches.1.way "$counted"
  fails 2 "*caches.N.ways*"
}

@test "values are printed as bare numbers and words" {
  get_is 3 caches.count "$node"
  get_is 1.39 caches.1.latency_ns "$node"
  get_is differs caches.2.verdict "$node"
  doubted_is turnover "others use the cache: it is what they leave" caches.3.kind "$node"
  get_is "Imaginary 9000" machine.cpu "$node"
}

@test "the profile comes from SERVET_PROFILE, from a folder, or from the user's place" {
  SERVET_PROFILE=$node get_is 3 caches.count
  cp "$node" "$BATS_TEST_TMPDIR/profile.json"
  get_is 3 caches.count "$BATS_TEST_TMPDIR"
  mkdir -p "$XDG_DATA_HOME/servet"
  cp "$cluster" "$XDG_DATA_HOME/servet/profile.json"
  get_is 2 classes.count
}

@test "--core selects the core type, --class the node class" {
  get_is 131072 caches.1.bytes "$cluster"
  get_is 131072 caches.1.bytes --core 1 "$cluster"
  get_is 65536 --core=5 caches.1.bytes "$cluster"
  get_is p1 machine.hostname --class plain "$cluster"
}

@test "facts of several cores are printed" {
  together=$(of_this_node together)
  get_is 128 coherence_line "$together"
  get_is 3 distance.layers.count "$together"
  get_is 22.5 distance.layers.1.latency_ns "$together"
  get_is $'0-3\n4-7' distance.layers.2.groups "$together"
  get_is 6250000000 memory.single "$together"
  get_is 5500000000 memory.levels.1.bandwidth "$together"
  get_is 4 memory.levels.1.saturation "$together"
  get_is 3000000000 memory.levels.1.scaling.4 "$together"
  get_is 4 memory.saturation "$together"
  get_is 4-7 numa.2.cores "$together"
  get_is 4250000000 numa.2.bandwidth.1 "$together"
  get_is 155 numa.2.latency_ns.1 "$together"
  get_is 6 memory.requests "$together"
  get_is 5 memory.requests_low "$together"
  get_is 8 memory.requests_high "$together"
  get_is differs caches.2.sharing.verdict "$together"
  servet get memory.scaling.3 "$together"
  fails 1 "servet: memory.scaling.3: not measured"
  servet get memory.scaling.9 "$together"
  fails 1 "servet: memory.scaling.9: numbers of cores must be between 1 and 8"
}

@test "each group is printed on a line of its own" {
  get_is $'0\n1\n2\n3' caches.1.groups "$node"
  get_is $'0,2\n1,3' caches.2.groups "$node"
}

@test "a fact that was not measured exits 1 with a message" {
  servet get caches.2.latency_cycles "$node"
  fails 1 "servet: caches.2.latency_cycles: not measured"
  servet get caches.3.groups "$node"
  fails 1 "servet: caches.3.groups: not measured (run with --only cache)"
  servet get distance.layers.1.latency_ns "$node"
  fails 1 "servet: distance.layers.1.latency_ns: not measured (run with --only cache)"
  servet get layers.count "$node"
  fails 1 "servet: layers.count: not measured (servet-mpi measure does)"
  jq '.run.unfinished = "sharing,line" | .run.cut = "line"' "$node" >"$BATS_TEST_TMPDIR/cut.json"
  servet get coherence_line "$BATS_TEST_TMPDIR/cut.json"
  fails 1 "servet: coherence_line: not measured (unfinished: sharing and line)"
  jq '.run.cut = "sharing"' "$node" >"$BATS_TEST_TMPDIR/cut.json"
  servet get caches.3.groups "$BATS_TEST_TMPDIR/cut.json"
  fails 1 "servet: caches.3.groups: not measured (the time limit cut sharing)"
  servet get caches.count --class plain "$cluster"
  fails 1 "servet: caches.count: not measured"
  servet get run.clock "$cluster"
  fails 1 "servet: run.clock: not measured"
}

@test "an unknown level, class or core exits 1" {
  servet get caches.4.bytes "$node"
  fails 1 "servet: caches.4.bytes: cache levels must be between 1 and 3"
  servet get caches.1.bytes --class fat "$cluster"
  fails 1 "*no node class 'fat'*"
  servet get caches.1.bytes --core 6 "$cluster"
  fails 1 "*'hybrid' has no core 6*"
  servet get caches.1.bytes --core 99999999999 "$cluster"
  fails 2 "*--core must be a whole number from 0 to 1048575*"
}

@test "a key that resembles no other exits 2 and names the list of keys" {
  servet get L2 "$node"
  fails 2 'servet: unknown key L2 (servet get --keys lists the keys)'
}

@test "an unknown key exits 2 and names the nearest one" {
  servet get caches.2.byts "$node"
  fails 2 "*caches.2.byts*caches.N.bytes"
}

@test "wrong usage exits 2" {
  servet get
  fails 2 "*KEY*"
  servet get caches.count "$node" more
  fails 2 "*'more'*"
  servet get caches.count --core two "$node"
  fails 2 "*'two'*"
}

@test "a missing or broken profile is refused" {
  servet get caches.count
  fails 1 "*no profile*"
  servet get caches.count "$BATS_TEST_TMPDIR/none.json"
  fails 1 "*/none.json: *No such file*"
  sed 's/"differs"/"perhaps"/' "$node" >"$BATS_TEST_TMPDIR/broken.json"
  servet get caches.count "$BATS_TEST_TMPDIR/broken.json"
  line=$(grep -n perhaps "$BATS_TEST_TMPDIR/broken.json" | head -n 1)
  fails 1 "servet: */broken.json:${line%%:*}: classes?0?.kinds?0?.caches?1?.verdict: *'perhaps'*"
}

@test "--keys lists every key with its description" {
  servet get --keys
  [ "$status" -eq 0 ]
  [[ $output == *$'\n'"caches.N.bytes  "* ]]
  for key in $(printf '%s\n' "$output" | sed 's/ .*//; s/[NM]/1/g'); do
    servet get "$key" "$node"
    [ "$status" -lt 2 ]
  done
}

@test "layers of communication and ratios are printed" {
  local job
  job=$(of_this_node job)
  prints() { servet get "$1" "$job" && [ "$status" -eq 0 ] && [ "$output" = "$2" ]; }
  prints layers.count 2
  prints layers.2.latency_us 40
  prints layers.1.bandwidth 4096000000
  prints layers.1.groups $'0:0-3\n1:0-3'
  prints layers.2.groups 0-1:0-3
  prints network.distance_ratio.1 1
  prints network.access_ratio.2 1.25
  prints network.access_ratio.3 1.625 # half way between 2 and 4
  servet get network.access_ratio.5 "$job"
  fails 1 'servet: network.access_ratio.5: beyond what was measured'
  servet get layers.count "$node"
  fails 1 'servet: layers.count: not measured (servet-mpi measure does)'
}

@test "--pages selects translation with huge pages, by either name" {
  local file=$BATS_TEST_TMPDIR/pages.json
  value() { printf '{"value": %s, "low": %s, "high": %s, "unit": "%s", "samples": 9, "method": "timed", "trusted": true}' "$1" "$1" "$1" "$2"; }
  translation() {
    printf '{"page_bytes": %s, "granule_bytes": null, "walk_ns": null, "pages_asked": 99, "tlbs": [{"entries": %s, "ways": null, "reach_bytes": %s, "latency_ns": %s, "confidence": 0.9}]}' \
      "$(value "$1" B)" "$(value "$2" 1)" "$(value $(($1 * $2)) B)" "$(value 7 ns)"
  }
  jq --argjson base "$(translation 4096 64)" --argjson huge "$(translation 2097152 32)" \
    '(.classes[].kinds[].translation) = $base | (.classes[].kinds[].translation_huge) = $huge' "$node" >"$file"
  get_is 64 translation.1.entries "$file"
  get_is 262144 translation.1.reach_bytes "$file"
  get_is 32 translation_huge.1.entries "$file"
  get_is 64 translation.1.entries "$file" --pages base
  get_is 32 translation.1.entries "$file" --pages huge
  servet get translation.1.entries "$file" --pages small
  fails 2 "servet: --pages must be base or huge, not 'small'"
}

# A run that other work took half the time of: no two cores were found to contend.
disturbed() {
  jq --arg reason "other work took 51 % of the core's time" \
    '.classes[0] |= (.memory.levels = [] | .doubts = [{fact: "memory.levels", reason: $reason},
       {fact: "kinds.caches.groups", reason: $reason}])' "$(of_this_node together)"
}

@test "the trust of counts and groups is printed with its reason" {
  disturbed >"$BATS_TEST_TMPDIR/disturbed.json"
  local file=$BATS_TEST_TMPDIR/disturbed.json
  doubted_is 0 "other work took 51 % of the core's time" memory.levels.count "$file"
  get_is no memory.levels.count.trusted "$file"
  get_is "other work took 51 % of the core's time" memory.levels.count.reason "$file"
  get_is no caches.2.groups.trusted "$file"
  get_is 0.97 caches.2.groups.confidence "$file"
  get_is yes caches.2.bytes.trusted "$file"
  get_is '' caches.2.bytes.reason "$file"
  get_is yes distance.layers.count.trusted "$file"
  servet get memory.levels.count.confidence "$file"
  fails 1 "*memory.levels.count.confidence: not measured"
}

@test "--trusted-only refuses a fact that is not trusted, with its name and the reason" {
  disturbed >"$BATS_TEST_TMPDIR/disturbed.json"
  local file=$BATS_TEST_TMPDIR/disturbed.json
  servet get --trusted-only memory.levels.count "$file"
  fails 1 "servet: memory.levels.count: not trusted: other work took 51 % of the core's time"
  servet get --trusted-only caches.2.groups "$file"
  fails 1 "*caches.2.groups: not trusted: *"
  get_is no --trusted-only memory.levels.count.trusted "$file"
  get_is 6291456 --trusted-only caches.2.bytes "$file"
  doubted_is 0 "other work took 51 % of the core's time" memory.levels.count "$file"
}

@test "--all prints each value that its key prints, and no other" {
  together=$(of_this_node together)
  servet get --all "$together"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  local all=$output line count=0
  [[ $'\n'$all == *$'\ncaches.2.bytes=6291456\n'* ]]
  [[ $all == *$'\ncaches.2.groups=0,2 1,3 4,6 5,7\n'* ]]
  [[ $all == *$'\nmachine.cpu=Imaginary Quad\n'* ]]
  [[ $all == *$'\nmemory.scaling.8=2000000000\n'* ]]
  [[ $all != *$'\nmemory.scaling.3='* ]]
  while read -r line; do
    servet get "${line%%=*}" "$together"
    [ "$status" -eq 0 ]
    [ "$(tr '\n' ' ' <<<"$output")" = "${line#*=} " ]
    count=$((count + 1))
  done < <(shuf -n 30 --random-source="$together" <<<"$all")
  [ "$count" -eq 30 ]
}

@test "--all reports the class and core that were given" {
  servet get --all --core 5 "$cluster"
  [[ $'\n'$output$'\n' == *$'\ncaches.1.bytes=65536\n'* ]]
  servet get --all --class plain "$cluster"
  [[ $'\n'$output$'\n' == *$'\nmachine.hostname=p1\n'* ]]
  [[ $output != *caches.1.bytes=* ]]
  servet get --all --class fat "$cluster"
  fails 1 "*no node class 'fat'*"
  servet get --all caches.count "$cluster"
  fails 2 "servet: get --all takes no KEY*"
}

@test "--json prints a value with its interval and its trust" {
  disturbed >"$BATS_TEST_TMPDIR/disturbed.json"
  local file=$BATS_TEST_TMPDIR/disturbed.json
  servet get --json caches.2.bytes "$file"
  [ "$status" -eq 0 ]
  [ "$(jq -c '."caches.2.bytes" | [.value, .low, .high, .samples, .method, .trusted, .reason]' <<<"$output")" = \
    "$(jq -c '.classes[0].kinds[0].caches[1].bytes | [.value, .low, .high, .samples, .method, true, null]' "$file")" ]
  servet get --json memory.levels.count "$file"
  [ "$(jq -c '."memory.levels.count"' <<<"$output")" = \
    '{"value":0,"trusted":false,"confidence":null,"reason":"other work took 51 % of the core'"'"'s time"}' ]
  servet get --json caches.2.groups "$file"
  [ "$(jq -c '."caches.2.groups" | [.value, .confidence]' <<<"$output")" = '[["0,2","1,3","4,6","5,7"],0.97]' ]
  servet get --json caches.9.bytes "$file"
  fails 1 "*between 1 and 2"
}

@test "--all --json has the same values, with --trusted-only only trusted ones" {
  disturbed >"$BATS_TEST_TMPDIR/disturbed.json"
  local file=$BATS_TEST_TMPDIR/disturbed.json lines
  lines=$("$SERVET" get --all "$file")
  servet get --all --json "$file"
  [ "$(jq -r 'to_entries[] | .key + "=" + (.value.value | if type == "array" then join(" ") elif . == true then "yes"
    elif . == false then "no" else tostring end)' <<<"$output" | grep -v '^run\.')" = "$(grep -v '^run\.' <<<"$lines")" ]
  [ "$(jq '."memory.levels.count".trusted' <<<"$output")" = false ]
  servet get --all --json --trusted-only "$file"
  [ "$status" -eq 0 ]
  [ "$(jq '[.[] | select(.trusted | not)] | length' <<<"$output")" = 0 ]
  [ "$(jq '."caches.2.bytes".value' <<<"$output")" = 6291456 ]
  ! "$SERVET" get --all --trusted-only "$file" | grep -q '^memory.levels.count='
}

@test "--keys --json describes the same keys" {
  [ "$("$SERVET" get --keys --json | jq -r 'keys_unsorted[]')" = "$("$SERVET" get --keys | cut -d ' ' -f 1)" ]
  [ "$("$SERVET" get --keys --json | jq -r '."caches.N.line"')" = "line size, bytes" ]
}

@test "a profile is read from standard input and from a pipe" {
  local command
  for command in 'get caches.2.bytes' 'show --json' 'get --all'; do
    # shellcheck disable=SC2086 # words
    [ "$("$SERVET" $command - <"$node")" = "$("$SERVET" $command "$node")" ]
    # shellcheck disable=SC2086 # words
    [ "$(cat "$node" | "$SERVET" $command -)" = "$("$SERVET" $command "$node")" ]
    # shellcheck disable=SC2086 # words
    [ "$("$SERVET" $command <(sleep 0.2 && cat "$node"))" = "$("$SERVET" $command "$node")" ]
  done
  "$SERVET" diff "$node" - <"$node"
  [ "$("$SERVET" merge - <"$node")" = "$("$SERVET" show --json "$node")" ]
  servet get caches.count - </dev/null
  fails 1 "servet: -:1: the file is empty"
  servet get caches.count - <<<'{"schema": }'
  fails 1 "servet: -:1: *"
  servet get caches.count <(true)
  fails 1 "*: nothing came through this pipe"
  run bash -c '"$SERVET" get caches.count - <&-'
  [ "$status" -eq 1 ]
  [[ $output == "servet: -: cannot open: "* ]]
  # The environment names a file.
  export SERVET_PROFILE=-
  servet get caches.count <"$node"
  fails 1 "servet: -: *No such file*"
}
