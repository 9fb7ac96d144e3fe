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

# with_gpus NAME...: node.json with devices of these names in gpus.json.
with_gpus() {
  jq --args '.classes[0].accelerators = {pairs: null, levels: null, devices: [$ARGS.positional[] | {name: ., bus: "0000:17:00.0", cards: "",
    node: -1, cores: "", uniform: true, verdict: "not visible", links: []}]}' "$@" <"$SOURCE_ROOT/tests/data/profiles/node.json" >gpus.json
}

# gpu KEY: a fact of the caches in out.json.
gpu() {
  "$SERVET" get --class default "accelerators.devices.$1" out.json
}

# A result of MT4G for a device of NVIDIA (caps-tum/mt4g, sample_results): measured numbers, reported ones, and one without confidence.
nvidia='{"general": {"name": "GPU one", "vendor": "NVIDIA", "clockRate": {"unit": "kHz", "value": 1980000}},
  "memory": {
    "l1": {"size": {"confidence": 0.97, "size": 238848, "unit": "bytes"}, "lineSize": {"confidence": 0.98, "size": 128, "unit": "bytes"},
      "latency": {"mean": 38.5, "measurements": 255, "p50": 38, "unit": "cycles"}},
    "l2": {"size": {"unit": "bytes", "value": 52428800}, "latency": {"mean": 219.25, "measurements": 255, "unit": "cycles"}},
    "constant": {"l1": {"size": {"confidence": 0.9, "size": 2112, "unit": "bytes"}},
      "l1.5": {"size": {"confidence": 0.0, "size": 65537, "unit": "bytes"}}, "totalConstMem": {"unit": "bytes", "value": 65536}},
    "main": {"latency": {"mean": 834, "measurements": 2047, "unit": "cycles"}},
    "shared": {"sharedMemPerBlock": {"unit": "bytes", "value": 49152}, "sharedMemPerMultiProcessor": {"unit": "bytes", "value": 233472},
      "latency": {"mean": 29.9, "measurements": 255, "unit": "cycles"}}}}'

@test "caches of GPUs come from MT4G, to all devices of the name" {
  with_gpus "GPU one" "GPU two" "GPU one"
  echo "$nvidia" >one.json
  echo '{"general": {"name": "GPU two", "vendor": "AMD"}, "memory": {"l2": {"lineSize": {"unit": "bytes", "value": 128}},
    "scalarL1": {"size": {"confidence": 0.51, "size": 17920, "unit": "bytes"}},
    "shared": {"sharedMemPerBlock": {"unit": "bytes", "value": 65536}, "sharedMemPerMultiProcessor": {"unit": "bytes", "value": 19922944}}}}' >two.json
  servet merge --mt4g one.json --mt4g two.json -o out.json gpus.json
  [ "$status" -eq 0 ]
  [ -z "$output$stderr" ]
  for device in 1 3; do
    [ "$(for key in cache bytes; do for cache in 1 2 3 4; do gpu $device.caches.$cache.$key; done; done | paste -sd ' ')" = \
      "l1 l2 shared constant-l1 238848 52428800 233472 2112" ]
    [ "$(gpu $device.caches.1.line) $(gpu $device.caches.1.latency_cycles) $(gpu $device.caches.2.latency_cycles)" = "128 38.5 219.25" ]
    [ "$(gpu $device.caches.count) $(gpu $device.caches.1.latency_cycles.samples) $(gpu $device.caches.2.bytes.method)" = "4 255 os" ]
  done
  [ "$(for cache in 1 2 3; do gpu 2.caches.$cache.cache; done | paste -sd ' ')" = "l2 shared scalar-l1" ]
  [ "$(gpu 2.caches.1.line) $(gpu 2.caches.2.bytes) $(gpu 2.caches.3.bytes)" = "128 65536 17920" ]
  servet get --class default accelerators.devices.2.caches.1.bytes out.json
  fails 1 "*accelerators.devices.2.caches.1.bytes: not measured*"
  servet show --class default out.json
  [[ $output == *"Caches of accelerators, by MT4G"* && $output == *"0  l1  "*"233 KiB"*"128 B"*"38.5"* ]]
  sed 's/238848/119424/' one.json >half.json
  servet merge --mt4g half.json -o half.json out.json
  servet diff out.json half.json
  [[ $output == *accelerators.devices.1.caches.1.bytes* && $output == *accelerators.devices.3.caches.1.bytes* ]]
}

@test "files that are not MT4G's, and devices that the profile lacks, change nothing" {
  with_gpus "GPU two"
  echo "$nvidia" >one.json
  servet merge --mt4g one.json -o out.json gpus.json
  fails 1 "servet: one.json: the profile has no accelerator 'GPU one' *"
  servet merge --mt4g gpus.json -o out.json gpus.json
  fails 1 "servet: gpus.json is not a result of MT4G: *"
  echo '{"general": {"name": "GPU two"}, "memory": [1]}' >bad.json
  servet merge --mt4g bad.json -o out.json gpus.json
  fails 1 "servet: bad.json is not a result of MT4G: *"
  echo '{"general": ' >bad.json
  servet merge --mt4g bad.json -o out.json gpus.json
  fails 1 "servet: bad.json is not JSON: line *"
  servet merge --mt4g missing.json -o out.json gpus.json
  fails 1 "servet: *missing.json*"
  [ ! -e out.json ]
  # Nothing that is known: the list is empty, not unknown.
  echo '{"general": {"name": "GPU two"}, "memory": {"l1": {"size": {"size": -5, "unit": "bytes"}}, "l2": {"size": {"value": 1, "unit": "KiB"}},
    "l3": 7, "shared": {"latency": {"mean": "fast", "unit": "cycles"}}}}' >empty.json
  servet merge --mt4g empty.json -o out.json gpus.json
  [ "$status" -eq 0 ]
  [ "$(gpu 1.caches.count)" = 0 ]
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
