#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet check: does a profile fit the machine it is used on?

load common

setup() {
  private_home
  node=$SOURCE_ROOT/tests/data/profiles/node.json
  cluster=$SOURCE_ROOT/tests/data/profiles/cluster.json
  mine=$BATS_TEST_TMPDIR/mine.json
}

# Makes $mine of $node: each line of `servet check` tells what to put where.
adopt() {
  servet check "$node"
  printf '%s\n' "$output" | awk '
    / this machine has / {
      field = $1; sub(/:$/, "", field)
      sub(/.* this machine has /, "")
      if (field ~ /_bytes$/) {
        power = index("BKMGTP", substr($2, 1, 1)) - 1
        $0 = sprintf("%.0f", $1 * 1024 ^ power)
      } else
        $0 = "\"" $0 "\""
      gsub(/[\\&|]/, "\\\\&")
      printf "s|^ *\"%s\": .*[^,]\\(,*\\)$|\"%s\": %s\\1|\n", field, field, $0
    }' >"$BATS_TEST_TMPDIR/adopt.sed"
  sed "s/\"fingerprint\": \".*\"/\"fingerprint\": \"\"/; /\"machine\"/,/}/{
    $(cat "$BATS_TEST_TMPDIR/adopt.sed")
  }" "$node" >"$mine"
}

@test "each difference from another machine is printed on a line, with exit 1" {
  servet check "$node"
  [ "$status" -eq 1 ]
  [ -z "$stderr" ]
  [[ $output == *"architecture: the profile has none64, this machine has $(uname -m)"* ]]
  [[ $output == *"cpu: the profile has Imaginary 9000, this machine has "* ]]
  [[ $output == *"note: the profile does not list $(uname -n)"* ]]
  [[ $output == *"does not fit node class 'default'"* && $output != *'fit for use'* ]]
}

@test "a profile with corrected values fits; the host name alone does not matter" {
  adopt
  servet check "$mine"
  [ "$status" -eq 0 ]
  [[ $output == *"note: the profile does not list"* ]]
  [[ $output != *"this machine has"* ]]
  [[ $output == *" fits node class 'default'"* ]]
}

@test "memory may differ a little" {
  adopt
  memory=$(sed -n 's/.*"memory_bytes": \([0-9]*\).*/\1/p' "$mine")
  sed "s/\"memory_bytes\": [0-9]*/\"memory_bytes\": $((memory / 100 * 97))/" "$mine" >"$mine.less"
  servet check "$mine.less"
  [ "$status" -eq 0 ]
  sed "s/\"memory_bytes\": [0-9]*/\"memory_bytes\": $((memory / 100 * 90))/" "$mine" >"$mine.least"
  servet check "$mine.least"
  [ "$status" -eq 1 ]
  [[ $output == *"memory_bytes: the profile has "* ]]
}

# with_fingerprint TEXT: $mine has it.
with_fingerprint() {
  sed -i "s|\"fingerprint\": \".*\"|\"fingerprint\": \"$1\"|" "$mine"
}

# Sets $own to this machine's fingerprint: one word after the other, as `servet check` misses them.
find_own() {
  own="arch=$(uname -m)"
  while with_fingerprint "$own" && servet check "$mine" && [[ $output == *" was unknown and is "* ]]; do
    own="$own $(sed -n 's/^fingerprint: \([^ ]*\) was unknown and is \(.*\)/\1=\2/p' <<<"$output")"
  done
}

# SMT off, other NUMA nodes, memory added, pages of another size: share/doc/identity.md.
@test "queries answer on a listed node that was changed, and check names the change; on an unlisted node they fail" {
  local word
  adopt
  find_own
  [ "$status" -eq 0 ]
  [ "$("$SERVET" get caches.count "$mine")" -eq 3 ] # not listed, alike
  for word in threads numa memory page; do
    [[ $own == *" $word="* ]] || continue
    with_fingerprint "$(sed "s/ $word=[0-9]*/ $word=77/" <<<"$own")"
    servet get caches.count "$mine"
    fails 1 "*$(uname -n) is not listed: $word was 77 and is *"
    sed "s/\"node01\"/\"$(uname -n)\"/" "$mine" >"$mine.listed"
    servet get caches.count "$mine.listed"
    [ "$output" = 3 ]
    servet check "$mine.listed"
    [ "$status" -eq 1 ]
    [[ $output == *"fingerprint: $word was 77 and is "* ]]
  done
}

# measured_on CORES: $mine is of this machine and says that these were usable.
measured_on() {
  adopt
  sed -i '/"machine"/,/}/s/"cores": "[^"]*"/"cores": "'"$1"'"/' "$mine"
  [ "$("$SERVET" get --class default machine.cores "$mine")" = "$1" ]
}

# The first and the last of the PUs that this test may use.
usable() {
  local list
  list=$(taskset -cp $$ | sed 's/.*: //')
  first=${list%%[-,]*} last=${list##*[-,]}
}

@test "a job that sees a part of the machine fits, without a message" {
  command -v taskset >/dev/null || skip 'no taskset here'
  usable
  measured_on 0-4095
  output=$(taskset -c "$last" "$SERVET" check "$mine")
  [[ $output != *"measured on cores"* ]]
  [[ $output == *" fits node class 'default'"* ]]
}

@test "a job on other cores than the measured ones passes, with a note" {
  command -v taskset >/dev/null || skip 'no taskset here'
  usable
  measured_on 4000-4001,4003
  status=0
  output=$(taskset -c "$first" "$SERVET" check "$mine") || status=$?
  [ "$status" -eq 0 ]
  [[ $output == *"note: the profile covers the PUs 4000-4001,4003, this job may use $first"* ]]
  [[ $output == *" fits node class 'default'"* ]]
}

@test "adjacent and overlapping sets are compared number by number" {
  command -v taskset >/dev/null || skip 'no taskset here'
  usable
  [ "$last" -gt "$first" ] || skip 'this job has one PU only'
  measured_on "$first,$((first + 1))-4095"
  servet check "$mine"
  [[ $output != *"measured on cores"* ]]
  measured_on "$((first + 1))-4095"
  servet check "$mine"
  [ "$status" -eq 0 ]
  [[ $output == *"note: the profile covers the PUs $((first + 1))-4095, "* ]]
}

@test "the profile of a job on one core is checked in a job on another core" {
  command -v taskset >/dev/null || skip 'no taskset here'
  usable
  taskset -c "$last" "$SERVET" measure --only cache --max-bytes 128K --budget 3 -q -o "$BATS_TEST_TMPDIR/one" >/dev/null
  output=$(taskset -c "$first" "$SERVET" check "$BATS_TEST_TMPDIR/one") || : # it may have been disturbed
  [[ $output == *"$(uname -n) fits node class 'default'"* ]]
}

@test "a listed node is compared with its class, another one with the most similar class" {
  sed "s/\"h2\"/\"$(uname -n)\"/" "$cluster" >"$mine"
  servet check "$mine"
  [[ $output != *"does not list"* ]]
  [[ $output == *"node class 'hybrid'"* ]]
  servet check --class plain "$mine"
  [[ $output == *"node class 'plain'"* ]]
}

# The first latency of a cache in $mine is not trusted.
doubt() {
  sed -i '0,/"bytes": {/s/\("bytes": {.*"trusted": \)true/\1false/' "$mine"
}

@test "a profile that is not fit for use is reported with the reasons and exit 1" {
  adopt
  servet check "$mine"
  [ "$status" -eq 0 ]
  [ "${output##*$'\n'}" = 'fit for use' ]
  doubt
  servet check "$mine"
  [ "$status" -eq 1 ]
  [ "${output##*$'\n'}" = 'not fit for use: L1 not trusted; see servet show' ]
  sed -i 's/"noise": {"value": [0-9.]*, "low": 0, "high": [0-9.]*/"noise": {"value": 0.51, "low": 0, "high": 1/' "$mine"
  servet check "$mine"
  [ "$status" -eq 1 ]
  [ "${output##*$'\n'}" = 'not fit for use: L1 not trusted, other work took 51 % of the measuring time; measure again when the node is idle' ]
}

@test "--fitness does not describe the machine" {
  servet check --fitness "$node"
  [ "$status" -eq 0 ]
  [ "$output" = 'fit for use' ]
  cp "$cluster" "$mine"
  doubt
  servet check --fitness "$mine"
  [ "$status" -eq 1 ]
  [[ $output == 'not fit for use: L1 of node class hybrid not trusted; '* ]]
  servet check --fitness --class plain "$mine"
  [ "$status" -eq 0 ]
  servet check --fitness --class fat "$mine"
  fails 1 "servet: the profile has no node class 'fat', only hybrid, plain"
}

@test "an unknown class and a missing profile are refused" {
  servet check --class fat "$cluster"
  [ "$status" -eq 1 ]
  [[ $stderr == "servet: the profile has no node class 'fat', only hybrid, plain" ]]
  servet check "$BATS_TEST_TMPDIR/none.json"
  fails 1 "*none.json*"
}

@test "--json has the differences, whether it fits, and the same exit status" {
  servet check --json "$node"
  [ "$status" -eq 1 ]
  [ -z "$stderr" ]
  [ "$(jq -c '[.host, .class, .listed, .fits, .profile]' <<<"$output")" = \
    "$(jq -nc --arg host "$(uname -n)" --arg path "$node" '[$host, "default", false, false, $path]')" ]
  [ "$(jq -r '.differences[] | select(.name == "cpu").profile' <<<"$output")" = "Imaginary 9000" ]
  [ "$(jq -r '.differences[] | select(.name == "architecture").machine' <<<"$output")" = "$(uname -m)" ]
  adopt
  servet check --json "$mine"
  [ "$status" -eq 0 ]
  [ "$(jq -c '[.fits, .differences, .fit_for_use, .doubtful, .noise]' <<<"$output")" = '[true,[],true,"",""]' ]
  servet check --fitness --json "$node"
  [ "$status" -eq 0 ]
  [ "$(jq -c 'keys' <<<"$output")" = '["doubtful","fit_for_use","noise","profile"]' ]
}

# --- speed ----------------------------------------------------------------------------------------

# A small model with enough memory to measure it, 4.2 GB/s, and its profile, which is measured once.
speed_setup() {
  model=$BATS_FILE_TMPDIR/tiny.json other=$BATS_TEST_TMPDIR/other.json profile=$BATS_FILE_TMPDIR/measured
  [ ! -e "$profile" ] || return 0
  jq '.memory.bytes = "4G" | .caches[0].bytes = "16K" | .caches[1].bytes = "256K"' "$SOURCE_ROOT/tests/cli/tiny.json" >"$model"
  "$SERVET" measure --machine "$model" --only cache,memory --max-bytes 2M -q -o "$profile" >/dev/null
}

@test "--measure says in one line whether a node is as fast as its class" {
  speed_setup
  servet check --measure --machine "$model" "$profile"
  [ "$status" -eq 0 ] && [ -z "$stderr" ]
  [ "$output" = "tiny is as fast as node class 'default': 2 cores and memory compared" ]
  # 15 % less bandwidth
  jq '.memory.domains[0].bytes_per_second = 3.57e9' "$model" >"$other"
  servet check --measure --machine "$other" "$profile"
  [ "$status" -eq 1 ] && [ -z "$stderr" ]
  [ "$output" = "other is slower than node class 'default': memory by 15 % (3.57 GB/s, not 4.2); 2 cores and memory compared" ]
  servet check --measure --seconds 10 --machine "$other" --json "$profile"
  [ "$status" -eq 1 ]
  [ "$(jq '.seconds >= 10 and .seconds < 11 and .slow[0].core == null and (.slow[0].loss - 0.15 | fabs) < 0.01' <<<"$output")" = true ]
}

# PU 1 has 1.4 instead of 2 GHz: 2.857 ns for 4 cycles, not 2.
@test "--measure finds a slow core" {
  speed_setup
  jq 'del(.cores, .clock_ghz) | .kinds = [{name: "usual", cores: 1, clock_ghz: 2}, {name: "slow", cores: 1, clock_ghz: 1.4}] |
    .caches |= [.[] | (.kind = "usual"), (.kind = "slow")]' "$model" >"$other"
  servet check --measure --machine "$other" "$profile"
  [ "$status" -eq 1 ]
  [ "$output" = "other is slower than node class 'default': core 1 by 30 % (2.86 ns a load, not 2); 2 cores and memory compared" ]
}

# Nine visits of 1 ms and more to each of 256 cores take longer than 1 s.
@test "--measure does not call a node fast of which it has compared a part" {
  speed_setup
  jq '.cores = 256 | .line_transfer[0].within = 256' "$model" >"$other"
  jq '.classes[0] |= (.machine.cores = "0-255" | .kinds[].cores = "0-255" | del(.memory))' "$profile/profile.json" \
    >"$BATS_TEST_TMPDIR/wide.json"
  servet check --measure --seconds 1 --machine "$other" "$BATS_TEST_TMPDIR/wide.json"
  [ "$status" -eq 0 ] && [ -z "$stderr" ]
  [[ $output == "other: nothing slow found in what was compared with node class 'default': "*" cores compared, "*" without time" ]]
}

@test "--measure fails if nothing can be compared" {
  speed_setup
  servet check --measure --machine nehalem-2s "$profile"
  [ "$status" -eq 1 ] && [ -z "$stderr" ]
  [[ $output == "nehalem-2s does not fit node class 'default': "* ]]
  jq '.classes[0] |= del(.memory) | .classes[0].kinds[].caches[].latency_ns.trusted = false' "$profile/profile.json" >"$BATS_TEST_TMPDIR/empty.json"
  servet check --measure --machine "$model" "$BATS_TEST_TMPDIR/empty.json"
  fails 1 "*neither a trusted latency of the L1 nor a bandwidth*"
  servet check --measure --fitness "$profile"
  fails 2 "*exclude each other"
  servet check --machine "$model" "$profile"
  fails 2 "*--machine needs --measure"
}
