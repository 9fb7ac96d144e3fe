#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet env: variables of other programs. The profiles are together.json with other numbers, and a model whose caches the
# manual of its processor describes.

load common

setup() {
  private_home
  together=$(of_this_node together)
  changed=$BATS_TEST_TMPDIR/changed.json
}

# with FILTER: together.json as jq changes it, into $changed.
with() {
  jq "def rate: {value: ., low: (. * 0.99), high: (. * 1.01), unit: \"B/s\", samples: 9, method: \"timed\", trusted: true};
    .classes[0] |= ($1)" "$together" >"$changed"
}

# prints TARGET LINES: without comments and with exit status 0.
prints() {
  servet env "$1" "$changed"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  diff <(sed '/^#/d; /^$/d' <<<"$output") <(echo "$2")
}

# needless TARGET REASON: prints no variable, because none is needed, and says so.
needless() {
  servet env "$1" "$changed"
  [ "$status" -eq 0 ]
  [ -z "$output" ]
  [[ $stderr == "servet: $1: nothing to set: "*$2* ]]
}

# lacks TARGET REASON: prints no variable, because a fact is not known, and fails.
lacks() {
  servet env "$1" "$changed"
  fails 1 "servet: $1: nothing can be set: *$2*: measure again*"
}

x86='.machine.architecture = "x86_64"'
# Its system says 4 MiB of an L2 of 6 MiB.
wrong='.kinds[].caches[1] |= (.reported |= (.value = 4194304 | .low = 4194304 | .high = 4194304) | .verdict = "differs")'

@test "OpenBLAS gets the size of the L2 if the system reports a wrong one or none" {
  with "$x86 | $wrong"
  prints openblas OPENBLAS_L2_SIZE=6144
  with "$x86 | .kinds[].caches[1] |= (.reported = null | .verdict = \"not visible\")"
  prints openblas OPENBLAS_L2_SIZE=6144
  with "$x86"
  needless openblas 'the system is not wrong'
  with "$x86 | $wrong | .kinds[].caches[1].bytes.trusted = false"
  lacks openblas 'caches.2.bytes: not trusted'
  with ".machine.architecture = \"aarch64\" | $wrong"
  needless openblas 'x86_64 only'
}

# The A64FX manual: 64 KiB, 4 ways, lines of 256 B, so 64 sets.
@test "BLIS gets ways, sets and lines of a machine with SVE, but of no cache with a missing number" {
  "$SERVET" measure --machine a64fx --only cache,line -q -o "$BATS_TEST_TMPDIR/a64fx" >/dev/null
  servet env blis "$BATS_TEST_TMPDIR/a64fx"
  [ "$output" = $'BLIS_SVE_W_L1=4\nBLIS_SVE_N_L1=64\nBLIS_SVE_C_L1=256' ]
  jq '.classes[0].kinds[].caches[0].sets = null' "$BATS_TEST_TMPDIR/a64fx/profile.json" >"$changed"
  lacks blis 'caches.1.sets: not measured'
}

# Four cores saturate memory, two on each package (cores 0-3 and 4-7); 0,2 1,3 4,6 5,7 are nearest.
@test "OpenMP gets places for the bottleneck of the program" {
  for bound in memory:4 compute:8 barrier:2; do
    servet env omp --bound "${bound%:*}" --class default "$SOURCE_ROOT/tests/data/profiles/together.json"
    [ "$status" -eq 0 ]
    grep -qx "OMP_NUM_THREADS=${bound#*:}" <<<"$output"
    grep -qx 'OMP_PROC_BIND=close' <<<"$output"
    places=$(sed -n 's/^OMP_PLACES=//p' <<<"$output" | tr -d '{}' | tr , '\n')
    [ "$(sort -u <<<"$places" | wc -l)" -eq "${bound#*:}" ]
    case $bound in
      memory*) [ "$(grep -c '[0-3]' <<<"$places")" -eq 2 ] ;;
      barrier*) [ "$(tr '\n' , <<<"$places")" = 0,2, ] ;;
    esac
  done
  jq 'del(.classes[0].distance)' "$together" >"$changed"
  servet env omp --bound barrier --class default --explain "$changed"
  [ "$status" -eq 1 ]
  [[ $stderr == 'servet: omp: nothing can be set: distance.layers: not measured: '* ]]
  [[ $output == "# OMP_PLACES, OMP_NUM_THREADS, OMP_PROC_BIND: left out: distance.layers: not measured" ]]
}

# 10 and 4 GB/s are 5 to 2, and 12 and 6 are 2 to 1, within one per cent.
@test "weights of NUMA nodes have the ratios of their bandwidths, and are marked" {
  with '.numa[0].bandwidth = [(1e10 | rate), (4e9 | rate)] | .numa[1].bandwidth = [(3e9 | rate), (3.5e9 | rate)]'
  prints interleave $'interleave_nodes=0,1\ninterleave_node0=5\ninterleave_node1=2'
  grep -q '^# unproven: ' <<<"$output"
  with '.numa[0].bandwidth = [(6e9 | rate), (12e9 | rate)] | .numa[1].bandwidth = [(3e9 | rate), (3e9 | rate)]'
  prints interleave $'interleave_nodes=0,1\ninterleave_node0=1\ninterleave_node1=2'
  with '.numa[0].bandwidth = [(4e10 | rate), (1e8 | rate)] | .numa[1].bandwidth = [(1e7 | rate), (1e8 | rate)]'
  prints interleave $'interleave_nodes=0,1\ninterleave_node0=255\ninterleave_node1=1'
  # Nothing is exactly pi to 1: 81 times pi is 254.5, and 82 times more than 255.
  with 'def exact: rate | .low = .value | .high = .value;
    .numa[0].bandwidth = [(3141592653 | exact), (1e6 | rate)] | .numa[1].bandwidth = [(1e6 | rate), (1e9 | exact)]'
  prints interleave $'interleave_nodes=0,1\ninterleave_node0=254\ninterleave_node1=81'
  with '.numa[0].bandwidth = [(6e9 | rate), (0 | rate)] | .numa[1].bandwidth = [(3e9 | rate), (0 | rate)]'
  lacks interleave 'not measured'
  with .
  needless interleave 'all memory is as fast'
}

@test "memkind gets the nodes without cores whose memory is faster" {
  with '.numa[0].bandwidth = [(6e9 | rate), (12e9 | rate)] | .numa[1].bandwidth = null | .numa[1].latency_ns = null |
    .numa[1].cores = ""'
  prints memkind MEMKIND_HBW_NODES=1
  grep -q '^# unproven: ' <<<"$output"
  with '.numa[0].bandwidth = [(6e9 | rate), (3e9 | rate)] | .numa[1].bandwidth = null | .numa[1].latency_ns = null |
    .numa[1].cores = ""'
  needless memkind 'no NUMA node without cores'
}

# One core copies 5 GB/s as STREAM counts, reads and writes: 2.5e9 B, which are 2384 MiB, move in a second.
@test "UCX gets the bandwidth of copies, which is marked" {
  with '.memory.bandwidth |= (."copy-nt" = null | .copy = (5e9 | rate))'
  prints ucx UCX_BCOPY_BW=2384MBps
  grep -q '^# unproven: ' <<<"$output"
}

@test "--explain names a fact for each line, and all targets are printed without one" {
  with "$x86 | $wrong"
  servet env --explain --class default "$changed"
  [ "$status" -eq 0 ]
  grep -qx '# OPENBLAS_L2_SIZE: .*caches.2.bytes is 6291456' <<<"$output"
  grep -qx '# BLIS_SVE_W_L1: left out: .*aarch64 only' <<<"$output"
  grep -qx '# interleave: left out: .*' <<<"$output"
  for name in OPENBLAS_L2_SIZE OMP_PLACES UCX_BCOPY_BW; do
    grep -q "^$name=" <<<"$output"
  done
  # A shell can read it.
  eval "$output"
  [ "$OPENBLAS_L2_SIZE" = 6144 ]
}

@test "wrong words are refused" {
  servet env blas "$together"
  fails 2 "*unknown target 'blas'; targets are openblas, *"
  servet env --bound io omp "$together"
  fails 2 "*--bound must be *'io'"
  servet env omp --class fat "$together"
  fails 1 "*fat*"
  servet env "$BATS_TEST_TMPDIR/none.json"
  fails 1 "*none.json*"
}
