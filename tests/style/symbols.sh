#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks that the objects of the library use no forbidden symbols. Usage: symbols.sh SOURCE_ROOT ARCHIVE...
set -eu
. "$1/tests/tap.sh"
shift

for archive; do
  same "${archive##*/} can be read" "$(nm "$archive" 2>&1 | grep -c -m 1 ' T ')" 1
done

# Symbols in writable sections; tables of constant pointers (.data.rel.ro) are written by the loader only.
writable() {
  nm -A -f sysv "$@" | awk -F '|' '
    { gsub(/ /, ""); section = $7 }
    section ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && section !~ /^\.data\.rel\.ro/ && $4 != "SECTION" {
      print $1 " in " section
    }'
}

# uses REGEX ARCHIVE...: what the archives need from elsewhere, by name.
uses() {
  names=$1
  shift
  nm -A -u "$@" | grep -E " U (__)?($names)(_chk)?(@.*)?\$" || :
}

clean "no writable globals" "$(writable "$@")"
clean "the library does not print" \
  "$(uses 'v?printf|puts|putchar|perror|psignal|stdout|stderr|v?dprintf|v?warnx?|v?errx?|v?syslog' "$@")"
# Assertions of what our own tables guarantee are no way out for a caller's mistake.
clean "the library does not end the program" "$(uses '_?_?exit|quick_exit|abort|raise' "$@")"
clean "the library leaves the state of the process alone" \
  "$(uses 's?rand(om)?|[dlm]rand48|srand48|strtok|setlocale|setenv|putenv|unsetenv|umask|chdir|atexit|(bsd_)?signal|sigaction|setitimer|alarm' "$@")"
done_testing
