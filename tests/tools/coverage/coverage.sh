#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Line and branch coverage by folder; fails where fewer lines than the limit are executed.
#
#     coverage.sh BUILD [OPTION of meson test]...
#
# BUILD is made if it is not there. Runs the tests that the options choose, none without options, and counts all that has
# been executed in BUILD: `coverage.sh BUILD --suite fast` and then `coverage.sh BUILD --suite cli` is both. A test that fails
# counts all the same. BUILD/coverage.csv gets the figures of each file, BUILD/coverage.txt the lines that nothing executed.
set -eu
export LC_ALL=C
build=$1
shift
unset SERVET_THOROUGH # the cases for each commit execute the same lines
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)

command -v gcovr >/dev/null || { echo "coverage.sh: no gcovr here" >&2; exit 77; }
[ -f "$build/build.ninja" ] ||
  meson setup "$build" "$root" -Dtests=true -Db_coverage=true -Dbuildtype=debug -Doptimization=1 -Dfortran=disabled
[ $# -eq 0 ] || meson test -C "$build" "$@" || echo "coverage.sh: a test failed" >&2
# Threads that count at the same time may leave a negative count, which gcovr takes for an error.
gcovr --gcov-ignore-parse-errors --root "$root" --config "$root/gcovr.cfg" --csv "$build/coverage.csv" --txt "$build/coverage.txt" "$build"

# Each line of the table: its name, the least percentage of lines, and which files are meant.
awk -F, '
  function row(name, least, pattern) { names[++rows] = name; limit[rows] = least; of[rows] = pattern }
  function share(part, whole) { return whole ? sprintf("%.1f %%", 100 * part / whole) : "-" }
  BEGIN {
    row("core", 95, "^src/core/")
    row("stats", 95, "^src/stats/")
    row("facts, detect", 95, "^src/facts/.*/detect")
    row("profile", 95, "^src/profile/")
    row("map", 95, "^src/map/")
    row("facts", 0, "^src/facts/")
    row("place", 0, "^src/place/")
    row("machine", 0, "^src/machine/")
    row("run", 0, "^src/run/")
    row("export", 0, "^src/export/")
    row("cli", 0, "^src/cli/")
    row("comm, mpi", 0, "^src/(comm|mpi)/")
    row("all", 88, "^src/")
  }
  NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  {
    for (i = 1; i <= rows; i++)
      if ($1 ~ of[i]) {
        lines[i] += $column["line_total"]
        executed[i] += $column["line_covered"]
        branches[i] += $column["branch_total"]
        taken[i] += $column["branch_covered"]
      }
  }
  END {
    printf "%-14s %7s %8s %6s  %8s %8s\n", "folder", "lines", "executed", "limit", "branches", "taken"
    for (i = 1; i <= rows; i++) {
      below = 100 * executed[i] < limit[i] * lines[i]
      failed += below
      printf "%-14s %7d %8s %6s  %8d %8s%s\n", names[i], lines[i], share(executed[i], lines[i]), \
        limit[i] ? limit[i] " %" : "", branches[i], share(taken[i], branches[i]), below ? "  TOO FEW" : ""
    }
    exit failed > 0
  }' "$build/coverage.csv"
