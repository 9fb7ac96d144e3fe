#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that cannot use the compiled modules: those of another compiler, those with integers of 8 bytes, those in
# FORTRAN 77. They compile the source of the module as share/doc/fortran.md says.
# usage: other_fortran.sh SOURCE_ROOT BUILD_ROOT MAKE_PROFILE MODULE_SOURCE FC
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
source=$1 build=$2 make_profile=$3 module=$(realpath "$4") fc=$5
folder=$(mktemp -d "${TMPDIR:-/tmp}/servet.XXXXXX")
trap 'rm -rf "$folder"' EXIT
"$make_profile" "$folder/profile.json"
export LC_ALL=C LD_LIBRARY_PATH="$build/src:$build/fortran"
consumer=$source/tests/consumer/project/consumer.f90
mpi=${module%/*}/mpi/servet_mpi_module.f90
calls=$source/tests/consumer/calls_f77.f

# Programs run in the folder of the compiler, which has its modules.
# shellcheck disable=SC2317 # called through ok
in_folder() {
  (cd "$folder/$place" && "$@")
}

prints() { # NAME EXPECTED_PATTERN COMMAND...
  name=$1 pattern=$2
  shift 2
  run in_folder "$@"
  holds "$name" "$out$err" "$pattern"
}

# All of a compiler: COMPILER [FLAG]...
compiles() {
  place=$(echo "$*" | tr -c 'a-z0-9\n' '_')
  mkdir "$folder/$place"
  ok "$*: the source of the module" in_folder "$@" -c "$module" -o servet_module.o
  [ ! -e "$mpi" ] || ok "$*: the communicators" in_folder "$@" -c "$mpi" -o servet_mpi_module.o
  ok "$*: a program" in_folder "$@" "$consumer" servet_module.o -L"$build/src" -lservet -o consumer
  SERVET_PROFILE=$folder/profile.json prints "$*: it runs" 'Servet *: 3 levels, the last has 8388608 bytes*' ./consumer
  ok "$*: FORTRAN 77" in_folder "$@" "$calls" servet_module.o -L"$build/src" -lservet -o calls
  called "$*"
}

# Its own lines of the protocol become one.
called() {
  run env SERVET_PROFILE=nowhere.json "$folder/$place/calls" "$folder/profile.json"
  clean "$1: the calls work" "$(printf '%s\n' "$out" "$err" | grep -v -e '^ok ' -e '^$' -e '^1\.\.27$')"
  holds "$1: all of them" "$out" '*1..27'
}

case $("$fc" --version) in
  *GNU*)
    # With integers of 4 bytes the source of the module is compiled by test `documents` for each commit.
    [ -z "${SERVET_THOROUGH-}" ] || compiles "$fc"
    compiles "$fc" -fdefault-integer-8
    # The compiled modules have integers of 4 bytes, and say so to a program with others.
    place=eight
    mkdir "$folder/eight"
    run in_folder "$fc" -fdefault-integer-8 -I"$build/fortran/modules" -c "$consumer" -o consumer.o
    holds 'the compiled module refuses integers of 8 bytes' "$err" '*INTEGER(8) to INTEGER(4)*'
    ;;
  *) compiles "$fc" ;;
esac

other=
for candidate in flang-new flang-new-19 flang-19 flang-20 flang-21 flang-22; do
  [ -n "$other" ] || other=$(command -v "$candidate" || :)
done
if [ -n "$other" ]; then
  compiles "$other"
  # Names and lengths of texts are alike, so that programs in FORTRAN 77 use the library of the other compiler.
  place=mixed
  mkdir "$folder/mixed"
  ok 'FORTRAN 77 with the library of another compiler' \
    in_folder "$other" "$calls" -L"$build/fortran" -lservet_fortran -L"$build/src" -lservet -o calls
  called 'FORTRAN 77 with the library of another compiler'
else
  skip 'another compiler' 'there is no LLVM flang 19 or later (on Debian: apt-get install flang-19)'
fi
done_testing
