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

# Half of the 2 MiB of level 2 is for blocks: three of 208 x 208 doubles take 1014 KiB, the next multiple of a cache line,
# 216, would take 1093.5. Of level 1 it is 24 KiB: two blocks of 39 x 39, of which a line divides 32.
multiplying='block 208 x 208: three fit into 1024 KiB of cache level 2'
transposing='block 32 x 32: two fit into 24 KiB of cache level 1'

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
