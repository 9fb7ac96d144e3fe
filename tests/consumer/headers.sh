#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each public header compiles alone, strictly, as C and as C++.
# usage: headers.sh SOURCE_INCLUDE BUILD_INCLUDE CC [CXX]
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
source=$1 build=$2 cc=$3 cxx=${4:-}

# The headers of MPI libraries have warnings of their own.
# shellcheck disable=SC2317,SC2046 # called through ok; words
compiles() { # HEADER COMPILER...
  header=$1
  shift
  [ "$header" != mpi.h ] || set -- "$@" $(printf '%s\n' "$mpi" | sed 's/-I/-isystem/g') -DOMPI_SKIP_MPICXX
  echo "#include \"servet/$header\"" |
    "$@" -pedantic -Wall -Wextra -Werror -fsyntax-only "-I$source" "-I$build" -
}

mpi=$(pkg-config --cflags mpi-c 2>/dev/null) || mpi=
for path in "$source"/servet/*.h "$build"/servet/*.h; do
  header=${path##*/}
  if [ "$header" = mpi.h ] && [ -z "$mpi" ]; then
    skip "$header" 'no MPI'
    continue
  fi
  ok "$header in C11" compiles "$header" "$cc" -std=c11 -x c
  if [ -n "$cxx" ]; then
    ok "$header in C++11" compiles "$header" "$cxx" -std=c++11 -x c++
  else
    skip "$header in C++11" 'no C++ compiler'
  fi
done
done_testing
