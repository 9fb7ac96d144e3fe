#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet check: does a profile fit the machine it is used on?

load common

setup() {
  private_home
  node=$SOURCE_ROOT/tests/data/profiles/node.json
  cluster=$SOURCE_ROOT/tests/data/profiles/cluster.json
  mine=$BATS_TEST_TMPDIR/mine.json
}

# Makes $mine of $node: each line of `servet check` tells what to put where.
adopt() {
  servet check "$node"
  printf '%s\n' "$output" | awk '
    / this machine has / {
      field = $1; sub(/:$/, "", field)
      sub(/.* this machine has /, "")
      if (field ~ /_bytes$/) {
        power = index("BKMGTP", substr($2, 1, 1)) - 1
        $0 = sprintf("%.0f", $1 * 1024 ^ power)
      } else if (field !~ /_count$/)
        $0 = "\"" $0 "\""
      gsub(/[\\&|]/, "\\\\&")
      printf "s|^ *\"%s\": .*[^,]\\(,*\\)$|\"%s\": %s\\1|\n", field, field, $0
    }' >"$BATS_TEST_TMPDIR/adopt.sed"
  sed "/\"machine\"/,/}/{
    $(cat "$BATS_TEST_TMPDIR/adopt.sed")
  }" "$node" >"$mine"
}

@test "a profile of another machine: what differs, a line each, and exit 1" {
  servet check "$node"
  [ "$status" -eq 1 ]
  [ -z "$stderr" ]
  [[ $output == *"architecture: profile says none64, this machine has $(uname -m)"* ]]
  [[ $output == *"cpu: profile says Imaginary 9000, this machine has "* ]]
  [[ $output == *"hostname: the profile does not list $(uname -n)"* ]]
  [[ $output == *"does not fit node class 'default'"* ]]
}

@test "what differs, put right, makes it fit; the host name alone does not matter" {
  adopt
  servet check "$mine"
  [ "$status" -eq 0 ]
  [[ $output == *"hostname: the profile does not list"* ]]
  [[ $output != *"this machine has"* ]]
  [[ $output == *" fits node class 'default'"* ]]
}

@test "memory may differ a little" {
  adopt
  memory=$(sed -n 's/.*"memory_bytes": \([0-9]*\).*/\1/p' "$mine")
  sed "s/\"memory_bytes\": [0-9]*/\"memory_bytes\": $((memory / 100 * 97))/" "$mine" >"$mine.less"
  servet check "$mine.less"
  [ "$status" -eq 0 ]
  sed "s/\"memory_bytes\": [0-9]*/\"memory_bytes\": $((memory / 100 * 90))/" "$mine" >"$mine.least"
  servet check "$mine.least"
  [ "$status" -eq 1 ]
  [[ $output == *"memory_bytes: profile says "* ]]
}

@test "one core more is another machine" {
  adopt
  sed 's/"pu_count": \([0-9]*\)/"pu_count": 1\1/' "$mine" >"$mine.more"
  servet check "$mine.more"
  [ "$status" -eq 1 ]
  [ "$(printf '%s\n' "$output" | grep -c 'this machine has')" -eq 1 ]
  [[ $output == *"pu_count: profile says 1"* ]]
}

@test "a node that a class lists is judged by it, others by the class most like them" {
  sed "s/\"h2\"/\"$(uname -n)\"/" "$cluster" >"$mine"
  servet check "$mine"
  [[ $output != *hostname* ]]
  [[ $output == *"node class 'hybrid'"* ]]
  servet check --class plain "$mine"
  [[ $output == *"node class 'plain'"* ]]
}

@test "no such class, no such profile" {
  servet check --class fat "$cluster"
  [ "$status" -eq 1 ]
  [[ $stderr == "servet: the profile has no node class 'fat'" ]]
  servet check "$BATS_TEST_TMPDIR/none.json"
  fails 1 "*none.json*"
}
