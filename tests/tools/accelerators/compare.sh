#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Measures the accelerators of this node by Servet and by copies without any code of Servet (copies.c), and prints the ratio of
# each fact. Usage: compare.sh SERVET [COPIES]: the program, and the compiled copies.c (default: it is compiled here). Run by hand
# on a node with an NVIDIA GPU that nothing else uses; takes some minutes.
set -eu

servet=${1:?usage: compare.sh SERVET [COPIES]}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copies=${2:-}
if [ -z "$copies" ]; then
  copies=$work/copies
  "${CC:-cc}" -O2 -o "$copies" "$here/copies.c" -ldl
fi

# measure NUMBER: a run of Servet, whose time it prints.
measure() {
  begun=$(date +%s)
  "$servet" measure --only accelerators -q -o "$work/$1" >"$work/$1.txt" 2>&1 || {
    cat "$work/$1.txt"
    exit 1
  }
  echo "run $1 of Servet: $(($(date +%s) - begun)) s"
}

get() {
  "$servet" get "accelerators.devices.1.links.$2" "$work/$1/profile.json" 2>/dev/null || echo unknown
}

# The figure of a line "DIRECTION MEMORY BYTES GB/s us" of copies.
figure() {
  awk -v direction="$1" -v memory="$2" -v bytes="$3" -v field="$4" '
    $1 == direction && $2 == memory && $3 == bytes { print $field }' "$work/copies.txt"
}

# row NAME VALUE FACTOR FIGURE
row() {
  awk -v name="$1" -v value="$2" -v factor="$3" -v figure="$4" 'BEGIN {
    if (value == "unknown" || figure == "") printf "%-42s %10s %10s\n", name, value, figure
    else printf "%-42s %10.3f %10.3f %8.3f\n", name, value * factor, figure, value * factor / figure
  }'
}

compare() {
  nodes=$("$servet" get accelerators.devices.1.links.count "$work/$1/profile.json")
  for node in $(seq "$nodes"); do
    row "run $1, memory $node: to device, GB/s" "$(get "$1" "$node.to_device")" 1e-9 "$(figure to-device pinned 67108864 4)"
    row "run $1, memory $node: to host, GB/s" "$(get "$1" "$node.to_host")" 1e-9 "$(figure to-host pinned 67108864 4)"
    row "run $1, memory $node: 64 B to device, us" "$(get "$1" "$node.to_device_latency_us")" 1 "$(figure to-device pinned 64 5)"
    row "run $1, memory $node: 64 B to host, us" "$(get "$1" "$node.to_host_latency_us")" 1 "$(figure to-host pinned 64 5)"
  done
}

echo "== system"
uname -srm
nproc
if command -v nvidia-smi >/dev/null; then
  nvidia-smi --query-gpu=index,name,pci.bus_id,pcie.link.gen.current,pcie.link.width.current --format=csv || :
  nvidia-smi topo -m || :
fi
for bus in /sys/bus/pci/devices/*; do
  [ "$(cat "$bus/vendor" 2>/dev/null)" != 0x10de ] || echo "${bus##*/} NUMA node $(cat "$bus/numa_node") CPUs $(cat "$bus/local_cpulist")"
done

echo "== copies without Servet"
"$copies" | tee "$work/copies.txt"
for run in 1 2 3; do
  measure "$run"
done
"$copies" >"$work/again.txt"

echo "== report of run 1"
cat "$work/1.txt"
echo "== Servet, the other copies, ratio"
for run in 1 2 3; do
  compare "$run"
done
echo "== the other copies before and after, us: their own ratio"
paste -d' ' "$work/copies.txt" "$work/again.txt" | awk '!/^#/ { printf "%-10s %-9s %10d %10.3f %10.3f %8.3f\n", $1, $2, $3, $5, $10, $10 / $5 }'

echo "== failures"
if CUDA_VISIBLE_DEVICES='' "$servet" measure --only accelerators -q -o "$work/none" >"$work/none.txt" 2>&1; then
  echo "no visible device: $("$servet" get accelerators.devices.count "$work/none/profile.json") devices"
else
  echo "no visible device: failed"
  cat "$work/none.txt"
fi
