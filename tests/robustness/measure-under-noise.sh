#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares the results of a disturbed `servet measure` with the truth about the machine.
#
# measure-under-noise.sh run DIR N       N runs under each condition, and three quiet ones first; their profiles go to
#                                        DIR/CONDITION-I.json, and runs that are there already are left out
# measure-under-noise.sh truth DIR       what is true here, by the system and by the quiet runs of DIR: a text for
#                                        tests/robustness/MACHINE.txt (MACHINE is printed by `machine`)
# measure-under-noise.sh facts DIR [TRUTH]   each fact of each run: right (the value or its interval),
#                                        wrong, marked (not trusted), missing, or unverified (trusted, but not in the truth)
# measure-under-noise.sh table DIR [TRUTH]   the same counted, as a table for share/doc/dev/accuracy.md
# measure-under-noise.sh machine         the name of this machine
#
# Environment: SERVET (default: servet), BUDGET in seconds of a run (default: 20). Ten runs take half an hour, on a
# machine that does nothing else. The condition `quota` needs root. Nothing is changed that is not undone, also on
# SIGTERM.
set -eu
servet=${SERVET:-servet} budget=${BUDGET:-20}
here=$(dirname "$0")
conditions='quiet same-core other-core memory-hog quota moved stopped one-core'
quiet_runs=3

die() {
  echo "measure-under-noise.sh: $*" >&2
  exit 1
}

# vendor-family-model-processors
machine() {
  awk -F': *' '/^vendor_id|^CPU implementer/ { vendor = $2 } /^cpu family|^CPU architecture/ { family = $2 }
    /^model[ \t]*:|^CPU part/ { model = $2 } /^processor/ { count++ }
    END { print tolower(vendor) "-" family "-" model "-" count "cpus" }' /proc/cpuinfo
}

# --- running -----------------------------------------------------------------------------------------------------

loads='' measured='' group='' sleeping=''

end_process() {
  kill -CONT "$1" 2>/dev/null || :
  kill "$1" 2>/dev/null || :
  wait "$1" 2>/dev/null || :
}

end_loads() {
  for load in $loads; do
    end_process "$load"
  done
  loads=''
}

clean_up() {
  [ -z "$sleeping" ] || end_process "$sleeping"
  [ -z "$measured" ] || end_process "$measured"
  end_loads
  [ -z "$group" ] || rmdir "$group" 2>/dev/null || :
}

# A signal is heard at once, not at the end of the sleep.
pause() {
  sleep "$1" &
  sleeping=$!
  wait "$sleeping" || :
  sleeping=''
}

cores() {
  sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$1/status"
}

first_core() {
  cores self | sed 's/[-,].*//'
}

last_core() {
  cores self | sed 's/.*[-,]//'
}

# The core that the measuring thread is bound to now; the first core if it is not bound.
core_of() {
  core=$(cores "$1" 2>/dev/null) || core=''
  case $core in
    '' | *[!0-9]*) first_core ;;
    *) echo "$core" ;;
  esac
}

other_than() {
  if [ "$1" = "$(first_core)" ]; then last_core; else first_core; fi
}

busy_on() {
  taskset -c "$1" sh -c 'while :; do :; done' &
  loads="$loads $!"
}

# Zeroes half a GiB again and again.
memory_hog_on() {
  taskset -c "$1" dd if=/dev/zero of=/dev/null bs=512M 2>/dev/null &
  loads="$loads $!"
}

# A group of processes that gets a fifth of a core.
make_group() {
  if [ -e /sys/fs/cgroup/cpu/cpu.cfs_quota_us ]; then
    group=/sys/fs/cgroup/cpu/servet-noise-$$
    mkdir -p "$group"
    echo 20000 >"$group/cpu.cfs_quota_us"
  else
    group=/sys/fs/cgroup/servet-noise-$$
    mkdir -p "$group"
    echo '20000 100000' >"$group/cpu.max"
  fi
}

measure() {
  XDG_DATA_HOME=$dir/data exec "$@" "$servet" measure -q --budget "$budget" -o "$dir/work" >"$dir/work.txt" 2>&1
}

# Some moment within the run, another one in each.
moment() {
  echo $((1 + run * 7 % (budget - 2)))
}

# Starts the disturbance while it measures.
disturb() {
  case $1 in
    same-core)
      pause 1
      busy_on "$(core_of "$measured")"
      ;;
    moved)
      pause "$(moment)"
      to=$(other_than "$(core_of "$measured")")
      [ $((run % 2)) -eq 1 ] || to=$(cores self)
      taskset -a -c -p "$to" "$measured" >/dev/null 2>&1 || :
      ;;
    stopped)
      pause "$(moment)"
      kill -STOP "$measured"
      pause 2
      kill -CONT "$measured"
      ;;
  esac
}

one_run() {
  rm -rf "$dir/work"
  case $1 in
    other-core) busy_on "$(last_core)" ;;
    memory-hog) memory_hog_on "$(last_core)" ;;
  esac
  case $1 in
    one-core) measure taskset -c "$(first_core)" & ;;
    quota)
      make_group
      # shellcheck disable=SC2016 # the inner shell's
      measure sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' sh "$group" &
      ;;
    *) measure env & ;;
  esac
  measured=$!
  disturb "$1" || :
  wait "$measured" || :
  measured=''
  end_loads
  [ -z "$group" ] || rmdir "$group"
  group=''
}

run_condition() {
  runs=$2
  [ "$1" != quiet ] || [ "$runs" -le "$quiet_runs" ] || runs=$quiet_runs
  for run in $(seq "$runs"); do
    [ ! -e "$dir/$1-$run.json" ] || continue
    echo "$(date +%T) $1 $run of $runs"
    one_run "$1"
    if [ -e "$dir/work/profile.json" ]; then
      mv "$dir/work/profile.json" "$dir/$1-$run.json"
    else
      echo "no profile: $(tail -n 1 "$dir/work.txt")"
    fi
  done
}

run() {
  mkdir -p "$1"
  dir=$(cd "$1" && pwd)
  trap 'exit 143' TERM INT HUP
  trap clean_up EXIT
  for condition in $conditions; do
    run_condition "$condition" "$2"
  done
  rm -rf "$dir/work" "$dir/work.txt"
}

# --- the truth: "KEY LOW HIGH" of numbers, "KEY = WORDS" of others -------------------------------------------------

# In one line.
get() {
  words=$("$servet" get --class default "$@" 2>/dev/null) || return
  printf '%s' "$words" | tr '\n' ' '
}

is_number() {
  case $1 in
    '' | *[!0-9.e+-]* | [!0-9]* | *[0-9]-[0-9]*) return 1 ;;
  esac
}

# The truth about the data caches of the first core.
truth_of_system() {
  for cache in "/sys/devices/system/cpu/cpu$(first_core)/cache"/index*; do
    [ "$(cat "$cache/type")" != Instruction ] || continue
    awk -v level="$(cat "$cache/level")" -v size="$(cat "$cache/size")" -v line="$(cat "$cache/coherency_line_size")" '
      BEGIN {
        unit["K"] = 1024; unit["M"] = 1024 * 1024
        bytes = size * unit[substr(size, length(size))]
        printf "caches.%d.bytes %.0f %.0f\n", level, bytes * 0.9, bytes * 1.1
        printf "caches.%d.line %d %d\n", level, line, line
      }'
    groups=$(cat /sys/devices/system/cpu/cpu*/cache/"$(basename "$cache")"/shared_cpu_list | sort -un | tr '\n' ' ')
    echo "caches.$(cat "$cache/level").groups = ${groups% }"
  done
}

# All facts of this machine alone that are measured; not what the system reports, nor the curves.
keys() {
  "$servet" get --keys | sed 's/ .*//' |
    grep -vE '^(machine|run|class|classes|kind|kinds|schema|network|layers)[.]|^schema$' |
    grep -vE 'reported|reachable|verdict|confidence|low$|high$|nodes_asked$|pages_asked$|chains|threads|kind$|number$|cores$|scaling.count$|[.]points' |
    awk '{
      for (n = 1; n <= 4; n++)
        for (m = 1; m <= (/M/ ? 4 : 1); m++) {
          key = $1; gsub(/[.]N/, "." n, key); gsub(/[.]M/, "." m, key)
          if (!seen[key]++) print key
        }
    }'
}

# The values that all quiet runs trust: their range and a quarter more, or the words in which they agree.
truth_of_runs() {
  for key in $(keys); do
    for profile in "$1"/quiet-*.json; do
      ! value=$(get --trusted-only "$key" "$profile") || printf '%s\t%s\n' "$key" "$value"
    done
  done | awk -F'\t' '{
    if (!($1 in count)) { order[++keys] = $1; low[$1] = high[$1] = $2; same[$1] = 1 }
    count[$1]++
    if ($2 != low[$1] "" && $2 != high[$1] "") same[$1] = 0
    words[$1] = words[$1] || $2 !~ /^[0-9.]+(e[+-]?[0-9]+)?$/
    if (!words[$1] && $2 + 0 < low[$1] + 0) low[$1] = $2
    if (!words[$1] && $2 + 0 > high[$1] + 0) high[$1] = $2
  }
  END {
    for (i = 1; i <= keys; i++) {
      key = order[i]
      if (words[key] && same[key]) print key " = " low[key]
      else if (!words[key]) printf "%s %.7g %.7g\n", key, low[key] / 1.25, high[key] * 1.25
    }
  }'
}

truth() {
  system=$(mktemp)
  echo "# The truth about $(machine): $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1), $(uname -sr)"
  echo "# KEY LOW HIGH, or KEY = WORDS: by the system, then by $(find "$1" -name 'quiet-*.json' | wc -l) quiet runs"
  truth_of_system | sort -u | tee "$system"
  truth_of_runs "$1" | awk 'FILENAME != "-" { known[$1]; next } !($1 in known)' "$system" -
  rm -f "$system"
}

# --- verdicts -----------------------------------------------------------------------------------------------------

# Sets low and high: numbers of loads have them beside them.
interval() {
  low=$(get "$1.low" "$2") || low=$(get "$1_low" "$2") || return
  high=$(get "$1.high" "$2") || high=$(get "$1_high" "$2")
}

# is_right VALUE TRUTH KEY PROFILE: a value, or its 95 % interval, against "LOW HIGH" or "= WORDS".
is_right() {
  case $2 in
    '= '*) [ "$1" = "${2#= }" ] && return ;;
    *) is_number "$1" && echo "$1 $2" | awk '{ exit !($1 >= $2 && $1 <= $3) }' && return ;;
  esac
  interval "$3" "$4" &&
    echo "$low $high $2" | awk '{ exit !($1 <= $4 && $2 >= $3) }'
}

verdict() {
  if [ -z "$3" ]; then
    echo missing
  elif ! get --trusted-only "$1" "$2" >/dev/null; then
    echo marked
  elif is_right "$3" "$4" "$1" "$2"; then
    echo right
  else
    echo wrong
  fi
}

# unverified CONDITION RUN PROFILE KNOWN KEYS: what the run trusts of the keys that are not known.
unverified() {
  for key in $5; do
    case " $4 " in
      *" $key "*) ;;
      *) ! value=$(get --trusted-only "$key" "$3") || echo "$1 $2 $key unverified $value ()" ;;
    esac
  done
}

# CONDITION RUN KEY VERDICT VALUE (TRUTH)
facts() {
  [ -e "$2" ] || die "there is no $2; see truth"
  known=$(sed '/^#/d; s/ .*//' "$2" | tr '\n' ' ')
  all=$(keys)
  for profile in "$1"/*.json; do
    name=$(basename "$profile" .json)
    grep -v '^#' "$2" | while read -r key true; do
      value=$(get "$key" "$profile") || value=''
      echo "${name%-*} ${name##*-} $key $(verdict "$key" "$profile" "$value" "$true") $value ($true)"
    done
    unverified "${name%-*}" "${name##*-}" "$profile" "$known" "$all"
  done
}

table() {
  facts "$1" "$2" | awk -v conditions="$conditions" '
    { count[$1, $4]++; total[$1]++; if (!(($1, $2) in seen)) { seen[$1, $2]; runs[$1]++ } }
    $4 == "wrong" || $4 == "unverified" { print > "/dev/stderr" }
    END {
      print "| condition | runs | right | marked | missing | wrong unmarked | unverified |"
      print "| --- | --- | --- | --- | --- | --- | --- |"
      n = split(conditions, name, " ")
      for (i = 1; i <= n; i++) {
        c = name[i]
        if (total[c])
          printf "| %s | %d | %d | %d | %d | %d | %d |\n", c, runs[c], count[c, "right"], count[c, "marked"],
            count[c, "missing"], count[c, "wrong"], count[c, "unverified"]
      }
    }'
}

# --- what is read -------------------------------------------------------------------------------------------------

command -v "$servet" >/dev/null || die "there is no $servet: set SERVET"
word=${1:-}
[ $# -gt 0 ] && shift
case $word-$# in
  run-2) run "$@" ;;
  truth-1) truth "$1" ;;
  facts-1 | table-1) "$word" "$1" "$here/$(machine).txt" ;;
  facts-2 | table-2) "$word" "$1" "$2" ;;
  machine-0) machine ;;
  *) die "usage: run DIR N | truth DIR | facts DIR [TRUTH] | table DIR [TRUTH] | machine" ;;
esac
