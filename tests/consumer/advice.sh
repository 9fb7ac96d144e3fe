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

# Low ends of what is reachable: 46.4 KiB, the first level's sharing unknown, give 44^2 < 47520 / 24 < 45^2;
# 1980 KiB between two cores give 205^2 < 1013760 / 24 < 206^2.
known="profile $SERVET_PROFILE
padding: keep what different threads write 128 bytes apart
block: 44 x 44 doubles in level 1, of which a thread has 46 KiB
block: 205 x 205 doubles in level 2, of which a thread has 990 KiB
block: none for level 3, which others keep busy
threads: 3 fill the memory of cores 0-3
threads: 3 fill the memory of cores 4-7
threads: 4 fill the memory of the whole node
loads: 4 in flight fetch as fast as a core can
neighbours: 40 ns between cores 0,2
neighbours: 40 ns between cores 1,3
neighbours: 40 ns between cores 4-7
neighbours: 120 ns between cores 0-6"
bare="profile $folder/bare.json
padding: coherence: not measured
block: caches: not measured
threads: memory levels: not measured
loads: concurrency of level 0: not measured
neighbours: distances: not measured"

ok 'the known profile is written' "$make_profile" "$SERVET_PROFILE"
ok 'the bare profile is written' "$make_profile" --bare "$folder/bare.json"
for example; do
  name=${example##*/}

  run "$example"
  same "$name: status" "$status" 0
  same "$name: advice" "$out" "$known"

  run "$example" "$folder/bare.json"
  same "$name: status where nothing was measured" "$status" 0
  same "$name: advice where nothing was measured" "$out" "$bare"

  run "$example" "$folder/nowhere.json"
  same "$name: status without a profile" "$status" 1
  holds "$name: message without a profile" "$out$err" "*$folder/nowhere.json: *"
done
done_testing
