#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The MPI that a build takes, by the summary of meson: that of the mpicc on PATH, of -Dmpicc, of the compiler, or of
# pkg-config; and the words of wrappers that are not here.
# usage: found.sh MESON SOURCE_ROOT [OPTION]: with an option for meson, each is built, with Fortran, and runs
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
meson=$1 source=$2 thorough=${3:-}
words=$source/src/comm/find/words.sh
folder=$(mktemp -d "${TMPDIR:-/tmp}/servet.XXXXXX")
trap 'rm -rf "$folder"' EXIT
unset CC FC

# A folder with the programs given, as an environment module adds it to PATH.
module() { # NAME PROGRAM=FILE...
  module=$folder/$1
  mkdir -p "$module"
  shift
  for program in "$@"; do
    ln -s "$(command -v "${program#*=}")" "$module/${program%%=*}"
  done
}

# A build set up with this mpicc and these variables takes the MPI that the pattern names.
takes() { # NAME PATTERN MPICC [VARIABLE=VALUE]...
  name=$1 pattern=$2 mpicc=$3
  shift 3
  build=$folder/$(echo "$name" | tr ' ,$' '___')
  run env "$@" "$meson" setup "$build" "$source" -Dmpi=enabled -Dmpicc="$mpicc" "${thorough:--Dfortran=disabled}"
  holds "$name" "$(printf '%s\n' "$out" | sed -n '/^servet [0-9]/,$s/^ *MPI *: *//p')" "$pattern"
  [ -z "$thorough" ] || works "$name"
}

# Messages and communicators, by the launcher of the same library.
works() {
  case $pattern in
    MPICH*) launcher=mpiexec.mpich ;;
    *) launcher=mpiexec.openmpi ;;
  esac
  programs='stencil_mpi_c stencil_mpi'
  # pkg-config alone does not know the Fortran of MPI.
  [ "$mpicc" != nowhere ] || [ "${1#*compiler}" != "$1" ] || programs=stencil_mpi_c
  # shellcheck disable=SC2046,SC2086 # words
  ok "$1: built" ninja --quiet -C "$build" servet-mpi $(printf 'examples/%s ' $programs)
  MPIEXEC=$launcher ok "$1: servet-mpi runs" sh "$source/tests/mpi/launch.sh" 2 \
    "$build/servet-mpi" measure -q --only layers --budget 30 -o "$build/measured"
  for program in $programs; do
    MPIEXEC=$launcher run sh "$source/tests/mpi/launch.sh" 2 "$build/examples/$program" 8
    holds "$1: $program" "$out$err" '2 x 1 ranks*the results agree'
  done
}

# A folder with the files of pkg-config for these packages, and none else.
packages() { # NAME PACKAGE...
  mkdir "$folder/$1"
  to=$folder/$1
  shift
  for file in "$@"; do
    ln -s "$(pkg-config --variable=pcfiledir "$file")/$file.pc" "$to"
  done
}

packages none hwloc jansson
# At night each library is found in each way. For each commit only MPICH (Open MPI, where there is none) is found, without
# mpicc: the build of the tests itself has found a library by mpicc.
seen=
for vendor in mpich openmpi; do
  if ! printf '#include <mpi.h>\n' | mpicc.$vendor -fsyntax-only -x c - >/dev/null 2>&1; then
    skip "$vendor" "there is no mpicc.$vendor with its headers"
    continue
  fi
  case $vendor in
    openmpi) expected='Open MPI [0-9]*' package=ompi-c ;;
    *) expected='MPICH [0-9]*' package=mpich ;;
  esac
  [ -z "$seen" ] || [ -n "$thorough" ] || continue
  seen=$vendor
  packages "only-$vendor" hwloc jansson $package
  takes "pkg-config of $vendor, no mpicc" "$expected, found by pkg-config $package" nowhere \
    PKG_CONFIG_LIBDIR="$folder/only-$vendor" PKG_CONFIG_PATH=
  [ -n "$thorough" ] || continue
  takes "mpicc is $vendor" "$expected, found by */mpicc.$vendor" mpicc.$vendor
  # No pkg-config file of any MPI, as where it comes from a module.
  module "bin-$vendor" "mpicc=mpicc.$vendor" "mpifort=mpifort.$vendor"
  takes "mpicc of $vendor on PATH, no pkg-config" "$expected, found by $folder/bin-$vendor/mpicc" mpicc \
    PATH="$folder/bin-$vendor:$PATH" PKG_CONFIG_LIBDIR="$folder/none" PKG_CONFIG_PATH=
  takes "the compiler is mpicc of $vendor" "$expected, found by the compiler" nowhere CC=mpicc.$vendor
done

run env PKG_CONFIG_LIBDIR="$folder/none" PKG_CONFIG_PATH='' \
  "$meson" setup "$folder/without" "$source" -Dmpicc=nowhere -Dmpi=enabled
holds 'no MPI: what to do' "$out$err" '*put mpicc on PATH ("module load")*'
run env PKG_CONFIG_LIBDIR="$folder/none" PKG_CONFIG_PATH='' \
  "$meson" setup "$folder/without" "$source" -Dmpicc=nowhere -Dfortran=disabled
holds 'no MPI: what is missing' "$out" '*MPI *: NO, no mpicc on PATH: no servet-mpi*'
holds 'no Fortran: what is missing' "$out" '*Fortran *: NO, switched off: no module servet*'

# Intel MPI's wrapper shows its command like this.
cat >"$folder/mpiicc" <<'END'
#!/bin/sh
[ "$1" = -show ] || exit 1
echo 'icx -m64 -I"/opt/in tel/include" -L/opt/mpi/release -L/opt/mpi -Xlinker --enable-new-dtags -Xlinker -rpath -Xlinker "/opt/mpi" -lmpifort -lmpi -pthread'
END
chmod +x "$folder/mpiicc"
run sh "$words" compile "$folder/mpiicc"
same 'words to compile with' "$out" '-I/opt/in tel/include
-pthread'
run sh "$words" link "$folder/mpiicc"
same 'words to link with' "$out" '-L/opt/mpi/release
-L/opt/mpi
-Wl,--enable-new-dtags
-Wl,-rpath,/opt/mpi
-lmpifort
-lmpi
-pthread'
done_testing
