#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests that measure-under-noise.sh distinguishes right, marked, wrong and missing facts, on written profiles. Usage:
# noise_verdicts.sh SOURCE_ROOT SERVET
set -eu
cd "$1"
. tests/tap.sh
export SERVET="$2"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 143' TERM INT

under_noise() {
  sh tests/robustness/measure-under-noise.sh "$@"
}

# The first size (L1's) and what follows of its value; L1 has 48 KiB and L2 2 MiB in this profile, which are trusted.
edit() {
  sed "$1" tests/data/profiles/node.json >"$2"
}

mkdir "$folder/runs"
edit '' "$folder/runs/quota-1.json"
edit '/"bytes"/{ s/49152/24576/; s/48000/24000/; s/50000/25000/ }' "$folder/runs/quota-2.json"
edit '/"bytes"/{ s/49152/24576/; s/48000/24000/ }' "$folder/runs/stopped-1.json" # an interval with the truth
edit '/"bytes"/,/}/s/"trusted": true/"trusted": false/' "$folder/runs/moved-1.json"
cat >"$folder/truth.txt" <<'EOF'
# a comment
caches.count 3 3
caches.1.bytes 44237 54067
caches.1.groups = 0 1 2 3
coherence_line 64 64
EOF

run under_noise facts "$folder/runs" "$folder/truth.txt"
same 'each fact has its verdict' "$(printf '%s\n' "$out" | awk '$4 != "unverified" { print $1, $2, $3, $4 }')" 'moved 1 caches.count right
moved 1 caches.1.bytes marked
moved 1 caches.1.groups right
moved 1 coherence_line missing
quota 1 caches.count right
quota 1 caches.1.bytes right
quota 1 caches.1.groups right
quota 1 coherence_line missing
quota 2 caches.count right
quota 2 caches.1.bytes wrong
quota 2 caches.1.groups right
quota 2 coherence_line missing
stopped 1 caches.count right
stopped 1 caches.1.bytes right
stopped 1 caches.1.groups right
stopped 1 coherence_line missing'

same 'facts that are trusted but not in the truth are listed' "$(printf '%s\n' "$out" | grep 'quota 1 memory.latency_ns')" \
  'quota 1 memory.latency_ns unverified 187.5 ()'
same 'no other facts are listed' "$(printf '%s\n' "$out" | grep -cE ' (run|machine)[.]| caches.9| unverified .* [(]=')" 0

run under_noise table "$folder/runs" "$folder/truth.txt"
same 'the table counts verdicts' "$(printf '%s\n' "$out" | sed 's/[^|]*|$//')" '| condition | runs | right | marked | missing | wrong unmarked |
| --- | --- | --- | --- | --- | --- |
| quota | 2 | 5 | 0 | 2 | 1 |
| moved | 1 | 2 | 1 | 1 | 0 |
| stopped | 1 | 3 | 0 | 1 | 0 |'
holds 'wrong facts without a mark are named' "$(printf '%s\n' "$err" | grep -v ' unverified ')" 'quota 2 caches.1.bytes wrong 24576 *'

sed -i 's/= 0 1 2 3/= 0-1 2-3/' "$folder/truth.txt"
run under_noise facts "$folder/runs" "$folder/truth.txt"
same 'a different word is wrong' "$(printf '%s\n' "$out" | grep -c 'groups wrong 0 1 2 3 (= 0-1 2-3)')" 4

# The memory serves 6 loads at once, or 5 to 8, and the L2 8 for sure.
mkdir "$folder/loads"
cp tests/data/profiles/together.json "$folder/loads/moved-1.json"
printf '%s\n' 'memory.requests 7.5 9' 'caches.2.requests 6 7' >"$folder/loads.txt"
run under_noise facts "$folder/loads" "$folder/loads.txt"
same 'numbers of loads have intervals' "$(printf '%s\n' "$out" | awk '$4 != "unverified" { print $3, $4 }')" \
  'memory.requests right
caches.2.requests wrong'

# Two quiet runs: 40 and 48 KiB give 40 / 1.25 to 48 * 1.25; both say 187.5 ns.
mkdir "$folder/quiet"
edit '' "$folder/quiet/quiet-1.json"
edit '/"bytes"/,/}/{ s/49152/40960/; s/48000/40000/ }' "$folder/quiet/quiet-2.json"
run under_noise truth "$folder/quiet"
holds 'the truth has a head' "$out" "# The truth about $(under_noise machine)*"
holds 'a fact of all runs is in the truth' "$out" '*
memory.latency_ns 150 234.375*'
if grep -q . /sys/devices/system/cpu/cpu*/cache/index*/size 2>/dev/null; then
  same "the operating system's value comes first" "$(printf '%s\n' "$out" | grep -c '^caches.1.bytes')" 1
else
  holds 'the truth is the range of the quiet runs' "$out" '*
caches.1.bytes 32768 61440
*'
fi

run under_noise
same 'a wrong call prints the usage' "$status" 1
holds 'the usage names the commands' "$err" '*usage: run DIR N*'
done_testing
