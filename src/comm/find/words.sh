#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints what an MPI compiler wrapper adds to the command of its compiler, one word a line. Open MPI's wrappers tell
# each part; the others (MPICH, MVAPICH, Intel MPI) show their whole command.
# usage: words.sh compile|link WRAPPER
set -eu
part=$1
shown=$("$2" "--showme:$part" 2>/dev/null) || {
  shown=$("$2" -show 2>/dev/null)
  shown=${shown#* }
}

# They quote for a shell.
eval "set -- $shown"

# Two words that belong together become one, since Meson drops words that come twice.
linker='' rpath=''
for word in "$@"; do
  case $linker$word in
    -Xlinker) linker='-Xlinker ' && continue ;;
    '-Xlinker '*) word=-Wl,$word && linker= ;;
  esac
  case $word in
    -Wl,-rpath | -Wl,--rpath) rpath=$word && continue ;;
    -Wl,*) word=${rpath:+$rpath,}${word#"${rpath:+-Wl,}"} && rpath= ;;
  esac
  case $part:$word in
    # gfortran refuses MPICH's module mpi without -fallow-argument-mismatch.
    compile:-[IDU]* | compile:-isystem* | compile:-fallow-* | *:-pthread) ;;
    link:-[Ll]* | link:-Wl,* | link:/*.a | link:/*.so*) ;;
    *) continue ;;
  esac
  printf '%s\n' "$word"
done
