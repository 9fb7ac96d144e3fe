#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The examples that give advice say on the known profile what follows from its facts, and say of a
# node of which nothing was measured that it was not.
# usage: advice.sh MAKE_PROFILE EXAMPLE...
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
make_profile=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
SERVET_PROFILE=$folder/profile.json
export SERVET_PROFILE

# Half of 48 KiB, between two threads of a core, as its sharing is not known: a third of 12 KiB are 22 x 22 doubles, of which
# 16 are whole lines. Half of 2 MiB between two PUs that share it: 147 x 147, of which 144.
known='*: block loops for 12 KiB a thread in L1, which up to 2 PUs may share on big cores
*not trusted: which PUs share it was not measured
*no-block: leave the L3 on big cores out of block sizes*
*padding: pad data that different cores write to 128 B
*level 1: 16 x 16 doubles of each of three matrices*
*level 2: 144 x 144 doubles of each of three matrices*'

ok 'the known profile is written' "$make_profile" "$SERVET_PROFILE"
ok 'the bare profile is written' "$make_profile" --bare "$folder/bare.json"
for example; do
  name=${example##*/}

  run "$example"
  same "$name: status" "$status" 0
  # shellcheck disable=SC2154 # set by run
  holds "$name: advice" "$out" "$known"

  run "$example" "$folder/bare.json"
  same "$name: status where nothing was measured" "$status" 0
  same "$name: advice where nothing was measured" "$out" "profile $folder/bare.json"

  run "$example" "$folder/nowhere.json"
  same "$name: status without a profile" "$status" 1
  holds "$name: message without a profile" "$out$err" "*$folder/nowhere.json: *"
done
done_testing
