#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the public headers promise is tested and said. Usage: api.sh SOURCE_ROOT
set -eu
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

# Procedures of the Fortran module that no Fortran test calls.
uncalled() {
  sed -n -e 's/^ *procedure :: \([a-z_]*\) => .*/%\1(/p' \
    -e 's/^ .*\(subroutine\|function\) \(servet_[a-z_]*(\).*/\2/p' fortran/*.f90 | while read -r call; do
    grep -qF "$call" fortran/tests/*.f90 || printf '%s\n' "$call"
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

# Procedures of the Fortran module whose call the guide does not show.
unguided() {
  sed -n -e 's/^ *procedure :: \([a-z_]*\) => .*/%\1(/p' \
    -e 's/^ .*\(subroutine\|function\) \(servet_[a-z_]*(\).*/\2/p' fortran/*.f90 | while read -r call; do
    grep -qF "$call" share/doc/fortran.md || printf '%s\n' "$call"
  done
}

# Types of its facts that the guide does not name.
untyped() {
  sed -n 's/^  type :: \(servet_[a-z_]*\)$/\1/p' fortran/*.f90 | while read -r type; do
    grep -qF "type($type)" share/doc/fortran.md || grep -qF "$type(" share/doc/fortran.md ||
      printf '%s\n' "$type"
  done
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
clean "each Fortran procedure is called in a Fortran test" "$(uncalled)"
clean "each stands under its contract" "$(undocumented)"
same "servet(3) describes each public function once, and no other" "$(described)" "$(all_functions)"
clean "the Fortran guide shows each procedure" "$(unguided)"
clean "the Fortran guide names each type" "$(untyped)"
done_testing
