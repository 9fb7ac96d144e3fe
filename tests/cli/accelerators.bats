#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Accelerators through the driver of the fakes (tests/fakes/cuda.c), which takes the time of its model, or fails where the environment says so,
# and on models of nodes (tests/data/models).

load common

setup() {
  private_home
  dir=$BATS_TEST_TMPDIR/profile
}

# measure: measures accelerators by the driver of the fakes, with the time that it takes beside other programs.
measure() {
  LD_LIBRARY_PATH=$FAKE_CUDA${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} servet measure --only accelerators --budget 600 -q -o "$dir"
}

# of_profile FILTER: what jq makes of the accelerators of the profile.
of_profile() {
  jq -c ".classes[0].accelerators | $1" "$dir/profile.json"
}

@test "the driver's devices are measured" {
  measure
  [ "$status" -eq 0 ]
  [ "$(of_profile '[.devices[] | .name, .bus, .node]')" = '["Fake 0","fffe:01:00.0",-1,"Fake 1","fffe:02:00.0",-1]' ]
  # On one node no other can be nearer; its links have no more than 20 GB/s, and 6 us at least.
  [ "$(of_profile '[.devices[].uniform]')" = '[true,true]' ]
  [ "$(of_profile '[.devices[].links[] | .to_device.value <= 20.1e9 and .to_host.value <= 20.1e9 and .to_device_latency_us.value >= 5.9]
    | all')" = true ]
  [ "$(of_profile '[.pairs[] | .from, .to, .direct]')" = '[0,1,false,1,0,false]' ]
  servet show "$dir"
  [[ $output == *Accelerators* && $output == *'Fake 1'* ]]
}

@test "devices that share a switch slow each other down" {
  [ "$(nproc)" -gt 1 ] || skip 'one core'
  FAKE_PEER=1 FAKE_SWITCH_GB=20 measure
  [ "$status" -eq 0 ]
  [ "$(of_profile '[.levels[].groups] | flatten | unique')" = '["0-1"]' ]
  [ "$(of_profile '[.pairs[].direct]')" = '[true,true]' ]
}

@test "a node without devices, or without a driver, says so" {
  FAKE_DEVICES=0 measure
  [ "$status" -eq 0 ]
  [ "$(of_profile .devices)" = '[]' ]
  [[ $output != *"Not measured"*accelerators* && $output != *Accelerators* ]]
  servet get accelerators.devices.count "$dir"
  [ "$output" = 0 ]
}

@test "a driver that does not work is an error where nothing else is wanted" {
  for call in cuInit cuDeviceGetCount cuDevicePrimaryCtxRetain cuMemAlloc_v2 cuMemHostRegister_v2 cuStreamCreate \
    cuStreamSynchronize; do
    FAKE_FAILS=$call measure
    fails 1 'servet: libcuda.so.1 cannot *: CUDA_ERROR_UNKNOWN (999)'
  done
  [ ! -e "$dir/profile.json" ]
}

@test "a driver that does not work leaves other benchmarks alone" {
  LD_LIBRARY_PATH=$FAKE_CUDA FAKE_FAILS=cuInit servet measure --only peak,accelerators -q -o "$dir"
  [ "$status" -eq 0 ]
  [ "$(of_profile .devices)" = null ]
  [[ $output == *"Not measured"*accelerators* ]]
}

@test "what a driver does not do is not measured" {
  FAKE_FAILS=cuMemcpyDtoHAsync_v2 measure
  [ "$status" -eq 0 ]
  [ "$(of_profile '[.devices[].links[] | .to_host, .to_host_latency_us] | unique')" = '[null]' ]
  [ "$(of_profile '[.devices[].links[].to_device | type] | unique')" = '["object"]' ]
  [ "$(of_profile '[.devices[].cores] | unique')" = '[""]' ]
}

@test "a device that goes while it is measured leaves facts out" {
  FAKE_FAILS=cuStreamSynchronize FAKE_CALLS=400 measure
  [ "$status" -eq 0 ]
  [ "$(of_profile '.devices | length')" = 2 ]
  [ "$(of_profile '.pairs')" = null ]
}

@test "models of nodes have accelerators, which are analysed again" {
  servet measure --machine "$SOURCE_ROOT/tests/data/models/wrong-switch.json" --only accelerators -q -o "$dir"
  [ "$status" -eq 0 ]
  [ "$(of_profile '[.devices[].verdict]')" = '["agrees","differs","agrees","not visible"]' ]
  servet analyze "$dir" --json
  [ "$status" -eq 0 ]
  [ "$(jq -c .classes[0].accelerators <<<"$output")" = "$(of_profile .)" ]
}

# near WORD...: the places of processes near to the GPUs of a node that was measured before.
near() {
  servet map --order block --nodes node --node-class default "$@" "$dir"
}

@test "map --near gpu gives processes to the GPUs in turn, on cores near to each" {
  servet measure --machine "$SOURCE_ROOT/tests/data/models/wrong-switch.json" --only accelerators -q -o "$dir"
  # Even cores are near to GPU 0, odd ones to the others.
  near -n 6 --near gpu
  [ "$status" -eq 0 ]
  [ "$output" = '0 node 0 accelerator 0
1 node 1 accelerator 1
2 node 3 accelerator 2
3 node 5 accelerator 3
4 node 2 accelerator 0
5 node 7 accelerator 1' ]
  # Threads of a process are neighbours; none of two GPUs gets more.
  near -n 4 --threads-per-process 2 --near gpu:1
  [ "$status" -eq 0 ]
  [[ $(cut -d' ' -f4- <<<"$output" | sort -u) == 'accelerator 0' ]]
  near -n 2 --near gpu --json
  [ "$(jq -c '[.processes[].accelerator]' <<<"$output")" = '[0,1]' ]
  # Any core is taken if no near one is left.
  near -n 16 --near gpu:1
  [ "$status" -eq 0 ]
  [ "$(sed -n 9p <<<"$output")" = '8 node 1 accelerator 0' ]
}

@test "map --near gpu needs measured GPUs" {
  near -n 2 --near cpu
  fails 2 "servet: --near must be gpu or gpu:N, not 'cpu'"
  near -n 2 --near gpu:0
  fails 2 "servet: --near must be gpu or gpu:N, not 'gpu:0'"
  servet map -n 2 --near gpu "$SOURCE_ROOT/tests/data/profiles/node.json"
  fails 1 "servet: node class 'default' has no accelerators that were measured"
}
