#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The stencils place their threads by the profile, check each binding and their results, and predict what they gain
# on the model of Finis Terrae. Their times are not compared.
# usage: stencil.sh MAKE_PROFILE EXAMPLE...
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
make_profile=$1
profiles=$(cd "$(dirname "$0")/../data/profiles" && pwd)
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
SERVET_PROFILE=$folder/profile.json
OMP_NUM_THREADS=2
export SERVET_PROFILE OMP_NUM_THREADS

[ $# -gt 0 ] || skip 'the stencils' 'the compilers have no OpenMP'
ok 'the known profile is written' "$make_profile" "$SERVET_PROFILE"
for example; do
  name=${example##*/}

  run "$example" 100 4
  same "$name: status" "$status" 0
  holds "$name: the results" "$out" '*all threads bound, checksum*100*, 4 sweeps: *'

  # Two buses of four cores in each of two cells. One thread for each bus: two share the 3.3 GB/s of a cell. Four on
  # one bus share its 1.98 GB/s.
  run "$example" 100 0 "$profiles/finis-terrae.json"
  same "$name: status of a prediction" "$status" 0
  holds "$name: one thread on each bus" "$out" '*threads: 4, on cores 0 4 8 12*'
  holds "$name: what that gains" "$out" '*predicted: 6.60 GB/s, packed together 1.98 GB/s: 3.33 times as fast'

  run "$example" 100 4 "$folder/nowhere.json"
  same "$name: status without a profile" "$status" 0
  holds "$name: without a profile" "$out" 'no profile: *threads: 2, *checksum*'
done
done_testing
