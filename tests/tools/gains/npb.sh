#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds programs of the NAS Parallel Benchmarks, which are not part of Servet, for cluster.sh:
# npb.sh FOLDER CLASS PROCESSES OUT. FOLDER is NPB3.3-MPI or NPB3.4-MPI as NASA distributes it (www.nas.nasa.gov),
# and stays as it is. OUT gets is.CLASS.PROCESSES, cg..., mg... and ft..., whose number of ranks is fixed in NPB 3.3.
set -eu
[ $# -eq 4 ] || { echo "usage: npb.sh FOLDER CLASS PROCESSES OUT" >&2 && exit 2; }
class=$2 processes=$3
mkdir -p "$4"
out=$(CDPATH='' cd -- "$4" && pwd -P)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
trap 'exit 1' HUP INT TERM
cp -R "$1/." "$copy"
mkdir -p "$copy/bin"
# Names of 3.3 (MPIF77) and of 3.4 (MPIFC). Both pass the same array as several types.
cat >"$copy/config/make.def" <<'END'
MPIF77 = mpif90
MPIFC = mpif90
FLINK = mpif90
MPICC = mpicc
CLINK = mpicc
FMPI_LIB =
FMPI_INC =
CMPI_LIB =
CMPI_INC =
FFLAGS = -O3 -fallow-argument-mismatch
FLINKFLAGS = -O3
CFLAGS = -O3
CLINKFLAGS = -O3
CC = cc -g
UCC = cc
BINDIR = ../bin
RAND = randi8
WTIME = wtime.c
END
for name in is cg mg ft; do
  make -C "$copy" "$name" CLASS="$class" NPROCS="$processes"
  for built in "$copy/bin/$name.$class.$processes" "$copy/bin/$name.$class.x"; do
    [ ! -x "$built" ] || cp "$built" "$out/$name.$class.$processes"
  done
done
