#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet advise: what programs should do, in the same words wherever it is said.

load common

setup() {
  private_home
  profiles=$SOURCE_ROOT/tests/data/profiles
}

teardown() {
  name_lines
  [ ! -d "${group-}" ] || rmdir "$group"
}

# The advice of the report on stdin, a line each, sorted: its part "For programs", without the reasons not to trust one.
of_report() {
  sed -n '/^For programs/,/^$/p' | sed '1d; /^$/d' | sed 's/^  \([A-Z]\)/\n\1/' | tr -s '\n ' '\n ' |
    sed -e ':a' -e '$!N' -e 's/\n  */ /' -e 'ta' -e 'P' -e 'D' | sed 's/ Not trusted: .*//; /^$/d' | sort
}

# The same of the JSON on stdin.
of_command() {
  jq -r '.advice[] | (if .trusted then .text else "perhaps " + .text end) + "."' | sed 's/^./\U&/' | sort
}

@test "report, page and command give the same advice" {
  local name class
  for name in together finis-terrae counted node job four cluster; do
    class=$(jq -r '.classes[0].name // ""' "$profiles/$name.json")
    servet advise --for node --json ${class:+--class "$class"} "$profiles/$name.json"
    [ "$status" -eq 0 ]
    of_command <<<"$output" >"$BATS_TEST_TMPDIR/said"
    servet show ${class:+--class "$class"} "$profiles/$name.json"
    of_report <<<"$output" | diff - "$BATS_TEST_TMPDIR/said"
    servet report ${class:+--class "$class"} "$profiles/$name.json"
    while read -r sentence; do
      grep -qF "<b>$sentence</b>" <<<"$output"
    done <"$BATS_TEST_TMPDIR/said"
  done
}

# 6 MiB of L2 for each of two cores: 1.5 MiB a thread.
@test "an advice has a value, its reason and the facts behind it" {
  servet advise --class default --topic block --json "$profiles/together.json"
  [ "$(jq '.advice | length' <<<"$output")" -eq 2 ]
  jq -e '.advice[1] | .topic == "block" and .level == 2 and .value == 1572864 and .unit == "B" and .trusted' <<<"$output"
  [ "$(jq -c '.advice[1].facts' <<<"$output")" = '["caches.2.bytes","caches.2.groups"]' ]
  servet advise --class default --topic block "$profiles/together.json"
  [[ $output == *'Block loops for 1.5 MiB a thread in L2, which 2 PUs share.'*'L2 holds 6 MiB: half of that'* ]]
}

@test "wrong words are refused, and the error lists the valid ones" {
  servet advise --topic blocks "$profiles/together.json"
  fails 2 "*--topic must be block, no-block, *, not 'blocks'"
  servet advise --for everyone "$profiles/together.json"
  fails 2 "*--for must be node or process, not 'everyone'"
  servet advise --class nowhere "$profiles/together.json"
  fails 1 '*nowhere*'
}

# A control group below that of this process with the time of one CPU and a half; its path.
make_group() {
  local above made
  if [ -f /sys/fs/cgroup/cpu/cpu.cfs_period_us ]; then
    above=$(sed -n 's/^[0-9]*:\(cpu\|cpu,.*\|.*,cpu\):\(.*\)/\2/p' /proc/self/cgroup)
    made=/sys/fs/cgroup/cpu${above%/}/servet-test.$$
    mkdir "$made" 2>/dev/null || return 1
    echo 150000 2>/dev/null >"$made/cpu.cfs_quota_us" || { rmdir "$made"; return 1; }
  else
    above=$(sed -n 's/^0:://p' /proc/self/cgroup)
    made=/sys/fs/cgroup${above%/}/servet-test.$$
    mkdir "$made" 2>/dev/null || return 1
    echo '150000 100000' 2>/dev/null >"$made/cpu.max" || { rmdir "$made"; return 1; }
  fi
  printf '%s\n' "$made"
}

# The advice on threads for a process in that group.
threads_in_group() {
  # shellcheck disable=SC2016 # for the inner shell
  sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$SERVET" advise --topic threads --json "$@"
}

# 8 cores, of which 4 saturate memory; the process may use fewer.
@test "affinity of the process counts" {
  local here
  here=$(of_this_node together)
  [ "$(nproc)" -ge 2 ] || skip "one CPU: nothing to limit"
  output=$(taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" "$SERVET" advise --topic threads --json "$here")
  jq -e '.advice[0].value == 1' <<<"$output"
}

@test "the CPU quota of the process counts" {
  local here
  here=$(of_this_node together)
  [ "$(nproc)" -ge 2 ] || skip "one CPU: nothing to limit"
  group=$(make_group) || skip "no control group for CPUs can be made here"
  output=$(threads_in_group "$here")
  jq -e '.advice[0].value == 1' <<<"$output"
  [[ $(jq -r '.advice[0].text' <<<"$output") == 'use 1 thread for code that memory limits'* ]]
  output=$(threads_in_group --for node "$here")
  jq -e '.advice[0].value == 4' <<<"$output"
}
