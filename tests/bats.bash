# SPDX-License-Identifier: BSD-3-Clause
# For tests in bats: the lines at which a test failed (`note_lines` in setup), and files that are read without a process.

# Bats calls a function before every command of a test, to trace the stack: that takes a third of a test's time. This notes
# the last two lines of the test file only, because a failed condition also comes with the first line of its test.
note_lines() {
  noted=''
  # shellcheck disable=SC2154 # set by bats
  trap '[[ $BASH_SOURCE != "${BATS_TEST_SOURCE-}" ]] || noted="${noted##* } $LINENO"' DEBUG
  # shellcheck disable=SC2034 # of bats, which would print where its own trace ended
  BATS_DEBUG_LAST_STACK_TRACE=() BATS_DEBUG_LASTLAST_STACK_TRACE=()
}

# Names these lines if the test failed. A teardown of a test's own calls it first.
name_lines() {
  [ "${BATS_TEST_COMPLETED-}" ] || [ "${BATS_TEST_SKIPPED-}" ] || echo "failed after lines ${noted# } of ${BATS_TEST_FILENAME##*/}"
}

teardown() {
  name_lines
}

# read_file NAME FILE: sets variable NAME to the text of FILE, without the last end of line.
read_file() {
  IFS= read -r -d '' "$1" <"$2" || :
  printf -v "$1" %s "${!1%$'\n'}"
}
