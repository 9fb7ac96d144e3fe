#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every available awk generates the same files from the headers, with lines that compilers accept. A
# declaration without a rule stops the build with its place.
# usage: generator.sh TAP_SH FORTRAN_FOLDER HEADER...
# shellcheck source=tests/tap.sh
. "$1"
fortran=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

raw() { # HEADER...
  $awk -f "$fortran/headers.awk" -f "$fortran/raw.awk" "$@"
}

generated() { # SCRIPT HEADER... QUERIES
  script=$1
  shift
  $awk -f "$fortran/queries.awk" -f "$fortran/headers.awk" -f "$fortran/$script.awk" "$@"
}

all() {
  raw "$@"
  generated facts "$@" "$fortran/queries.txt"
  generated procedures "$@" "$fortran/queries.txt"
}

awk='awk'
all "$@" >"$folder/expected"
same 'no line is longer than Fortran takes' "$(awk 'length > 132' "$folder/expected")" ''
for awk in mawk 'gawk --posix' 'busybox awk' original-awk; do
  if command -v "${awk%% *}" >/dev/null; then
    all "$@" >"$folder/$awk"
    ok "$awk: the same" cmp "$folder/$awk" "$folder/expected"
  else
    skip "$awk: the same" 'not here'
  fi
done

# stops NAME MESSAGE: the build stops at error.h of the test, or at queries.txt, if that is there.
awk='awk'
stops() {
  if [ -e "$folder/queries.txt" ]; then
    run generated procedures "$folder/error.h" "$folder/queries.txt"
  else
    run raw "$folder/error.h"
  fi
  same "$1: status" "$status" 1
  same "$1: message" "$err" "$folder/$2"
}

cat >"$folder/error.h" <<'END'
/** A thing. */
typedef struct servet_thing {
    unsigned count;
} servet_thing;
END
stops 'a member of unknown type' "error.h:2: type 'unsigned' is not known here"

cat >"$folder/error.h" <<'END'
/** Gets the thing. */
SERVET_API int servet_thing_get(const char *name,
                                servet_thing *thing);
END
stops 'a parameter of unknown type' "error.h:2: type 'servet_thing' is not known here"

echo 'int servet_thing;' >"$folder/error.h"
stops 'what is no declaration of a header' "error.h:1: cannot read 'int servet_thing;'"

echo 'SERVET_API int servet_thing(int number)' >"$folder/error.h"
stops 'what does not end' "error.h:1: 'SERVET_API int servet_thing(int number)' has no end"

cat >"$folder/error.h" <<'END'
typedef struct servet_profile servet_profile;
SERVET_API int servet_thing_count(const servet_profile *profile, int *count);
END
echo 'servet_things thing_count(count) things' >"$folder/queries.txt"
stops 'a query of no function' \
  "queries.txt:1: no query, or no function 'servet_things' in the headers before"

echo 'servet_thing_count thing_count(number) things' >"$folder/queries.txt"
stops 'a query with an argument too many' \
  "queries.txt:1: servet_thing_count() has no argument 'number'"

echo 'servet_thing_count thing_count() things' >"$folder/queries.txt"
stops 'a query with an argument too few' \
  "queries.txt:1: servet_thing_count() has an argument 'count', too"
done_testing
