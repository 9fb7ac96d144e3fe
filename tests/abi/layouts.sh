#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares what programs have compiled in with the list layouts.txt, or writes that:
# layouts.sh compare|write LAYOUTS
set -eu
root=${SOURCE_ROOT:-$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)}
list=$root/tests/abi/layouts.txt
layouts=$2
# shellcheck source=tests/tap.sh
. "$root/tests/tap.sh"

if [ "$1" = write ]; then
  "$layouts" >"$list"
  exit
fi

# shellcheck disable=SC2317 # called through ok
as_listed() {
  printf '%s\n' "$out" | diff -u "$list" - && return
  printf '%s\n' "Programs that are linked to an earlier library rely on the lines that are gone." \
    "share/doc/abi.md says which changes are allowed. If this one is, write the list again:" \
    "  sh tests/abi/layouts.sh write $layouts"
  return 1
}

# Public structs whose last member is room, or with $1 "not", is something else.
structs() {
  awk -v other="$1" '
    function end() { if (name != "" && (last ~ / uint64_t reserved\[/) == (other == "")) print name }
    /^[a-z]/ { end(); name = "" }
    /^struct / { name = $2 }
    { last = $0 }
    END { end() }
  ' "$list" | sort
}

# The exceptions of the rule, rows of a table.
# shellcheck disable=SC2016 # not for the shell
exceptions() {
  sed -n 's/^| `\([a-z_]*\)` | .*/\1/p' "$root/share/doc/abi.md" | sort
}

untested() {
  structs '' | while read -r name; do
    grep -Eq "(WORDS|ZERO_IN|REFUSED)\(${name}[,)]" "$root/tests/abi/reserved.c" "$root/tests/c/core_findings.c" ||
      printf '%s\n' "$name"
  done
}

run "$layouts"
if [ "$status" -eq 77 ]; then
  skip 'structs, constants and functions are as listed' 'the list is for pointers of 8 bytes'
else
  ok 'structs, constants and functions are as listed' as_listed
fi
same 'structs without room are those that share/doc/abi.md excepts' "$(structs not)" "$(exceptions)"
clean 'the room of each struct is tested' "$(untested)"
done_testing
