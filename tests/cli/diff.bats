#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet diff: what changed between two profiles. What the profiles say is in tests/data/profiles.

load common

setup() {
  private_home
  node=$SOURCE_ROOT/tests/data/profiles/node.json
  together=$SOURCE_ROOT/tests/data/profiles/together.json
  changed=$BATS_TEST_TMPDIR/changed.json
}

# In node.json the latency of memory is 187.5 ns, 165 to 270.
slower_memory() {
  sed "s/\"latency_ns\": {\"value\": 187.5, \"low\": [0-9.]*, \"high\": [0-9.]*/\"latency_ns\": {\"value\": $1, \"low\": $1, \"high\": $1/${2-}" \
    "$node" >"$changed"
  ! cmp -s "$node" "$changed"
}

@test "a profile does not differ from itself" {
  servet diff "$node" "$node"
  [ "$status" -eq 0 ]
  [[ $output =~ ^[0-9]+" facts: "([0-9]+)" same, 0 doubtful, 0 changed, 0 gone, 0 new"$ ]]
  [ "${BASH_REMATCH[1]}" -ge 10 ]
}

@test "each difference is printed on a line, with exit 1" {
  slower_memory 400
  servet diff "$node" "$changed"
  [ "$status" -eq 1 ]
  [ -z "$stderr" ]
  [ "$(head -n 1 <<<"$output")" = "default/core: memory.latency_ns: 187.5 -> 400 (+113 %)" ]
  [[ $(tail -n 1 <<<"$output") == *" 1 changed, 0 gone, 0 new" ]]
}

@test "a text that is empty on one side is printed as nothing" {
  sed 's/"cpu": "[^"]*"/"cpu": ""/' "$node" >"$changed"
  servet diff "$node" "$changed"
  [[ $output == 'default: machine.cpu: '*' -> nothing'$'\n'* ]]
}

@test "--tolerance is a percentage, for all facts or by name" {
  slower_memory 400 # 130 ns from the interval of the other: 32.5 %
  servet diff --tolerance 32 "$node" "$changed"
  [ "$status" -eq 1 ]
  servet diff --tolerance 33 "$node" "$changed"
  [ "$status" -eq 0 ]
  servet diff --tolerance 33,latency=1 "$node" "$changed"
  [ "$status" -eq 1 ]
  servet diff --tolerance=latency=33 "$node" "$changed"
  [ "$status" -eq 0 ]
  servet diff --tolerance bandwidth=33,size=1e3 "$node" "$changed"
  [ "$status" -eq 1 ]
}

@test "a value that is not trusted is listed and is no difference" {
  slower_memory 400
  sed 's/\("latency_ns": {"value": 400,.*"trusted": \)true/\1false/' "$changed" >"$changed.not"
  servet diff "$node" "$changed.not"
  [ "$status" -eq 0 ]
  [[ $output == "! default/core: memory.latency_ns: 187.5 -> 400 (+113 %), not trusted in $changed.not"* ]]
}

@test "a fact of only one profile is a difference, except with --common" {
  sed 's/"latency_ns": {"value": 187.5.*}/"latency_ns": null/' "$node" >"$changed"
  servet diff "$node" "$changed"
  [ "$status" -eq 1 ]
  [[ $output == "default/core: memory.latency_ns: 187.5 -> not measured"$'\n'* ]]
  servet diff --common "$node" "$changed"
  [ "$status" -eq 0 ]
  [[ $output == "default/core: memory.latency_ns: 187.5 -> not measured"$'\n'* ]]
  sed 's/"node01"/"node02"/' "$node" >"$changed"
  servet diff --common "$node" "$changed"
  [ "$status" -eq 0 ]
  [[ $output == *"node01: class.name: default -> not listed"* ]]
  [[ $output == *"node02: class.name: not listed -> default"* ]]
}

@test "--json prints one document with all facts" {
  command -v jq >/dev/null || skip 'no jq here'
  slower_memory 400
  servet diff --json "$node" "$changed"
  [ "$status" -eq 1 ]
  [ "$(jq .differs <<<"$output")" = true ]
  [ "$(jq '.facts | length' <<<"$output")" = "$(jq '[.counts[]] | add' <<<"$output")" ]
  [ "$(jq -c '.facts[] | select(.comparison != "same") | [.class, .kind, .host, .key, .quantity,
    .comparison, .first, .second, .first_trusted]' <<<"$output")" = \
    '["default","core",null,"memory.latency_ns","latency","changed","187.5","400",true]' ]
}

@test "wrong usage exits 2, differences exit 1" {
  servet diff "$node"
  fails 2 "*A B*"
  servet diff "$node" "$BATS_TEST_TMPDIR/none.json"
  fails 2 "*none.json*"
  local list
  for list in much latency latency= speed=5 word=5 -1 10,,5 5%; do
    servet diff --tolerance "$list" "$node" "$node"
    fails 2 "*--tolerance must be *, not '*"
  done
}
