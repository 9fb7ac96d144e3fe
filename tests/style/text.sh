#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The plain rules of .editorconfig for every source file. Usage: text.sh SOURCE_ROOT
set -eu
cd "$1"
. tests/tap.sh

# Names and line numbers in source files where basic regular expression $1 matches.
lines_with() {
  source_files | LC_ALL=C xargs grep -n -e "$1" || :
}

# The indent of scdoc and make is the tab.
without_tab_files() {
  grep -v -e '^share/man/' -e '/Makefile:' || :
}

source_files() {
  find .ci drivers examples fortran include share src tests ./*.build ./*.txt ./*.md \
    -type f ! -path 'tests/data/*' ! -path 'share/machines/*' ! -name '*.svg' ! -name '*.png' ! -name '*.csv'
}

# A file is one record, as none has that character.
unended() {
  # shellcheck disable=SC2016 # of awk
  source_files | LC_ALL=C xargs awk 'BEGIN { RS = "\001" }
    substr($0, length($0)) != "\n" { print FILENAME }'
}

unlicensed() {
  source_files | grep -E '\.(c|h|f90|F90|f|sh|bash|bats|awk)$|^drivers/(quickstart|servet-job)$|^\.ci/run$' |
    LC_ALL=C xargs awk 'FNR <= 3 && /SPDX-License-Identifier: BSD-3-Clause/ { licensed[FILENAME] = 1 }
      END { for (i = 1; i < ARGC; i++) if (!licensed[ARGV[i]]) print ARGV[i] }'
}

# Paths of the source tree that these pages name; FAMILY and NAME stand for any.
unknown_paths() {
  # shellcheck disable=SC2016 # no command
  grep -ohE '[`*](drivers|examples|fortran|include|share|src|tests)/[A-Za-z0-9_./*-]*[`*]' README.md \
    CONTRIBUTING.md share/doc/architecture.md share/doc/glossary.md | tr -d '`' | sed 's/^\*\(.*\)\*$/\1/' |
    sort -u | while read -r path; do
    # shellcheck disable=SC2046 # a pattern
    set -- $(printf '%s\n' "$path" | sed 's/FAMILY/*/g; s/NAME/*/g')
    [ -e "$1" ] || printf '%s\n' "$path"
  done
}

tab=$(printf '\t')
clean "no tabs" "$(lines_with "$tab" | without_tab_files)"
clean "no blanks at the end of a line" "$(lines_with ' $')"
clean "only ASCII" "$(lines_with "[^ -~$tab]")"
clean "every file ends with a newline" "$(unended)"
clean "every source file names the licence" "$(unlicensed)"
clean "the pages for newcomers name files that are there" "$(unknown_paths)"
done_testing
