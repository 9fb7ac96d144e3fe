#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# tests/summary.awk: nothing that went wrong may look like a pass.
#
# SOURCE_ROOT: the source tree.

# test_log NAME STDOUT RESULT STATUS: a line as meson writes it, the longest member last.
test_log() {
  printf '{"name": "%s", "stdout": "%s", "result": "%s", "starttime": 1.5, "duration": 0.1, "returncode": %s, "env": {"A": "\\"result\\": \\"FAIL\\""}}\n' "$@"
}

summary() {
  run awk -f "$SOURCE_ROOT/tests/summary.awk" "$@"
}

@test "cases of TAP tests and whole tests are added up over all files" {
  test_log tap '1..2\nok 1 - a\nok 2 - b\n# ok - not a case\n' OK 0 >"$BATS_TEST_TMPDIR/1"
  test_log plain 'ok, this is no TAP' OK 0 >"$BATS_TEST_TMPDIR/2"
  test_log other '' OK 0 >>"$BATS_TEST_TMPDIR/2"
  summary "$BATS_TEST_TMPDIR/1" "$BATS_TEST_TMPDIR/2"
  [ "$status" -eq 0 ]
  [ "$output" = "4 passed, 0 failed" ]
}

@test "skips are listed with their reasons" {
  { test_log some '1..2\nok 1 a # SKIP no MPI\nok 2 b\n' OK 0
    test_log all '1..0 # SKIP no compiler\n' SKIP 0
    test_log plain '' SKIP 77; } >"$BATS_TEST_TMPDIR/1"
  summary "$BATS_TEST_TMPDIR/1"
  [ "$status" -eq 0 ]
  [ "${lines[0]}" = "skipped: some: ok 1 a # SKIP no MPI" ]
  [ "${lines[1]}" = "skipped: all: 1..0 # SKIP no compiler" ]
  [ "${lines[2]}" = "skipped: plain" ]
  [ "${lines[3]}" = "1 passed, 0 failed, 3 skipped" ]
}

@test "a failed case is named with its comments, and counts once" {
  test_log t '1..2\nok 1 a\n# fine\nnot ok 2 b \"quoted\"\n# 3 is not 4\n# line 7\n' ERROR 1 >"$BATS_TEST_TMPDIR/1"
  summary "$BATS_TEST_TMPDIR/1"
  [ "$status" -eq 1 ]
  [ "$output" = 'failed: t: not ok 2 b "quoted"
  # 3 is not 4
  # line 7
1 passed, 1 failed' ]
}

@test "a crash, sanitizer report, timeout or missing case is a failure" {
  { test_log crash '1..2\nok 1 a\n' ERROR -11
    test_log sanitizer '1..1\nok 1 a\n' ERROR 1
    test_log slow '' TIMEOUT -15; } >"$BATS_TEST_TMPDIR/1"
  summary "$BATS_TEST_TMPDIR/1"
  [ "$status" -eq 1 ]
  [ "${lines[-1]}" = "2 passed, 3 failed" ]
}

@test "a goal that is known not to be reached is listed and is no failure" {
  test_log goals '1..2\nok 1 a\nnot ok 2 b # TODO the model is wrong\n' OK 0 >"$BATS_TEST_TMPDIR/1"
  summary "$BATS_TEST_TMPDIR/1"
  [ "$status" -eq 0 ]
  [ "${lines[0]}" = "not reached: goals: not ok 2 b # TODO the model is wrong" ]
  [ "${lines[1]}" = "1 passed, 0 failed, 1 skipped" ]
}

@test "a test without output fails, although Meson calls it skipped" {
  test_log silent '' SKIP 0 >"$BATS_TEST_TMPDIR/1"
  summary "$BATS_TEST_TMPDIR/1"
  [ "$status" -eq 1 ]
  [ "${lines[-1]}" = "0 passed, 1 failed" ]
}

@test "no test at all is a failure" {
  : >"$BATS_TEST_TMPDIR/1"
  summary "$BATS_TEST_TMPDIR/1"
  [ "$status" -eq 1 ]
  [ "${lines[-1]}" = "0 passed, 1 failed" ]
}
