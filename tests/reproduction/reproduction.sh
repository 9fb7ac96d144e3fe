#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes share/doc/reproduction.md. Usage: reproduction.sh FILE PROGRAM...; each prints a section.
set -eu
file=$1
shift

{
  cat <<'TEXT'
# What both methods say of simulated machines

Written by `ninja reproduction` and checked by the tests of the suite `reproduction`. The models
(share/models) say what the machines are made of, never what a benchmark should find there; what
is known of them stands in tests/reproduction/papers.c and today.c. servet2010 is the papers' own
method, its known bias left in.
TEXT
  for program; do
    printf '\n'
    "$program"
  done
} >"$file.new"
mv "$file.new" "$file"
