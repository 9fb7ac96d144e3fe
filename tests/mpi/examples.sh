#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The examples with MPI do their work right on any number of ranks, with and without a new order of
# ranks. Their times are not compared. Usage: examples.sh SOURCE_ROOT EXAMPLE...
set -eu
. "$1/tests/tap.sh"
launch=$1/tests/mpi/launch.sh
profiles=$1/tests/data/profiles
SERVET_PROFILE=$profiles/star.json
export SERVET_PROFILE
shift

# In layer 1 of job.json eight messages of 8 KiB take 36 us at once, 24 as one; eight of 1 KiB 6 and 8.
gathers() {
  run sh "$launch" 2 "$1" 8192 8 1 "$profiles/job.json"
  same "$name: status" "$status" 0
  holds "$name: what pays" "$out" 'advice: gathering is 1.50 times as fast (pays)*8 messages of 8192 B, apart * us, gathered * us, ratio *'
  run sh "$launch" 2 "$1" 1024 8 1 "$profiles/job.json"
  holds "$name: what does not" "$out" 'advice: gathering is 0.75 times as fast (loses)*'
  run sh "$launch" 2 "$1" 8192 8 1 nowhere.json
  holds "$name without a profile" "$status $out" '0 no advice: *8 messages of 8192 B, *'
  run sh "$launch" 3 "$1"
  ok "$name refuses three ranks" [ "$status" -ne 0 ]
}

for example; do
  name=${example##*/}
  case $name in gather*) gathers "$example" && continue ;; esac
  for ranks in 1 3 ${SERVET_THOROUGH:+2 4}; do
    run sh "$launch" "$ranks" "$example" 10 3
    same "$name on $ranks: status" "$status" 0
    holds "$name on $ranks: results" "$out" '*s a step, the results agree'
  done

  run sh "$launch" 2 "$example" 0
  ok "$name refuses what is no size" [ "$status" -ne 0 ]
  holds "$name says why" "$out$err" "*$name: * at least 1*"

  case $name in stencil*) ;; *) continue ;; esac
  SERVET_PROFILE=nowhere.json run sh "$launch" 2 "$example" 10 3 reorder
  ok "$name refuses to reorder without a profile" [ "$status" -ne 0 ]
  holds "$name says which" "$out$err" "*nowhere.json*"
done
done_testing
