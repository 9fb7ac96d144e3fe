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
  for file in $(find src tests/c examples -name '*.c' | sort); do
    # shellcheck disable=SC2086 # pkg-config's words
    "$@" -Werror -std=c11 -D_DEFAULT_SOURCE -DSERVET_DATADIR='""' \
    -DSERVET_BIN_TO_DATADIR='""' -Iinclude -Isrc \
      -I"$build/include" $libraries -c -o /dev/null "$file" 2>&1 || :
  done
}

clean "$1 has nothing to say" "$(compile_all "$@")"
done_testing
