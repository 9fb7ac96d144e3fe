#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every block of code in the documents works: programs and fragments compile against an installation, with the
# commands that stand beside them, and run; commands of a shell are executed, with stand_in.sh in the place of those
# that install, submit jobs or take minutes. tests/README.md explains the few conventions.
# shellcheck disable=SC2016,SC2317 # texts of other programs; functions that others call
# usage: documents.sh MESON SOURCE BUILD MAKE_PROFILE CC [FC]
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
MESON=$1 SOURCE=$2 BUILD=$3 make_profile=$4 CC=$5 FC=${6:-}

DOCUMENTS=$(mktemp -d "${TMPDIR:-/tmp}/servet.XXXXXX")
trap 'rm -rf "$DOCUMENTS"' EXIT
cd "$DOCUMENTS" || exit 1
unset LD_LIBRARY_PATH SERVET_PROFILE XDG_DATA_HOME XDG_STATE_HOME
ok 'meson install' "$MESON" install -C "$BUILD" --no-rebuild --quiet --destdir "$DOCUMENTS/root"
INSTALLED=$(dirname "$(find "$DOCUMENTS/root" -name servet.pc)")
PATH_BEFORE=$PATH PKG_CONFIG_PATH=$INSTALLED
export PKG_CONFIG_PATH
prefix=$(pkg-config --variable=prefix servet)
REAL=$prefix/bin
export MESON SOURCE BUILD CC FC DOCUMENTS INSTALLED REAL PATH_BEFORE

# Programs answer by a profile whose values are known; commands by one with all facts, which are said to be trusted. Both
# are said to be of this machine.
places='home/.local/share/servet'
mkdir -p "programs/$places" "commands/$places" stand_ins fakes weather
ok 'the known profile is written' "$make_profile" "programs/$places/profile.json"
ok 'a model is measured' \
  "$REAL/servet" measure --machine "$SOURCE/tests/consumer/small.json" --only cache,sharing,memory --budget 5 -o measured
ok 'its class gets a name' "$REAL/servet" merge measured/profile.json --class fat -o named.json
fingerprint=$("$REAL/servet" get machine.fingerprint "programs/$places/profile.json")
sed -e "s|\"fingerprint\": \".*\"|\"fingerprint\": \"$fingerprint\"|" \
  -e 's/"saturation": null/"saturation": 2/' -e 's/"trusted": false/"trusted": true/' named.json >"commands/$places/profile.json"
export HOME="$DOCUMENTS/programs/home" FAKE="$DOCUMENTS/weather"

for name in servet servet-mpi servet-job mpirun sinfo meson ninja sh bats apt-get install pkg-config flang-new-19; do
  ln -s "$SOURCE/tests/consumer/stand_in.sh" "stand_ins/$name"
done
for name in sbatch squeue sacct scontrol scancel sinfo; do
  printf '#!/bin/sh\n. "%s"\n' "$SOURCE/tests/drivers/fakes/slurm.sh" >"fakes/$name"
  chmod +x "fakes/$name"
done

# --- programs -------------------------------------------------------------------------------------

# words PACKAGE...: what to compile and link with.
words() {
  pkg-config --cflags --libs "$@"
  echo "-Wl,-rpath,$(pkg-config --variable=libdir servet)"
}

# wrapped FILE: a fragment in Fortran with what the document says is declared; `use` comes first.
wrapped() {
  declared=${1%.*}.with
  [ -f "$declared" ] || declared=/dev/null
  echo 'program fragment'
  grep -h '^use ' "$declared" "$1"
  grep -q '^use servet$' "$1" || echo 'use servet'
  echo 'implicit none'
  grep -v '^use ' "$declared"
  grep -v '^use ' "$1"
  echo 'end program fragment'
}

# A fragment in fixed form declares its variables itself.
wrapped77() {
  echo '      PROGRAM FRAGM'
  cat "$1"
  echo '      END'
}

# The name under which the commands of the document compile a program: that of the program or, in C, of the file.
name_of() {
  case $1 in
  *.c) cat ./*.sh 2>/dev/null | sed -n 's/^cc \([a-z_]*\)\.c .*/\1/p' | sed -n 1p ;;
  *) sed -n 's/^program \([a-z_]*\)$/\1/p' "$1" ;;
  esac
}

# compiles FILE SUFFIX COMPILER WORD...: the file itself is a whole program. It stays as the last program.
compiles() {
  file=$1 suffix=$2
  shift 2
  name=$(name_of "$file")
  name=${name:-program}
  cp "$file" "$name.$suffix"
  [ "$name" = program ] || cp "$file" "program.$suffix"
  # shellcheck disable=SC2046 # words
  ok "$at: compiles" "$@" "$name.$suffix" $(words "$package") -o "$name"
  runs
}

# The numbers are those of the known profile: make_profile.c, fortran/tests/known*.c.
expected_of() {
  case $document:$name in
  README.md:block) echo 'block [1-9]*' ;;
  share_doc_fortran.md:caches) echo '*level 2: 2048 KiB, 4.50 ns, agrees*between 7920 and 8976 KiB*memory: 100.0 ns' ;;
  share_doc_fortran.md:plan) echo 'sums of [1-9]* threads, 16 doubles apart*in level 2' ;;
  share_doc_guide-fortran.md:capacity) echo 'L2: 2048. KiB*' ;;
  share_doc_guide-fortran.md:tiles) echo '*side of a block: [1-9]*transposed: T' ;;
  *) echo '*' ;;
  esac
}

# A program that places processes reads the profile of a cluster. Without a profile each says so.
runs() {
  case $name in
  place) run env SERVET_PROFILE="$SOURCE/tests/data/profiles/star.json" "./$name" ;;
  *) run "./$name" ;;
  esac
  same "$at: runs" "$status$err" 0
  holds "$at: prints" "$out" "$(expected_of)"
  run env SERVET_PROFILE=/none "./$name"
  holds "$at: says that there is no profile" "$out$err" '*/none*'
}

# A fragment is compiled and linked; it is no whole program that could run.
is_linked() {
  # shellcheck disable=SC2046 # words
  ok "$at: compiles" "$@" $(words "$package") -o fragment
}

fortran() {
  [ -n "$FC" ] || {
    skip "$at" 'built without Fortran'
    return
  }
  package=servet-fortran compiler=$FC job=
  if grep -q '^ *use mpi' "$1"; then
    if ! pkg-config --exists servet-mpi-fortran || ! command -v mpifort >/dev/null; then
      skip "$at" 'built without MPI, or no mpifort'
      return
    fi
    package=servet-mpi-fortran compiler=mpifort job=yes
  fi
  if [ -n "$job" ] && grep -q '^program ' "$1"; then
    cp "$1" fragment.f90 # it runs in a job only
    is_linked "$compiler" fragment.f90
  elif grep -q '^program ' "$1"; then
    compiles "$1" f90 "$compiler" -fopenmp -Wall -Werror -Wno-missing-include-dirs
  else
    wrapped "$1" >fragment.f90
    is_linked "$compiler" -fopenmp fragment.f90
  fi
}

fortran77() {
  [ -n "$FC" ] || {
    skip "$at" 'built without Fortran'
    return
  }
  package=servet-fortran
  wrapped77 "$1" >program.f
  is_linked "$FC" program.f
}

c() {
  package=servet
  compiles "$1" c "$CC" -Wall -Wextra -Werror
}

# The lines of a project, between those that each project has. They build the program block.c of the document.
cmake() {
  command -v cmake >/dev/null || {
    skip "$at" 'there is no cmake'
    return
  }
  { printf 'cmake_minimum_required(VERSION 3.13)\nproject(block C)\nadd_executable(block block.c)\n'
    cat "$1"; } >CMakeLists.txt
  ok "$at: CMake is configured" command cmake -S . -B by_cmake -DCMAKE_PREFIX_PATH="$prefix"
  ok "$at: CMake builds" command cmake --build by_cmake
  run by_cmake/block
  holds "$at: prints" "$out" 'block [1-9]*'
}

meson() {
  { echo "project('block', 'c')"
    cat "$1"; } >meson.build
  ok "$at: Meson is configured" "$MESON" setup by_meson
  ok "$at: Meson builds" "$MESON" compile -C by_meson
  run by_meson/block
  holds "$at: prints" "$out" 'block [1-9]*'
}

json() {
  ok "$at: is a profile" "$REAL/servet" show "$1"
}

# --- commands -------------------------------------------------------------------------------------

# Prepares files that the documents presuppose.
prepare() {
  for name in old new before after reference this; do
    cp "$DOCUMENTS/named.json" "$name.json"
  done
  cp "$SOURCE/tests/data/curves/zen4-1-lines.csv" curve.csv
  mkdir tests tests/robustness
  printf '0,1,2,2\n1,0,2,2\n2,2,0,1\n2,2,1,0\n' >pairs.csv
  printf '# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n' >osu.txt
  awk 'BEGIN { for (size = 1; size <= 65536; size *= 2) printf "%d %.2f\n", size, 1.5 + size / 5000 }' >>osu.txt
  printf '1 10\n2 19\n4 30\n8 30.5\n' >triad.csv
  printf 'Inject Latency Bandwidth\nDelay (ns) MB/sec\n 00000 130.3 40000\n 00050 123.7 36000\n 20000 82.0 1000\n' >mlc.txt
  seq 0 31 | sed 's/.*/& 0 1048576/' >traffic.txt
  printf 'E\t0\t1\t100 bytes\n' >sent.0.prof
  printf 'node1\nnode1\nnode2\n' >nodes
  printf '#!/bin/sh\n' >program
  chmod +x program
  sed -n 's/.*\(build\/[a-z/]*[a-z]\/[a-z_-]*\).*/\1/p' ./*.sh 2>/dev/null | while read -r path; do
    [ ! -x "$BUILD/${path#build/}" ] || [ -d "$BUILD/${path#build/}" ] || {
      mkdir -p "${path%/*}"
      ln -sf "$SOURCE/tests/consumer/stand_in.sh" "$path"
    }
  done
  mkdir -p build
  ln -sf "$SOURCE/tests/consumer/stand_in.sh" build/servet
}

# All commands of a document in one shell, as a reader types them. Those whose comment begins with "fails" may.
# Leaves a line for each command that failed: "LINE: STATUS COMMAND".
run_commands() {
  {
    printf 'set -E\nat=\ntrap '\''echo "$at: $? $BASH_COMMAND" >>faults'\'' ERR\n'
    for file in ./[0-9]*.sh; do
      [ "$(head -c 2 "$file")" != '#!' ] || continue
      printf 'at=%s\necho "at $at"\n' "$(line_of "$file")"
      sed 's/^\(.*[^ ]\)  *# fails.*/\1 || [ $? -eq 1 ]/' "$file"
    done
    echo 'echo "at the end"'
  } >commands
  : >faults
  HOME=$DOCUMENTS/commands/home PATH="$DOCUMENTS/stand_ins:$REAL:$PATH:." PBS_NODEFILE=nodes \
    bash commands >printed 2>&1 </dev/null || :
  same "$document: no command ends the shell" "$(tail -n 1 printed)" 'at the end'
}

line_of() {
  line=${1##*/}
  line=${line%%.*}
  echo "${line#"${line%%[!0]*}"}"
}

# Prints the failed command of a block, and its output.
failed() {
  line=$(line_of "$1")
  sed -n "s/^$line: //p" faults | grep . && sed -n "/^at $line\$/,/^at /p" printed
}

commands_of() {
  case $(head -n 1 "$1") in
  '#!'*) ok "$at: is a script" sh -n "$1" ;;
  *) clean "$at: works" "$(bash -n "$1" 2>&1 || :)$(failed "$1")" ;;
  esac
}

# --- documents ------------------------------------------------------------------------------------

# Blocks that are no programs: diagrams, output, excerpts with gaps.
text() {
  return 0
}

block() {
  at=$document:$(line_of "$1")
  case $1 in
  *.c | *.fortran | *.fortran77 | *.cmake | *.meson | *.json | *.text) "${1##*.}" "$1" ;;
  *.sh | *.with) ;;
  *) ok "$at: the fence names a known language" false ;;
  esac
}

# Commands after the prompts of a console are commands.
document() {
  document=$(echo "$1" | tr / _)
  mkdir "$DOCUMENTS/$document"
  cd "$DOCUMENTS/$document" || exit 1
  awk -v folder=. -f "$SOURCE/tests/consumer/blocks.awk" "$SOURCE/$1"
  for file in ./[0-9]*.console; do
    [ ! -f "$file" ] || sed -n 's/^\$ //p' "$file" >"${file%.console}.sh"
    rm -f "$file"
  done
  prepare
  for file in ./[0-9]*; do
    [ ! -f "$file" ] || block "$file"
  done
  ls ./[0-9]*.sh >/dev/null 2>&1 || return 0
  run_commands
  for file in ./[0-9]*.sh; do
    at=$document:$(line_of "$file")
    commands_of "$file"
  done
}

# The keys that documents name between backticks, with numbers in the place of N, M and BYTES.
keys() {
  cd "$SOURCE/share/doc" || exit 1
  grep -ohE '`(coherence_line|(caches|memory|translation|distance|numa|layers|network|run)\.[._a-zA-Z0-9-]*)`' \
    guide-*.md tuning.md faq.md why-measure.md | tr -d '`' |
    sed 's/\.[NM]\./.1./g; s/\.[NM]\./.1./g; s/\.[NM]$/.1/; s/\.BYTES$/.1024/' | sort -u
}

unknown_keys() {
  keys | while read -r key; do
    "$REAL/servet" get "$key" 2>&1 | grep 'unknown key' || :
  done
}

cd "$SOURCE" || exit 1
for file in README.md CONTRIBUTING.md tests/README.md share/doc/*.md; do
  document "$file"
done
clean 'the guides name keys that exist' "$(unknown_keys)"
done_testing
