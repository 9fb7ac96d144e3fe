# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# TAP from a shell script: each case is a list of offences, and an empty list is the pass.

cases=0

# clean NAME OFFENCES
clean() {
  cases=$((cases + 1))
  if [ -z "$2" ]; then
    printf 'ok %d - %s\n' "$cases" "$1"
  else
    printf 'not ok %d - %s\n' "$cases" "$1"
    printf '%s\n' "$2" | sed 's/^/# /'
  fi
}

skip() {
  cases=$((cases + 1))
  printf 'ok %d - %s # SKIP %s\n' "$cases" "$1" "$2"
}

plan() {
  printf '1..%d\n' "$cases"
}
