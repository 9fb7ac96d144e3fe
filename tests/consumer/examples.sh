#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The examples run on the known profile, block by its levels, verify their results, and say what is wrong where there
# is no profile. Their times are not compared.
# usage: examples.sh MAKE_PROFILE EXAMPLE...
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
make_profile=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
SERVET_PROFILE=$folder/profile.json
export SERVET_PROFILE

# Of the known level 2 at least 1980 KiB are reachable: three blocks of 288 x 288 doubles take 1944 KiB,
# the next multiple of a cache line, 296, would take 2053.5. Of level 1 it is 47520 B: two blocks of 54 x 54, of
# which a line divides 48.
multiplying='block 288 x 288: three fit into the 1980 KiB of cache level 2'
transposing='block 48 x 48: two fit into the 46 KiB of cache level 1'

ok 'the known profile is written' "$make_profile" "$SERVET_PROFILE"
cp "$SERVET_PROFILE" "$folder/other.json"
for example; do
  name=${example##*/}
  case $name in transpose*) block=$transposing ;; *) block=$multiplying ;; esac

  # Larger than a block, so that some blocks are cut.
  run "$example" 300
  same "$name: status" "$status" 0
  holds "$name: the profile found" "$out" "profile $SERVET_PROFILE*"
  holds "$name: the block" "$out" "*$block*"
  holds "$name: the results" "$out" '*the results agree'

  run "$example" 1 "$folder/other.json"
  holds "$name: the profile named" "$out" "profile $folder/other.json*the results agree"

  run "$example" 300 "$folder/nowhere.json"
  same "$name: status without a profile" "$status" 1
  holds "$name: message without a profile" "$out$err" "*$folder/nowhere.json: *"

  run "$example" none
  same "$name: status for a wrong size" "$status" 2
done
done_testing
