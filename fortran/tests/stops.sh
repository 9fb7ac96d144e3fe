#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A failure without `stat` stops the program: one line on standard error, status 1.
# usage: stops.sh TAP_SH PROGRAM, where PROGRAM is stops.f90
# shellcheck source=tests/tap.sh
. "$1"
program=$2

expect_stop() { # FAILURE MESSAGE_PATTERN
  run "$program" "$1"
  same "$1: status" "$status" 1
  holds "$1: the message" "$err" "$2*"
  same "$1: it stops there" "${out##*still running}" "$out"
}

expect_stop missing 'servet: nowhere.json: '
expect_stop closed 'servet: no profile is open'
expect_stop errmsg 'servet: no profile is open'
expect_stop copy 'servet: an open profile cannot be copied'
expect_stop 'copy of a whole' 'servet: an open profile cannot be copied'
expect_stop 'copy of a placement' 'servet: a placement cannot be copied'
expect_stop 'copy of messages' 'servet: a traffic cannot be copied'

run "$program" none
same 'no failure: status' "$status" 0
holds 'no failure: no stop' "$out" '*still running'
done_testing
