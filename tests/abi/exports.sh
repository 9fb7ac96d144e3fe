#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The libraries export what the public headers declare and nothing else, and the Fortran modules call all of profile.h,
# node.h, network.h, degradation.h, traffic.h and map.h, place.h but for the masks of C, and what mpi.h has for them.
# usage: exports.sh NM SOURCE_ROOT BUILD_ROOT LIBSERVET LIBSERVET_MEASURE LIBSERVET_MPI [MODULE...]
# (LIBSERVET_MPI empty where it was not built)
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
nm=$1 source=$2/include/servet build=$3/include/servet libservet=$4 libmeasure=$5 libmpi=$6
shift 6

declared() { # HEADER...
  awk '/^SERVET_API/ { match($0, /[a-z0-9_]+\(/); print substr($0, RSTART, RLENGTH - 1) }' "$@" |
    LC_ALL=C sort
}

for_fortran() {
  declared "$source/profile.h" "$source/node.h" "$source/network.h" "$source/degradation.h" | grep -v servet_analyze_
  declared "$source/traffic.h" "$source/map.h"
  declared "$source/place.h" | grep -v mask
  [ -z "$libmpi" ] || declared "$source/mpi.h" | grep '_f$'
}

exported() { # LIBRARY
  "$nm" -D --defined-only "$1" | awk '$2 != "A" { print $NF }' | LC_ALL=C sort
}

alike() { # NAME EXPORTED EXPECTED
  clean "$1" "$(
    printf '%s\n' "$2" | grep -vxF "$3" | sed 's/$/: not expected/'
    printf '%s\n' "$3" | grep -vxF "$2" | sed 's/$/: not exported/'
  )"
}

all_headers() {
  for header in "$source"/*.h "$build"/*.h; do
    case $header in
      */measure.h | */export.h | */mpi.h) ;;
      *) cat "$header" ;;
    esac
  done
}

alike 'libservet exports what its headers declare' "$(exported "$libservet")" "$(all_headers | declared)"
alike 'libservet_measure exports what its headers declare' "$(exported "$libmeasure")" "$(declared "$source/measure.h" "$source/export.h")"
if [ -n "$libmpi" ]; then
  alike 'libservet_mpi exports what its header declares' "$(exported "$libmpi")" "$(declared "$source/mpi.h")"
else
  skip 'libservet_mpi exports what its header declares' 'built without MPI'
fi
if [ $# -gt 0 ]; then
  called=$(grep -v -e '^ *!' -e 'function raw_' -e 'subroutine raw_' "$@" | grep -o 'raw_[a-z0-9_]*')
  same 'what Fortran lacks' \
    "$(for_fortran | while read -r name; do
      echo "$called" | grep -qx "raw_${name#servet_}" || echo "$name"
    done)" ''
else
  skip 'what Fortran lacks' 'built without Fortran'
fi
done_testing
