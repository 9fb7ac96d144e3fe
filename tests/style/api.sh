#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every public function is tested and documented.
# usage: api.sh SOURCE_ROOT FORTRAN_MODULE (the latter empty where it was not built)
set -eu
module=${2:+$(cd "$(dirname "$2")" && pwd)/${2##*/}}
cd "$1"
. tests/tap.sh

public_functions() {
  sed -n 's/^SERVET_API .*[ *]\(servet_[a-z0-9_]*\)(.*/\1/p' include/servet/*.h
}

# Public functions that no C test names.
untested() {
  public_functions | while read -r name; do
    grep -rqw "$name" tests/c tests/mpi || printf '%s\n' "$name"
  done
}

# How the procedures of the Fortran module are called.
calls() {
  sed -n -e 's/^ *\(procedure\|generic\) :: \([a-z_]*\) => .*/%\2(/p' \
    -e 's/^ .*\(subroutine\|function\) \(servet_[a-z_]*(\).*/\2/p' "$module"
}

# Those that no file of $@ shows.
calls_not_in() {
  calls | while read -r call; do
    grep -qF "$call" "$@" || printf '%s\n' "$call"
  done
}

# All of them, by whatever name.
all_functions() {
  awk '/^SERVET_API/ { match($0, /[a-z0-9_]+\(/); print substr($0, RSTART, RLENGTH - 1) }' \
    include/servet/*.h include/servet/*.h.in | sort
}

# Those that servet(3) describes.
described() {
  grep -o '\*[a-z0-9]*_[a-z0-9_]*\*(' share/man/servet.3.scd | tr -d '*(' | sort
}

# Types of its facts that the guide does not name, but for items of lists, which it leaves to the C header.
untyped() {
  sed -n 's/^  type :: \(servet_[a-z_]*\)$/\1/p' "$module" | while read -r type; do
    if grep -qF "type($type), intent(out) :: item" "$module"; then continue; fi
    grep -qF "type($type)" share/doc/fortran.md || grep -qF "$type(" share/doc/fortran.md ||
      printf '%s\n' "$type"
  done
}

# Units of times, rates and frequencies other than seconds, bytes per second and hertz. Only files of others and
# hwloc have such.
other_units() {
  grep -nwE 'ns|us|ms|nanoseconds?|microseconds?|milliseconds?|[KMG]B/s|[kMG]Hz|ghz' include/servet/*.h |
    grep -vE '[^ ]bytes,ns|in the file: "|hwloc.s Latency \(ns|"Servet:Latency:ns"' || :
}

# Declarations that no comment stands above.
undocumented() {
  awk '
    FNR == 1 { before = "" }
    /^SERVET_API/ && before !~ /\*\/$/ { print FILENAME ": " $0 }
    { before = $0 }
  ' include/servet/*.h
}

clean "there are public functions" "$([ -n "$(public_functions)" ] || printf 'none found\n')"
clean "each is named in a C test" "$(untested)"
clean "each stands under its contract" "$(undocumented)"
clean "one unit for each kind of fact" "$(other_units)"
same "servet(3) describes each public function once, and no other" "$(described)" "$(all_functions)"
if [ -n "$module" ]; then
  clean "there are Fortran procedures" "$([ -n "$(calls)" ] || printf 'none found\n')"
  clean "each Fortran procedure is called in a Fortran test" "$(calls_not_in fortran/tests/*.f90)"
  clean "the Fortran guide shows each procedure" "$(calls_not_in share/doc/fortran.md)"
  clean "the Fortran guide names each type" "$(untyped)"
else
  skip "the Fortran module" "built without Fortran"
fi
done_testing
