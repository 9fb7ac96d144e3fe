#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The examples with MPI do their work right on any number of ranks, with and without a new order of
# ranks. Their times are not compared. Usage: examples.sh SOURCE_ROOT EXAMPLE...
set -eu
. "$1/tests/tap.sh"
launch=$1/tests/mpi/launch.sh
SERVET_PROFILE=$1/tests/data/profiles/star.json
export SERVET_PROFILE
shift

for example; do
  name=${example##*/}
  for ranks in 1 2 3 4; do
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
