#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes share/doc/dev/reproduction.md. Usage: reproduction.sh FILE PROGRAM...; each prints a section.
set -eu
file=$1
shift

{
  cat <<'TEXT'
# Results of both methods on simulated machines

Written by `ninja reproduction` and checked by the tests of the suite `reproduction`. The models
(share/models) describe the hardware, never the results of a benchmark; the known results are in
tests/reproduction/papers.c and today.c. servet2010 is the papers' own method, with its known bias.
TEXT
  for program; do
    printf '\n'
    "$program"
  done
} >"$file.new"
mv "$file.new" "$file"
