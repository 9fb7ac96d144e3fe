#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares what Servet measures with independent loops, and likwid-bench where it is installed, on this
# machine: sh tests/tools/references/compare.sh BUILD. Run by hand, on two cores or more that nothing else uses.
set -eu

build=$(cd "${1:?usage: compare.sh BUILD}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: "${CC:=cc}" "${MPICC:=mpicc}" "${MPIRUN:=mpirun}"

"$CC" -O2 -std=gnu11 -pthread -o "$work/loops" "$here/loops.c"
"$MPICC" -O2 -std=c11 -o "$work/messages" "$here/messages.c"
"$MPICC" -O2 -std=c11 -o "$work/collectives" "$here/collectives.c"
"$build/servet" measure -q -o "$work/node" >/dev/null
"$MPIRUN" -np 2 "$build/servet-mpi" measure --only layers,curves,aggregation,collectives -q -o "$work/job" >/dev/null

node() {
  SERVET_PROFILE=$work/node/profile.json "$build/servet" get "$1" 2>/dev/null || :
}

job() {
  SERVET_PROFILE=$work/job/profile.json "$build/servet" get "$1" 2>/dev/null || :
}

# Prints number $1 in ascending order, of five runs of a command that prints a number in field $2.
run() {
  number=$1 field=$2
  shift 2
  for _ in 1 2 3 4 5; do
    "$@" 2>/dev/null | awk -v field="$field" 'NR == 1 { print $field }'
  done | sort -g | sed -n "${number}p"
}

median() {
  run 3 "$@"
}

# row KEY VALUE UNIT-FACTOR REFERENCE FIGURE
row() {
  awk -v key="$1" -v value="$2" -v factor="$3" -v name="$4" -v figure="$5" 'BEGIN {
    if (value == "" || figure == "")
      printf "| `%s` | %s | %s | %s | - |\n", key, name, figure == "" ? "-" : figure, value == "" ? "not measured" : value
    else
      printf "| `%s` | %s | %.4g | %.4g | %.2f |\n", key, name, figure, value * factor, value * factor / figure
  }'
}

loop() {
  key=$1 factor=$2 field=$3
  shift 3
  row "$key" "$(node "$key")" "$factor" "loops $*" "$(run "$of_five" "$field" "$work/loops" "$@")"
}

likwid() {
  command -v likwid-bench >/dev/null || return 0
  figure=$(for _ in 1 2 3 4 5; do
    likwid-bench -t "$2" -w "S0:${3}kB:1" -i "$4" 2>/dev/null | awk '/^MByte\/s/ { print $2 / 1000 }'
  done | sort -g | sed -n 3p)
  row "$1" "$(node "$1")" 1e-9 "likwid-bench -t $2, $3 kB" "$figure"
}

# A quarter of a level, as whole lines: where Servet measures, too.
quarter() {
  node "caches.$1.bytes" | awk '{ print int($1 / 4 / 512) * 512 }'
}

message() {
  key=$1 field=$2
  shift 2
  row "$key" "$(job "$key")" 1 "messages $*" "$(median "$field" "$MPIRUN" -np 2 "$work/messages" "$@")"
}

echo '| key | reference | figure | here | ratio |'
echo '| --- | --- | --- | --- | --- |'
of_five=3
loop run.frequency_hz 1e-9 2 clock
large=268435456
wide=$(grep -qw avx512f /proc/cpuinfo && echo load_avx512 || echo load_avx)
for level in 1 2; do
  bytes=$(quarter $level)
  [ -n "$bytes" ] || continue
  loop "caches.$level.latency_ns" 1 1 chase "$bytes" 64 1
  loop "caches.$level.bandwidth" 1e-9 1 load "$bytes"
  likwid "caches.$level.bandwidth" "$wide" $((level == 1 ? bytes * 3 / 1000 : bytes / 1000)) \
    $((level == 1 ? 20000 : 1000))
  loop "caches.$level.chains.1" 1e-9 1 chains "$bytes" 1
  loop "caches.$level.chains.8" 1e-9 1 chains "$bytes" 8
done
loop memory.latency_ns 1 1 near $large
loop memory.bandwidth 1e-9 1 read $large
loop memory.chains.1 1e-9 1 chains $((large / 2)) 1
loop memory.chains.8 1e-9 1 chains $((large / 2)) 8
# The profile has the best visit of the kernels.
of_five=5
for kernel in read write copy triad write-nt copy-nt triad-nt; do
  loop "memory.$kernel" 1e-9 1 "$kernel" $large
done
faster=$(awk -v a="$(node memory.copy)" -v b="$(node memory.copy-nt)" \
  'BEGIN { print (a > b) ? "copy" : "copy-nt" }')
loop memory.scaling.2 1e-9 1 "$faster" $large 2
loop numa.1.bandwidth.1 1e-9 1 read $large
of_five=3
loop distance.layers.1.latency_ns 1 1 line 0 1
# The first sets of cores that synchronize so.
number=1
while operation=$(node sync.$number.op) && [ -n "$operation" ]; do
  case $operation in
  add) way=add ;;
  compare-and-swap) way=swap ;;
  lock) way=ticket ;;
  central-barrier) way=meet ;;
  *) way=tell ;;
  esac
  threads=$(node sync.$number.threads)
  # shellcheck disable=SC2046 # each number is a word
  [ "$threads" = 1 ] || loop "sync.$number.time_ns" 1 1 "$way" $(seq 0 $((threads - 1)))
  number=$((number + 1))
done
loop loaded.1.unloaded_ns 1 1 beside $large 0
# The rates of the loads ascend, so that the last point is that of the heaviest one.
loop "loaded.1.points.$(node loaded.1.points.count).latency_ns" 1 1 beside $large "$(node loaded.1.generators)"
for apart in $(node coherence_line | awk '{ print $1 / 2, $1 - 1, $1 }'); do
  row "coherence_line" "$(node coherence_line)" 1 "loops false 0 1 $apart: ns" \
    "$(median 1 "$work/loops" false 0 1 "$apart")"
done
# One line of every page: in the second TLB, and in none.
row translation.1.latency_ns "$(node translation.1.latency_ns)" 1 "loops chase, 128 pages less 32" \
  "$(awk -v a="$(median 1 "$work/loops" chase 524288 4096 0)" -v b="$(median 1 "$work/loops" chase 131072 4096 0)" \
    'BEGIN { print a - b }')"
row translation.walk_ns "$(node translation.walk_ns)" 1 "loops chase, 4096 pages less 256 KiB of lines" \
  "$(awk -v a="$(median 1 "$work/loops" chase 16777216 4096 0)" -v b="$(median 1 "$work/loops" chase 262144 64 1)" \
    'BEGIN { print a - b }')"
for bytes in 1 1024 4096 32768 262144; do
  message "layers.1.time_us.$bytes" 1 "$bytes"
done
for batch in $(job layers.1.batches.count | awk '{ for (i = 1; i <= $1; i += 6) print i }'); do
  messages=$(job "layers.1.batches.$batch.messages")
  bytes=$(job "layers.1.batches.$batch.bytes")
  message "layers.1.batches.$batch.in_turn_us" 1 "$bytes" "$messages"
  message "layers.1.batches.$batch.at_once_us" 2 "$bytes" "$messages"
  message "layers.1.batches.$batch.as_one_us" 3 "$bytes" "$messages"
done
for number in $(job network.collectives.count | awk '{ for (i = 1; i <= $1; i += 3) print i }'); do
  key=network.collectives.$number
  operation=$(job "$key.op")
  bytes=$(job "$key.bytes")
  row "$key.time_us" "$(job "$key.time_us")" 1 "collectives $operation $bytes" \
    "$(median 1 "$MPIRUN" -np 2 "$work/collectives" "$operation" "$bytes")"
done
