# SPDX-License-Identifier: BSD-3-Clause
# Common parts of the tests of the program: `load common` and call `private_home` in setup.
#
# SERVET: the program. SOURCE_ROOT: the source tree.

# shellcheck source=tests/bats.bash
. "$SOURCE_ROOT/tests/bats.bash"

# Nothing that a user of this machine has stored may be seen, and nothing of theirs overwritten.
private_home() {
  export HOME=$BATS_TEST_TMPDIR/home
  export XDG_DATA_HOME=$HOME/data
  unset SERVET_PROFILE
  mkdir -p "$HOME"
  note_lines
}

# of_this_node NAME: the path of a copy of a profile in tests/data which lists this node instead of its first
# one, as an earlier Servet wrote it, without a fingerprint.
of_this_node() {
  local copy=$BATS_TEST_TMPDIR/$1.json
  awk -v here="$(uname -n)" '
    { sub(/"fingerprint": ".*"/, "\"fingerprint\": \"\"") }
    match($0, /^ *"nodes": \["[^"]*"/) {
      name = substr($0, RSTART, RLENGTH)
      sub(/.*\[/, "", name)
      if (!first) first = name
      if (name == first) sub(name, "\"" here "\"")
    }
    { print }' "$SOURCE_ROOT/tests/data/profiles/$1.json" >"$copy"
  printf '%s\n' "$copy"
}

# servet WORD...: runs the program; $status, $output (stdout) and $stderr tell what came.
servet() {
  status=0 stderr=''
  output=$("$SERVET" "$@" 2>"$BATS_TEST_TMPDIR/stderr") || status=$?
  read_file stderr "$BATS_TEST_TMPDIR/stderr"
}

# in_time SECONDS WORD...: the same, ended after that time with status 124.
in_time() {
  local seconds=$1
  shift
  status=0
  output=$(timeout "$seconds" "$SERVET" "$@" 2>"$BATS_TEST_TMPDIR/stderr") || status=$?
  read_file stderr "$BATS_TEST_TMPDIR/stderr"
}

# within SECONDS COMMAND...: the command, which sets $status and $stderr, with that budget; with a larger one as long as it
# says that no cache shows in it on this machine.
within() {
  local budget=$1
  shift
  "$@" --budget "$budget"
  while [ "$status" -ne 0 ] && [[ $stderr == *'too little time to tell'* ]]; do
    budget=$((2 * budget))
    "$@" --budget "$budget"
  done
}

# fails STATUS PATTERN: the last call ended so, with one line on stderr and nothing on stdout.
# shellcheck disable=SC2053 # a pattern indeed
fails() {
  [ "$status" -eq "$1" ] && [ -z "$output" ] && [[ $stderr == "servet: "* && $stderr != *$'\n'* && $stderr == $2 ]]
}

# The words of the commands, as `servet --help` lists them.
commands() {
  "$SERVET" --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'
}

# The options of command $1 with their dashes, as its --help lists them.
options() {
  "$SERVET" "$1" --help | sed -n 's/^  .\{4\}\(--[a-z][a-z0-9-]*\).*/\1/p'
}

# Completions of bash after the words given: the first is the program, the last is being typed.
completions() {
  bash -c '. "$0" && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _servet && printf "%s\n" "${COMPREPLY[@]}"' \
    "$SOURCE_ROOT/share/completions/servet" "$@"
}

# same LINES LINES: in whatever order.
same() {
  diff <(sort -u <<<"$1") <(sort -u <<<"$2")
}

# under_load PROFILE: the same with a loaded latency of three points, whose knee has 30 GB/s.
under_load() {
  jq '
    def of(number; unit): {value: number, low: number, high: number, unit: unit, samples: 5, method: "timed", trusted: true};
    .classes[0].loaded = [{from: 0, node: 0, reads: 1, writes: 0, generators: 3,
      unloaded_ns: of(100; "ns"), at_50_ns: of(110; "ns"), at_80_ns: of(125; "ns"), at_95_ns: of(180; "ns"),
      best: of(40e9; "B/s"), knee: of(30e9; "B/s"),
      points: [[0, 100], [30e9, 120], [40e9, 200]] | map({bandwidth: of(.[0]; "B/s"), latency_ns: of(.[1]; "ns")})}]' "$1"
}
