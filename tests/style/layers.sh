#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The dependency rule of src/: a folder includes the folders below it, never one above. Usage:
# layers.sh SOURCE_ROOT
set -eu
cd "$1"
. tests/tap.sh

# Every #include of the C files under the folders given, as "FILE NAME", with its <> or "".
includes() {
  find "$@" -name '*.[ch]' -exec awk '
    /^[ \t]*#[ \t]*include[ \t]*[<"]/ { sub(/^[^<"]*/, ""); print FILENAME, $1 }
  ' {} +
}

# Quoted names that the folder $1 may not include: allowed are itself and the folders $2...
strangers() {
  folder=$1
  allowed="servet $*"
  includes "src/$folder" | while read -r file name; do
    name=${name#\"}
    name=${name%\"}
    case $name in
    \<*) continue ;;
    */*) case " $allowed " in *" ${name%%/*} "*) continue ;; esac ;;
    *) [ ! -f "${file%/*}/$name" ] || continue ;;
    esac
    printf '%s includes %s\n' "$file" "$name"
  done
}

# includers HEADER FOLDER...: files that include <HEADER> outside these folders of src/.
includers() {
  header=$1
  shift
  includes src include fortran | while read -r file name; do
    case $name in "<$header>" | "\"$header\"") ;; *) continue ;; esac
    for folder in "$@"; do
      case $file in src/$folder/*) continue 2 ;; esac
    done
    printf '%s includes %s\n' "$file" "$name"
  done
}

layer() {
  [ ! -d "src/$1" ] || clean "src/$1 includes nothing above it" "$(strangers "$@")"
}

layer core
layer stats core
layer machine core stats
layer bench core stats machine
layer detect core stats
layer profile core stats
layer map core stats profile
layer export core machine
layer measure core stats machine bench detect profile
layer cli
layer comm core machine
layer mpi core stats machine bench detect profile measure cli mpi

clean "every folder of src/ has its rule" "$(
  for folder in src/*/; do
    name=$(basename "$folder")
    grep -q -e "^layer $name\$" -e "^layer $name " tests/style/layers.sh || printf '%s\n' "$folder"
  done
)"
clean "public headers include only public and standard ones" "$(
  includes include | grep '"' | grep -v '"servet/' || :
)"
clean "MPI stays in src/machine/ranks and src/comm" "$(
  includers mpi.h machine/ranks comm | grep -v '^include/servet/mpi.h ' || :
  includers servet/mpi.h comm
)"
clean "hwloc stays in src/machine/hardware and src/export" "$(includers hwloc.h machine/hardware export)"
clean "jansson stays with the formats and the programs" "$(includers jansson.h core/json profile cli mpi)"
clean "the pure folders read no clock and start no thread" "$(
  for header in time.h sys/time.h pthread.h threads.h; do
    includers "$header" machine bench measure profile cli
  done
)"
done_testing
