#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The layout of all C files is that of .clang-format. Usage: format.sh SOURCE_ROOT
# Versions of clang-format differ in details, so only one decides.
set -eu
cd "$1"
. tests/tap.sh
version=14

has_version() {
  clang-format --version 2>/dev/null | grep -q "version $version\."
}

c_files() {
  find include src fortran examples tests \( -name '*.c' -o -name '*.h' \) -type f | sort
}

# The files that clang-format would change.
unformatted() {
  c_files | xargs clang-format --dry-run 2>&1 | sed -n 's/:[0-9]*:[0-9]*: warning: .*//p' | sort -u
}

if has_version; then
  clean 'layout of C files (fix it with clang-format -i FILE)' "$(unformatted)"
  done_testing
else
  echo "1..0 # SKIP needs clang-format $version"
fi
