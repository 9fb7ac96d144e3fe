#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# All headers of src compile in one file, without a warning: a name means one thing. That no file has a warning is
# said by the builds, which quickstart makes with -Dwerror=true, one with each compiler. Usage:
# headers.sh SOURCE_ROOT BUILD_ROOT COMPILER FLAG...
set -eu
cd "$1"
build=$2
shift 2
. tests/tap.sh

libraries=$(pkg-config --cflags hwloc jansson)
# Headers that need MPI's header, which may be missing; not every compiler has that of OpenMP.
without='/openmp\.'
mpi=$(pkg-config --cflags mpi-c 2>/dev/null) || without="$without|^src/machine/ranks/|^src/comm/"

# stream_loops.h is included once for each width of a vector, with its macros.
headers() {
  find src -name '*.h' | grep -vE "$without|stream_loops" | sort | sed 's|^src/\(.*\)|#include "\1"|'
}

compile() {
  # shellcheck disable=SC2086 # pkg-config's words
  "$@" -Werror -std=c11 -D_DEFAULT_SOURCE -Iinclude -Isrc -I"$build/include" $libraries $mpi \
    -fsyntax-only -x c - 2>&1 || :
}

clean "all headers agree on what a name means, says $1" "$(headers | compile "$@")"
done_testing
