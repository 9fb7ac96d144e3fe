#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every C file compiles without a warning. Usage: warnings.sh SOURCE_ROOT BUILD_ROOT COMPILER FLAG...
set -eu
cd "$1"
build=$2
shift 2
. tests/tap.sh

compile_all() {
  libraries=$(pkg-config --cflags hwloc jansson cmocka)
  # With MPI where there is one; only that folder needs its header.
  if mpi=$(pkg-config --cflags mpi-c 2>/dev/null); then without=; else without='src/machine/ranks/*'; fi
  for file in $(find src tests/c tests/mpi examples -name '*.c' ! -path "$without" | sort); do
    # shellcheck disable=SC2086 # pkg-config's words
    "$@" -Werror -std=c11 -D_DEFAULT_SOURCE -DSERVET_DATADIR='""' \
    -DSERVET_BIN_TO_DATADIR='""' -Iinclude -Isrc \
      -I"$build/include" $libraries $mpi -c -o /dev/null "$file" 2>&1 || :
  done
}

clean "$1 has nothing to say" "$(compile_all "$@")"
done_testing
