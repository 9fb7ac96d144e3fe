#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Nothing outlives a test, whatever kills it: tests that start other programs are killed in their middle by each signal,
# and within 15 s no process, network namespace or temporary file of theirs is left. If the guard itself is killed, its first
# process or the next run cleans up.
# shellcheck disable=SC2317 # called through wait_until
# usage: guard.sh SOURCE_ROOT BUILD_ROOT MESON TEST...
# shellcheck source=tests/tap.sh
. "$1/tests/tap.sh"
# shellcheck source=tests/processes.sh
. "$1/tests/processes.sh"
build=$2 meson=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The processes that have variable GUARDED with this value.
marked() {
  grep -lzsx "GUARDED=$1" /proc/[0-9]*/environ | cut -d / -f 3
}

has_processes() { # MARK COUNT
  [ "$(marked "$1" | wc -l)" -ge "$2" ]
}

# Until it has, or has ended.
has_started() { # MARK PROCESS
  has_processes "$1" 6 || ! kill -0 "$2" 2>/dev/null
}

none_is_left() { # MARK
  ! has_processes "$1" 1
}

describe() {
  for process in $(marked "$1"); do
    ps -o pid=,ppid=,args= -p "$process"
  done
}

# The network namespaces of clusters that these processes have made.
namespaces() { # PROCESS...
  for process; do
    ls -d "/run/netns/servet-$process-"* 2>/dev/null
  done
}

# Kills the run of a test once it has started some programs: Meson, its test, that and what the test has started.
kills() { # TEST SIGNAL
  mark=$1.$2.$$
  mkdir "$folder/$mark"
  GUARDED=$mark TMPDIR=$folder/$mark setsid "$meson" test -C "$build" --no-rebuild --logbase "guarded-$2" "$1" >/dev/null 2>&1 &
  run=$!
  wait_until 60 has_started "$mark" "$run" || :
  sleep 1
  if ! kill -s "$2" "$run" 2>/dev/null; then
    wait "$run" 2>/dev/null || :
    if grep -q '^Skipped: *1' "$build/meson-logs/guarded-$2.txt"; then
      skip "$1 by $2" 'it is skipped here'
    else
      ok "$1 by $2: it runs until it is killed" false
    fi
    return
  fi
  made_by=$(marked "$mark")
  wait "$run" 2>/dev/null || :
  wait_until 15 none_is_left "$mark" || :
  clean "$1 by $2: no process is left" "$(describe "$mark")"
  clean "$1 by $2: no temporary file is left" "$(ls "$folder/$mark")"
  # shellcheck disable=SC2086 # numbers
  clean "$1 by $2: no network namespace is left" "$(namespaces $made_by)"
}

# is_there FILE
is_there() {
  [ -e "$1" ]
}

# Starts a test: $first waits for $keeper, which runs the test, which leaves a process and a closed folder behind.
start_guarded() { # MARK
  mark=$1.$$
  mkdir -p "$folder/$mark"
  # shellcheck disable=SC2016 # the test's variables
  GUARDED=$mark TMPDIR=$folder/$mark "$build/tests/guard" sh -c 'mkdir "$TMPDIR/closed"
    chmod 500 "$TMPDIR/closed"
    sleep 1000 &
    touch "$(dirname "$TMPDIR")/started"
    wait' &
  first=$!
  wait_until 60 is_there "$folder/$mark/started" || :
  rm -f "$folder/$mark/started"
  keeper=$(ps -o pid= --ppid "$first" | tr -d ' ')
}

end_guarded() { # SIGNAL PROCESS...
  signal=$1
  shift
  kill -s "$signal" "$@"
  wait "$first" 2>/dev/null || :
}

is_clean() { # NAME
  wait_until 15 none_is_left "$mark" || :
  clean "$1: no process is left" "$(describe "$mark")"
  clean "$1: no temporary file is left" "$(ls "$folder/$mark")"
}

start_guarded keeper
end_guarded KILL "$keeper"
is_clean 'the keeper is killed'

start_guarded both
end_guarded KILL "$first" "$keeper"
holds 'keeper and first process are killed: a folder is left' "$(ls "$folder/$mark")" 'servet-test.*'
# The lock ends with the last process that has not yet become another program.
wait_until 15 flock -n "$(echo "$folder/$mark"/servet-test.*)" true
TMPDIR=$folder/$mark "$build/tests/guard" true
is_clean 'keeper and first process are killed: the next run'

start_guarded alive
TMPDIR=$folder/$mark "$build/tests/guard" true
ok 'a run leaves alone what another one uses' has_processes "$mark" 4
end_guarded TERM "$first"
is_clean 'what another one used'

signals='TERM INT KILL'
for name; do
  chosen=${signals%% *} # for each commit, each test meets another one
  [ -z "${SERVET_THOROUGH:-}" ] || chosen=$signals
  for signal in $chosen; do
    kills "$name" "$signal"
  done
  signals="${signals#* } ${signals%% *}"
done
done_testing
