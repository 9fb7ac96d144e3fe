#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares the pages that are generated from the profile's shapes with what is checked in, or writes
# them: pages.sh compare|write DESCRIBE
set -eu
root=${SOURCE_ROOT:-$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=tests/tap.sh
. "$root/tests/tap.sh"

pages='schema:share/schema/profile.schema.json
keys:share/man/servet-keys.7.scd'

for page in $pages; do
  if [ "$1" = write ]; then
    "$2" "${page%%:*}" >"$root/${page#*:}"
  else
    same "${page#*:} is what the shapes say" "$(cat "$root/${page#*:}")" "$("$2" "${page%%:*}")"
  fi
done
[ "$1" = write ] || done_testing
