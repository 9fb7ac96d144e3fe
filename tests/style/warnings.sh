#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every C file compiles without a warning, and so do all headers of src in one file: a name means one thing. Usage: warnings.sh SOURCE_ROOT BUILD_ROOT COMPILER FLAG...
set -eu
cd "$1"
build=$2
shift 2
. tests/tap.sh

libraries=$(pkg-config --cflags hwloc jansson cmocka)
# What needs the header of MPI, where there is none; not every compiler has that of OpenMP.
without='/openmp\.c$'
mpi=$(pkg-config --cflags mpi-c 2>/dev/null) || without="$without|^src/machine/ranks/|^src/comm/|^tests/mpi/|mpi_c\.c$"

# compile COMMAND... FILE
compile() {
  # shellcheck disable=SC2086 # pkg-config's words
  "$@" -Werror -std=c11 -D_DEFAULT_SOURCE -DSERVET_DATADIR='""' \
    -DSERVET_BIN_TO_DATADIR='""' -Iinclude -Isrc \
    -I"$build/include" $libraries $mpi -c -o /dev/null 2>&1 || :
}

compile_all() {
  for file in $(find src tests/c tests/mpi examples -name '*.c' | grep -vE "$without" | sort); do
    compile "$@" "$file"
  done
}

# stream_loops.h is included once for each width of a vector, with its macros.
headers() {
  find src -name '*.h' | grep -vE "$without|stream_loops" | sort | sed 's|^src/\(.*\)|#include "\1"|'
}

clean "$1 has nothing to say" "$(compile_all "$@")"
clean "all headers agree on what a name means" "$(headers | compile "$@" -x c -)"
done_testing
