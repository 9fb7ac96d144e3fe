#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `servet measure` in an environment that lies: the first cache is measured, marked, left out, or refused with the
# reason in one line; never wrong without a mark.
#
# lies.sh BUILD [SITUATION]...: the given situations, or all of the table; with SERVET_THOROUGH RUNS (5) of each, else one of
# each short one. BUDGET: the seconds of each (3 to 8, by the load). The truth is what the system reports of the first cache of the
# first core that may be used; where it reports none, no value is compared.
# shellcheck disable=SC2317 # situations are called by their names
set -u
build=$1
shift
refuse=$build/tests/robustness/refuse library=${LIE_LIBRARY-}

# NAME WHEN WHAT: `each` commit or at `night`. WHAT is a function below with its words.
table() {
  cat <<'END'
plain night as_it_is
tsc-back each lying tsc-back
tsc-rate night lying tsc-rate
tsc-jumps night lying tsc-jumps
tsc-returns night lying tsc-returns
clock-coarse each lying coarse
clock-steps night lying steps
clock-still night lying still
clock-1970 night lying 1970
stopped each stopped
bursts night bursts
moved night moved
one-core night one_core
offline night covered 0=/sys/devices/system/cpu/online
sys-hidden night covered empty=/sys
proc-hidden night covered empty=/proc
quota night quota
memory-300M night limited -v 300000
memory-30M each limited -v 30000
memory-12M night limited -v 12000
files-16 night limited -n 16
files-6 each limited -n 6
stack-64K each limited -s 64
file-size-1K each limited -f 1
processes-0 each no_processes
affinity-refused each refusing setaffinity
affinity-unknown night refusing getaffinity
binding-refused night refusing mbind,mempolicy,getmempolicy,move_pages
huge-pages-refused night refusing madvise,mlock
perf-refused night refusing perf,getcpu,priority
usage-refused night refusing rusage,sysinfo
threads-refused night refusing threads
hwloc-empty each env HWLOC_XMLFILE=/dev/null
hwloc-invented night env HWLOC_SYNTHETIC=pack:2\ core:2\ pu:1
tmp-read-only each tmp_read_only
no-home night env -u HOME -u XDG_DATA_HOME
no-variables night env -i
stdin-closed night closed 0
stdout-closed each closed 1
stderr-closed night closed 2
decimal-comma night env LC_ALL=de_DE.UTF-8
umask-000 night masked 000
umask-777 each masked 777
user-without-name each nobody_known
host-without-name night host_named ''
host-name-of-64 each host_named aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggg
END
}

# --- situations: each runs "$@" within its own, and returns 77 where that cannot be made here --------------------------

as_it_is() { "$@"; }

lying() {
  lie=$1
  shift
  [ -n "$library" ] || return 77
  LIE=$lie LD_PRELOAD=$library "$@"
}

refusing() { "$refuse" "$@"; }

# Runs it, and $1 with the number of its process at some moments.
beside() {
  disturb=$1
  shift
  "$@" &
  measured=$!
  "$disturb" "$measured"
  wait "$measured"
}

stop_once() {
  sleep 0.7
  kill -STOP "$1" && sleep 2
  kill -CONT "$1"
}

stop_often() {
  while kill -STOP "$1" 2>/dev/null; do
    sleep 0.03
    kill -CONT "$1" 2>/dev/null
    sleep 0.05
  done
}

move() {
  sleep 0.7
  taskset -a -c -p "$(taskset -cp $$ | sed 's/.*[ ,-]//')" "$1" >/dev/null 2>&1
}

stopped() { beside stop_once "$@"; }
bursts() { beside stop_often "$@"; }
moved() { beside move "$@"; }
one_core() { taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')" "$@"; }

# covered FROM=TO: 0, a file with a zero; empty, a folder. Without /proc the program does not find its libraries.
covered() {
  from=${1%%=*} to=${1#*=}
  shift
  # shellcheck disable=SC2016 # the inner shell's
  LD_LIBRARY_PATH=$build/src in_mounts 'mount --bind "$1" "$2"' "$box/$from" "$to" "$@"
}

tmp_read_only() {
  # shellcheck disable=SC2016 # the inner shell's
  TMPDIR=$box/empty in_mounts 'mount --bind "$1" "$2" && mount -o remount,ro,bind "$2"' "$box/empty" "$box/empty" "$@"
}

# in_mounts HOW FROM TO COMMAND...
in_mounts() {
  unshare --mount true 2>/dev/null || return 77
  how=$1
  shift
  unshare --mount sh -c "{ $how; } || exit 77"'; shift 2; exec "$@"' - "$@"
}

# A fifth of a core.
quota() {
  group=/sys/fs/cgroup/cpu/servet-lies-$$
  { mkdir "$group" && echo 20000 >"$group/cpu.cfs_quota_us"; } 2>/dev/null || return 77
  # shellcheck disable=SC2016 # the inner shell's
  sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' - "$group" "$@"
  code=$?
  rmdir "$group"
  return "$code"
}

# shellcheck disable=SC3045 # dash and busybox have these
limited() {
  (ulimit "$1" "$2" && shift 2 && exec "$@")
}

as_nobody() {
  [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null || return 77
  chmod 777 "$box" "$box/out" "$HOME"
  setpriv --reuid 54321 --regid 54321 --clear-groups "$@"
}

# shellcheck disable=SC2016,SC3045 # the inner shell's; dash has it
no_processes() {
  as_nobody sh -c 'ulimit -u 0 2>/dev/null || ulimit -p 0 || exit 77; exec "$@"' - "$@"
}

nobody_known() { as_nobody "$@"; }

closed() {
  stream=$1
  shift
  case $stream in
    0) "$@" <&- ;;
    1) "$@" >&- ;;
    2) "$@" 2>&- ;;
  esac
}

masked() {
  (umask "$1" && shift && exec "$@")
}

host_named() {
  unshare --uts true 2>/dev/null || return 77
  # shellcheck disable=SC2016 # the inner shell's
  unshare --uts sh -c 'printf %s "$1" >/proc/sys/kernel/hostname; shift; exec "$@"' - "$@"
}

if [ "${1-}" = within ]; then
  box=$2
  shift 2
  "$@"
  exit
fi

# --- the run ----------------------------------------------------------------------------------------------------------

wanted=" $* "
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/tap.sh
. "${SOURCE_ROOT:-$here/../..}/tests/tap.sh"

box=$(mktemp -d "${TMPDIR:-/tmp}/servet lies XXXXXX")
trap 'chmod -R u+rwx "$box"; rm -rf "$box"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$box/home" "$box/empty"
echo 0 >"$box/0"
export HOME="$box/home" XDG_DATA_HOME="$box/home/data"
unset SERVET_PROFILE LC_ALL LANG

# The first cache takes half a second of a core: where others compute, too, that is more of the clock.
seconds_here() {
  awk -v cores="$(nproc)" '{ s = int(3 * $1 / cores) } END { print (s < 3 ? 3 : (s > 8 ? 8 : s)) }' /proc/loadavg
}

small="--only cache --max-bytes 512K --budget ${BUDGET:-$(seconds_here)}"

# --- verdicts ---------------------------------------------------------------------------------------------------------

bytes_reported() {
  first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
  for index in "/sys/devices/system/cpu/cpu$first"/cache/index*; do
    [ "$(cat "$index/level" "$index/type" 2>/dev/null | tr '\n' ' ')" != '1 Data ' ] || sed 's/K$/*1024/' "$index/size"
  done
}

get() {
  "$build/servet" get --class default "$@" "$box/out/profile.json" 2>/dev/null
}

# Sets $verdict of what the run left, "bad: ..." if it must not be so.
decide() {
  lines=$(wc -l <"$box/stderr")
  if [ "$status" -ge 124 ]; then
    verdict="bad: ended with $status: $(tail -n 1 "$box/stderr")"
  elif [ "$status" -ne 0 ] && [ -e "$box/out/profile.json" ] && grep -q 'standard output' "$box/stderr"; then
    verdict="stored: $(sed 's/^servet: //' "$box/stderr")"
  elif [ "$status" -ne 0 ]; then
    verdict="refused: $(sed 's/^servet: //' "$box/stderr")"
    [ ! -e "$box/out/profile.json" ] || verdict="bad: status $status and a profile: $(cat "$box/stderr")"
    case $name-$verdict in
      *'too little time'*) ;;
      plain-*) verdict="bad: nothing lies here: $verdict" ;;
    esac
    [ "$name" = stderr-closed ] || [ "$lines" -eq 1 ] || verdict="bad: status $status with $lines lines: $(cat "$box/stderr")"
  elif ! value=$(get caches.1.bytes); then
    verdict="left out: $("$build/servet" get --class default caches.1.bytes "$box/out/profile.json" 2>&1 | sed 's/^servet: //')"
  elif ! get --trusted-only caches.1.bytes >/dev/null; then
    verdict="marked: $value"
  elif [ -z "$truth" ] || awk "BEGIN { exit !($value >= 0.9 * $truth && $value <= 1.1 * $truth) }"; then
    verdict="right: $value"
  else
    verdict="bad: $value is trusted, and the system reports $truth"
  fi
}

attempt() {
  chmod -R u+rwx "$box/out" 2>/dev/null
  rm -rf "$box/out"
  mkdir "$box/out"
  status=0
  # shellcheck disable=SC2086 # words
  timeout -k 5 300 sh "$here/lies.sh" "$build" within "$box" "$@" "$build/servet" measure $small -q -o "$box/out" \
    >"$box/stdout" 2>"$box/stderr" </dev/null || status=$?
  chmod -R u+rwx "$box/out"
  decide
}

situation() {
  name=$1
  shift 2
  case $1-${2-} in
    env-HWLOC_SYNTHETIC=*) set -- env 'HWLOC_SYNTHETIC=pack:2 core:2 pu:1' ;;
    host_named-"''") set -- host_named '' ;;
  esac
  run=0
  while [ "$run" -lt "$runs" ]; do
    run=$((run + 1))
    attempt "$@"
    if [ "$status" -eq 77 ]; then
      skip "$name" 'cannot be made here'
      return
    fi
    ok "$name: $verdict" test "${verdict#bad: }" = "$verdict"
  done
}

truth=$(bytes_reported)
runs=1
[ -z "${SERVET_THOROUGH-}" ] || runs=${RUNS:-5}
table >"$box/table"
while read -r name when what <&3; do
  case $wanted in
    '  ') [ "$when" = each ] || [ -n "${SERVET_THOROUGH-}" ] || continue ;;
    *" $name "*) ;;
    *) continue ;;
  esac
  # shellcheck disable=SC2086 # words
  situation "$name" "$when" $what
done 3<"$box/table"
done_testing
