#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Without `stat` a failure stops the program: one line on standard error, status 1.
# usage: stops.sh PROGRAM, where PROGRAM is stops.f90
program=$1
number=0

ok() { # NAME TEST...
  number=$((number + 1))
  name=$1
  shift
  if "$@"; then echo "ok $number - $name"; else echo "not ok $number - $name"; fi
}

expect_stop() { # FAILURE PATTERN
  output=$("$program" "$1" 2>/dev/null)
  ok "$1: status 1" test $? -eq 1
  case $output in
    *still*) ok "$1: it stops there" false ;;
    *) ok "$1: it stops there" true ;;
  esac
  message=$("$program" "$1" 2>&1 >/dev/null | head -n 1)
  # shellcheck disable=SC2254 # a pattern it is
  case $message in
    $2) ok "$1: the message" true ;;
    *) ok "$1: the message" false; echo "# got: $message" ;;
  esac
}

expect_stop missing 'servet: nowhere.json: *'
expect_stop closed 'servet: no profile is open'
expect_stop errmsg 'servet: no profile is open'
expect_stop copy 'servet: an open profile cannot be copied'
expect_stop 'copy of a whole' 'servet: an open profile cannot be copied'
ok "no failure, no stop" test "$("$program" none | tail -n 1)" = 'still running'
echo "1..$number"
