#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet merge: one profile of those of several jobs. What is kept of which: tests/c/profile_merge.c.

load common

setup() {
  private_home
  cluster=$SOURCE_ROOT/tests/data/profiles/cluster.json
  job=$SOURCE_ROOT/tests/data/profiles/job.json
  cd "$BATS_TEST_TMPDIR" || return
}

@test "nodes of one profile and network of another are merged" {
  servet merge "$cluster" "$job" -o both.json
  [ "$status" -eq 0 ]
  [ -z "$output$stderr" ]
  servet get class.nodes --class "$("$SERVET" get class.name "$cluster")" both.json
  [ "$output" = "$("$SERVET" get class.nodes "$cluster")" ]
  servet get network.ranks both.json
  [ "$output" = "$("$SERVET" get network.ranks "$job")" ]
}

@test "one profile is written unchanged, on standard output and over itself" {
  servet merge "$job"
  [ "$status" -eq 0 ]
  [ "$output" = "$("$SERVET" show --json "$job")" ]
  cp "$job" own.json
  servet merge own.json own.json --output own.json
  [ "$status" -eq 0 ]
  cmp <("$SERVET" show --json "$job") own.json
}

@test "unlike nodes: the classes of the last profile get a name" {
  sed 's/"node01"/"fat7"/g' "$SOURCE_ROOT/tests/data/profiles/node.json" >fat.json
  servet merge --class fat -o all.json "$cluster" fat.json
  [ "$status" -eq 0 ]
  [ "$("$SERVET" get machine.hostname --class fat all.json)" = fat7 ]
  [ "$(jq '.classes | length' all.json)" = 3 ]
  servet merge --class x all.json -o numbered.json
  [ "$("$SERVET" get machine.hostname --class x-3 numbered.json)" = fat7 ]
  servet merge --class "$(printf '%070d' 0)" "$job"
  fails 2 'servet: the name of the node class is too long: *'
}

@test "unlike nodes of which only the communication was measured stay in their classes" {
  local name
  for name in fat thin; do
    jq --arg name "$name" '.classes = [.classes[0] | .name = "default" | .nodes = [$name + "1", $name + "2"]
      | .machine.hostname = $name + "1" | .kinds = [] | .distance = {} | .numa = null | .coherence = null | .memory = {}
      | .doubts = null | .modes = null]' "$SOURCE_ROOT/tests/data/profiles/node.json" >$name.json
    [ ! -f all.json ] || set -- all.json
    servet merge --class $name -o all.json "$@" $name.json
    [ "$status" -eq 0 ]
  done
  [ "$(jq -c '[.classes[] | [.name] + .nodes] | sort' all.json)" = '[["fat","fat1","fat2"],["thin","thin1","thin2"]]' ]
  servet get kinds.count --class thin all.json
  fails 1 'servet: kinds.count: not measured*'
}

@test "mistakes are usage errors" {
  servet merge
  fails 2 "*merge*"
  servet merge "$job" nothing.json -o new.json
  fails 1 "*nothing.json*"
  [ ! -e new.json ]
  servet merge "$job" -o no/folder.json
  fails 1 "*no/folder.json*"
}

@test "a pipe, a device and a folder are no output files" {
  mkfifo pipe
  mkdir folder
  ln -s /dev/full full
  touch stderr
  local before place
  before=$(ls -F)
  for place in pipe full folder; do
    servet merge -o "$place" "$job"
    fails 1 "servet: $place: cannot write: not a regular file"
  done
  [ "$(ls -F)" = "$before" ]
}

# In blocks of 1024 bytes: a part of the profile, and all of it but its end.
@test "a limit of file sizes is reported with the output, and the old file stays" {
  servet merge -o whole.json "$cluster" "$job"
  cp "$job" both.json
  local before blocks
  before=$(ls)
  for blocks in 4 $(($(wc -c <whole.json) / 1024)); do
    status=0
    output=$( (ulimit -f $blocks && exec "$SERVET" merge -o both.json "$cluster" "$job") 2>&1) || status=$?
    [ "$status" -eq 1 ]
    [[ $output == "servet: both.json: cannot write"*": File too large" ]]
    cmp "$job" both.json
    [ "$(ls)" = "$before" ]
  done
}

@test "--json prints the result and also writes it" {
  servet merge --json -o both.json "$cluster" "$job"
  [ "$status" -eq 0 ]
  [ "$output" = "$(cat both.json)" ]
  [ "$(jq '.classes | length' both.json)" -ge 2 ]
}
