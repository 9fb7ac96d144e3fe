#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs into a folder with a blank in its name and uses what is there from outside: a project of
# its own in C and Fortran, with make and CMake, static libraries, the module's source, the installed examples.
# usage: install.sh MESON SOURCE BUILD MAKE_PROFILE CC [FC]
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
meson=$1 source=$2 build=$3 make_profile=$4 CC=$5 FC=${6:-}
export CC FC

folder=$(mktemp -d "${TMPDIR:-/tmp}/servet.XXXXXX")
trap 'rm -rf "$folder"' EXIT
work=$folder/work
destination="$folder/with a blank"
root=$folder/root # without a blank, for commands that do not quote
mkdir "$destination"
ln -s "$destination" "$root"
cp -r "$source/tests/consumer/project" "$work"
cd "$work" || exit 1

ok 'meson install' "$meson" install -C "$build" --no-rebuild --quiet --destdir "$destination"
ok 'the known profile is written' "$make_profile" "$work/profile.json"

pc=$(find "$root/" -name servet.pc)
library=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH="$library/pkgconfig"
export SERVET_PROFILE="$work/profile.json"
include=$(pkg-config --variable=includedir servet)/servet
version=$(pkg-config --modversion servet)
expected="Servet $version: 3 levels, the last has 8388608 bytes (not visible)"

# The output of pkg-config is quoted for a shell.
# shellcheck disable=SC2317 # called through ok
compile() { # PACKAGE COMPILER ARGUMENT...
  package=$1
  shift
  eval "set -- \"\$@\" $(pkg-config --cflags --libs "$package") -lm"
  "$@"
}

runs() { # NAME EXPECTED_PATTERN COMMAND...
  name=$1 pattern=$2
  shift 2
  run "$@"
  holds "$name" "$out$err" "$pattern"
}

for header in "$source"/include/servet/*.h version.h; do
  [ "${header##*/}" != mpi.h ] || [ -e "$library/pkgconfig/servet-mpi.pc" ] || continue
  ok "header ${header##*/}" test -f "$include/${header##*/}"
done
for name in servet servet_measure; do
  ok "lib$name: the link that programs are linked with" test -L "$library/lib$name.so"
  ok "lib$name: its soname" test -e "$library/lib$name.so.0"
done
for name in servet servet-measure; do
  ok "$name.pc" pkg-config --exists --print-errors "$name"
done

unset LD_LIBRARY_PATH
bin=$(pkg-config --variable=prefix servet)/bin
runs 'the program finds its libraries' "servet $version*" "$bin/servet" --version

unset SERVET_MODELS
runs 'the program finds its models' "*no model 'nobody'; *" \
  "$bin/servet" measure --machine nobody
if [ -d "${bin#"$root"}/../share/servet/models" ]; then
  skip 'the program says where models belong' 'Servet is installed for good, too'
else
  mv "$bin/../share/servet/models" "$work"
  runs 'the program says where models belong' "*no model 'nobody', nor any other: neither in *" \
    "$bin/servet" measure --machine nobody
  mv "$work/models" "$bin/../share/servet"
fi

docs=$(find "$root/" -path '*/doc/servet' -type d)
examples=$docs/examples
for file in README.md measuring.md fortran.md examples/advice.f90; do
  ok "installed: $file" test -f "$docs/$file"
done

for page in man1/servet.1 man3/servet.3 man3/servet-fortran.3; do
  if command -v scdoc >/dev/null; then
    ok "installed: $page" test -f "$docs/../../man/$page"
  else
    skip "installed: $page" 'there is no scdoc'
  fi
done
ok 'installed: completion' test -f "$docs/../../bash-completion/completions/servet"

# Servet's own libraries as archives, the others as they come.
static_words() { # PACKAGE...
  for package in "$@"; do
    sed -n 's/^Libs.private: //p' "$library/pkgconfig/$package.pc"
  done
  pkg-config --libs hwloc jansson
}

if [ -e "$library/libservet.a" ]; then
  # shellcheck disable=SC2046 # words
  ok 'C project, static: built' "$CC" consumer.c $(pkg-config --cflags servet) -o consumer_static \
    "$library/libservet.a" $(static_words servet)
  runs 'C project, static: runs' "$expected" ./consumer_static
  # shellcheck disable=SC2046 # words
  ok 'measuring program, static: built' "$CC" measures.c $(pkg-config --cflags servet-measure) -o measures_static \
    "$library/libservet_measure.a" "$library/libservet.a" $(static_words servet-measure servet)
  runs 'measuring program, static: runs' '2 levels' ./measures_static "$source/tests/cli/tiny.json"
else
  skip 'static libraries' 'built without them (-Ddefault_library)'
fi

if command -v cmake >/dev/null; then
  prefix=$(dirname "$bin")
  mpi_source=
  [ ! -e "$library/pkgconfig/servet-mpi.pc" ] || mpi_source=$examples/stencil_mpi_c.c
  ok 'CMake project: configured' cmake -S . -B by_cmake -DCMAKE_PREFIX_PATH="$prefix" ${FC:+-DWITH_FORTRAN=ON} \
    ${mpi_source:+"-DWITH_MPI=$mpi_source"}
  ok 'CMake project: built' cmake --build by_cmake
  runs 'CMake project: runs' "$expected" by_cmake/consumer_c
  [ -z "$FC" ] || runs 'CMake project in Fortran: runs' "$expected" by_cmake/consumer_f
  [ -z "$mpi_source" ] || runs 'CMake project with MPI: runs' '*the results agree' \
    sh "$source/tests/mpi/launch.sh" 2 by_cmake/consumer_mpi 8
else
  skip 'CMake project' 'there is no cmake'
fi

export LD_LIBRARY_PATH="$library"
ok 'C project: built' make -s consumer_c
runs 'C project: runs' "$expected" ./consumer_c
ok 'C example: built' compile servet "$CC" -O3 "$examples/matmul_c.c" -o matmul_c
runs 'C example: runs' '*the results agree' ./matmul_c 100
ok 'C advice: built' compile servet "$CC" "$examples/advice_c.c" -o advice_c
runs 'C advice: runs' '*cores write to 128 B*' ./advice_c

launch=$source/tests/mpi/launch.sh
if [ -e "$library/pkgconfig/servet-mpi.pc" ] && command -v mpicc >/dev/null; then
  ok 'C example with MPI: built' compile servet-mpi mpicc "$examples/stencil_mpi_c.c" -o stencil
  runs 'C example with MPI: runs' '*the results agree' sh "$launch" 2 ./stencil 8
  OMP_NUM_THREADS=2 OMPI_MCA_hwloc_base_binding_policy=none \
    runs 'servet-mpi finds OpenMP' '*now on [0-9]*,[0-9]*' sh "$launch" 1 "$bin/servet-mpi" where
else
  skip 'MPI' 'built without MPI, or no mpicc'
fi

if [ -z "$FC" ]; then
  skip 'Fortran' 'built without Fortran'
  done_testing
fi

ok 'servet-fortran.pc' pkg-config --exists --print-errors servet-fortran
ok 'module' test -f "$include/servet.mod"
ok 'Fortran project: built' make -s consumer_f
runs 'Fortran project: runs' "$expected" ./consumer_f
for example in matmul.f90 matmul_f77.f; do
  ok "$example: built" compile servet-fortran "$FC" -O3 "$examples/$example" -o example
  runs "$example: runs" '*the results agree' ./example 100
done
ok 'cache_f77.f: built' compile servet-fortran "$FC" "$examples/cache_f77.f" -o cache_f77
# 2 MiB hold three square blocks of doubles of at most 295.
runs 'cache_f77.f: runs' 'A CPU of the tests*L2    2048.0 KiB   4.50 ns T*block  144' ./cache_f77
ok 'advice.f90: built' compile servet-fortran "$FC" "$examples/advice.f90" -o advice
runs 'advice.f90: runs' '*cores write to 128 B*' ./advice

if [ -e "$library/pkgconfig/servet-mpi-fortran.pc" ] && command -v mpifort >/dev/null; then
  ok 'Fortran example with MPI: built' \
    compile servet-mpi-fortran mpifort "$examples/stencil_mpi.f90" -o stencil
  runs 'Fortran example with MPI: runs' '*the results agree' sh "$launch" 2 ./stencil 8
else
  skip 'Fortran with MPI' 'built without MPI, or no mpifort'
fi
done_testing
