#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Flags that change the layout of public structs in a program alone are refused by the headers. Usage:
# flags.sh SOURCE_ROOT BUILD_ROOT COMPILER...
set -eu
cd "$1"
build=$2
shift 2
. tests/tap.sh

refused() {
  if printf '#include <servet/servet.h>\n' |
    "$@" -Iinclude -I"$build/include" -fsyntax-only -x c - 2>/dev/null; then
    echo accepted
  else
    echo refused
  fi
}

same 'the headers compile as they are' accepted "$(refused "$@")"
for flag in -fshort-enums -fpack-struct -fpack-struct=4; do
  for standard in c99 c11; do
    same "$flag in $standard is refused" refused "$(refused "$@" "-std=$standard" "$flag")"
  done
done
done_testing
