#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# `servet measure` where the system shows little of itself: parts of /sys and /proc covered in a
# private mount namespace, numbers that don't begin at 0, cores that the OS says are off, cores of
# two kinds, little memory. What is measured well is not tested here.

load common

# Enough to see a first cache, in a second of an idle core.
small='--only cache --max-bytes 1M'

setup() {
  private_home
  empty=$BATS_TEST_TMPDIR/empty
  mkdir "$empty"
}

needs_namespace() {
  unshare --mount mount --bind "$empty" /sys 2>/dev/null || skip 'nothing can be mounted here'
}

# The PUs that this test may use, one a line; nproc would count threads of OpenMP.
usable() {
  taskset -cp $$ | sed 's/.*: //' | tr , '\n' | while IFS=- read -r from to; do seq "$from" "${to:-$from}"; done
}

# The one with the highest number.
last_core() {
  usable | tail -n 1
}

# covered FROM=TO... -- COMMAND...: runs it where each FROM, if there is one, lies over TO; $status,
# $output and $stderr tell what came.
# shellcheck disable=SC2016 # for the inner shell
covered() {
  status=0
  output=$(unshare --mount sh -c 'while [ "$1" != -- ]; do
      [ ! -e "${1#*=}" ] || mount --bind "${1%%=*}" "${1#*=}" || exit 99
      shift
    done
    shift
    exec "$@"' - "$@" 2>"$BATS_TEST_TMPDIR/stderr") || status=$?
  stderr=$(cat "$BATS_TEST_TMPDIR/stderr")
}

# The last call went well and found a first cache; nothing but results was said.
measured() {
  [ "$status" -eq 0 ] && [ -z "$stderr" ] && [ "$("$SERVET" get caches.1.bytes "$1")" -gt 1024 ]
}

@test "a node is measured with all or parts of sysfs hidden" {
  needs_namespace
  local out=$BATS_TEST_TMPDIR/out cpu=/sys/devices/system/cpu where all
  all=(/sys/devices/system/node /sys)
  [ -z "${SERVET_THOROUGH-}" ] || all+=("$cpu/cpu0" "$cpu" /sys/devices/system)
  for where in "${all[@]}"; do
    within 1 covered "$empty=$where" -- "$SERVET" measure $small -q -o "$out"
    measured "$out"
  done
  within 1 covered "$empty=$cpu/cpu0/cache" "$empty=$cpu/cpu1/cache" "$empty=$cpu/cpu0/topology" \
    "$empty=$cpu/cpu1/topology" -- "$SERVET" measure $small -q -o "$out"
  measured "$out"
}

@test "a line that only the OS reports is marked, with the sets that follow from it; an impossible one is not shown" {
  needs_namespace
  local out=$BATS_TEST_TMPDIR/out size=$BATS_TEST_TMPDIR/size file lines=()
  for file in /sys/devices/system/cpu/cpu*/cache/index*/coherency_line_size; do
    [ -e "$file" ] || skip 'the system reports no lines'
    lines+=("$size=$file")
  done
  echo 256 >"$size"
  within 1 covered "${lines[@]}" -- "$SERVET" measure $small -q -o "$out"
  measured "$out"
  servet show "$out"
  grep -q '^  L1 .* 256 B (OS)' <<<"$output"
  [ "$("$SERVET" get caches.1.line.method "$out")" = os ]
  # Sets that were counted are no surer than that line.
  servet get caches.1.sets.trusted "$out"
  [ "$output" != yes ]
  servet report -o "$out.html" "$out"
  grep -q '256 B (OS)' "$out.html"
  for impossible in 48 4096; do
    echo "$impossible" >"$size"
    within 1 covered "${lines[@]}" -- "$SERVET" measure $small -q -o "$out"
    measured "$out"
    servet get caches.1.line "$out"
    [ "$status" -ne 0 ]
  done
}

@test "a node is measured with /proc/cpuinfo, /proc/stat and /proc/meminfo hidden" {
  needs_namespace
  local out=$BATS_TEST_TMPDIR/out
  : >"$BATS_TEST_TMPDIR/nothing"
  local nothing=$BATS_TEST_TMPDIR/nothing
  within 1 covered "$nothing=/proc/cpuinfo" "$nothing=/proc/stat" "$nothing=/proc/meminfo" -- \
    "$SERVET" measure $small -q -o "$out"
  measured "$out"
}

@test "the last core alone is measured, whether the system lists it or not" {
  needs_namespace
  local out=$BATS_TEST_TMPDIR/out core nothing=$BATS_TEST_TMPDIR/nothing
  core=$(last_core)
  : >"$nothing"
  echo 0 >"$BATS_TEST_TMPDIR/online"
  within 1 covered "$empty=/sys" "$nothing=/proc/stat" -- taskset -c "$core" "$SERVET" measure $small -q -o "$out"
  measured "$out"
  [ "$("$SERVET" get machine.cores "$out")" = "$core" ]
  within 1 covered "$BATS_TEST_TMPDIR/online=/sys/devices/system/cpu/online" -- \
    taskset -c "$core" "$SERVET" measure $small -q -o "$out"
  measured "$out"
  [ "$("$SERVET" get machine.cores "$out")" = "$core" ]
}

@test "cores that the job may use are counted even if sysfs lists them as offline" {
  needs_namespace
  local out=$BATS_TEST_TMPDIR/out
  echo "$(last_core)" >"$BATS_TEST_TMPDIR/online"
  within 1 covered "$BATS_TEST_TMPDIR/online=/sys/devices/system/cpu/online" -- \
    "$SERVET" measure $small -q -o "$out"
  measured "$out"
  servet get machine.pu_count "$out"
  [ "$output" -eq "$(usable | wc -l)" ]
}

# lxcfs shows such files in a container that is pinned elsewhere; hwloc 2.9 dies of the second.
@test "a sysfs that lists only cores of others does not change the description of this machine" {
  needs_namespace
  local sys=$BATS_TEST_TMPDIR/sys node=$SOURCE_ROOT/tests/data/profiles/node.json far plain
  far=$(($(last_core) + 4))
  servet check "$node"
  plain=$output
  [[ $plain == *'this machine has'* ]]
  mkdir -p "$sys/cpu/cpu$far/topology" "$sys/node/node1"
  echo "$far" | tee "$sys/cpu/online" "$sys/cpu/possible" "$sys/cpu/present" "$sys/node/node1/cpulist" >/dev/null
  echo 1 | tee "$sys/node/online" "$sys/node/possible" >/dev/null
  covered "$sys/cpu/online=/sys/devices/system/cpu/online" -- "$SERVET" check "$node"
  [ "$output" = "$plain" ]
  covered "$sys/cpu=/sys/devices/system/cpu" "$sys/node=/sys/devices/system/node" -- "$SERVET" check "$node"
  [ "$output" = "$plain" ]
}

@test "with a single core, facts of pairs are not measured, with the reason, and all others are" {
  local out=$BATS_TEST_TMPDIR/out
  local program=$SERVET SERVET=taskset
  within 4 servet -c "$(last_core)" "$program" measure --max-bytes 1M -q -o "$out"
  SERVET=$program
  [ "$status" -eq 0 ]
  # The number of levels that were found decides where lines are broken.
  output=${output//$'\n  '/ }
  [[ $output == *'Not measured, only one core may be used: sharing of L1'*'coherence block'*'distances between cores'*'memory overhead of several cores'* ]]
  [[ $output != *private* && $output != *'two cores'* && $output != *saturates* ]]
  local key
  for key in coherence_line distance.layers.count caches.1.groups caches.1.sharing.verdict memory.levels.count memory.saturation; do
    servet get "$key" "$out"
    fails 1 "servet: $key: not measured (only one core may be used)"
  done
}

@test "both core types are measured" {
  command -v hwloc-annotate >/dev/null || skip 'no hwloc-annotate here'
  [ "$(usable | wc -l)" -ge 2 ] || skip 'one core is of one kind'
  local out=$BATS_TEST_TMPDIR/out xml=$BATS_TEST_TMPDIR/machine.xml first last
  last=$(last_core)
  first=$(usable | head -n 1)
  lstopo-no-graphics --of xml --force "$xml"
  hwloc-annotate "$xml" "$xml" -- none -- cpukind "$(hwloc-calc -p "pu:$first")" 0 0 CoreType IntelAtom
  hwloc-annotate "$xml" "$xml" -- none -- cpukind "$(hwloc-calc -p "pu:$last")" 1 0 CoreType IntelCore
  HWLOC_THISSYSTEM=1 HWLOC_XMLFILE=$xml within 6 servet measure --only cache --max-bytes 1M -q -o "$out"
  [ "$status" -eq 0 ]
  [[ $output == *"PUs $last (kind1)"* ]]
  [ "$("$SERVET" get --core "$first" caches.1.bytes "$out")" -gt 1024 ]
  [ "$("$SERVET" get --core "$last" caches.1.bytes "$out")" -gt 1024 ]
}

# 96 MiB: arrays that no cache holds are of 64 MiB at least, and may take two fifths of that.
@test "bandwidth measured in a cgroup of 96 MiB is not trusted" {
  needs_namespace
  local out=$BATS_TEST_TMPDIR/out group=$BATS_TEST_TMPDIR/group
  mkdir -p "$group/memory"
  echo $((96 << 20)) | tee "$group/memory.max" >"$group/memory/memory.limit_in_bytes"
  covered "$group=/sys/fs/cgroup" -- "$SERVET" measure --only memory --budget 5 -q -o "$out"
  [ "$status" -eq 0 ]
  [[ $output == *'not trusted'*'memory bandwidth'* || $output == *'! memory bandwidth not trusted'* ]]
  [ "$("$SERVET" get memory.single.trusted "$out")" = no ]
  [ "$("$SERVET" get memory.single "$out")" -gt 0 ]
}
