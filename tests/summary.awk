# SPDX-License-Identifier: BSD-3-Clause
# Adds up meson's testlog.json files, one JSON object a line: lists what failed, with the comments
# that follow it in the test's output, and what was skipped and why, and closes with "N passed, N
# failed[, N skipped]". Exit status 1 if anything failed.
#
# TAP tests count by their cases, others as one. A test that meson calls bad although no case failed
# (a crash, a sanitizer's report at the end, a timeout, too few cases) counts as one failure more.

# The text of a string member; meson writes `"key": "text"`, quotes inside are escaped.
function member(line, key,    start, rest) {
  start = index(line, "\"" key "\": \"")
  if (!start)
    return ""
  rest = substr(line, start + length(key) + 5)
  gsub(/\\\\/, "\001", rest)
  gsub(/\\"/, "\002", rest)
  sub(/".*/, "", rest)
  gsub(/\\n/, "\n", rest)
  gsub(/\002/, "\"", rest)
  gsub(/\001/, "\\", rest)
  return rest
}

function report(what, test, text) {
  print what ": " test (text == "" ? "" : ": " text)
}

# Counts the TAP cases of one test's output; their number is returned.
function count_cases(test, output,    i, n, lines, cases, text, failing) {
  n = split(output, lines, "\n")
  for (i = 1; i <= n; i++) {
    text = lines[i]
    if (text ~ /^#/) {
      if (failing)
        print "  " text
      continue
    }
    failing = text ~ /^not ok/
    if (text ~ /^1\.\.0.*# *[Ss][Kk][Ii][Pp]/ || text ~ /^ok.*# *[Ss][Kk][Ii][Pp]/) {
      skipped++
      report("skipped", test, text)
    } else if (text ~ /^ok/) {
      passed++
    } else if (text ~ /^not ok.*# *[Tt][Oo][Dd][Oo]/) {
      skipped++ # a goal that is known not to be reached; TAP does not call that a failure
      report("not reached", test, text)
    } else if (text ~ /^not ok/) {
      failed++
      bad_cases++
      report("failed", test, text)
    } else {
      continue
    }
    cases++
  }
  return cases
}

{
  test = member($0, "name")
  result = member($0, "result")
  status = $0
  sub(/.*"returncode": /, "", status)
  bad_cases = 0
  cases = count_cases(test, member($0, "stdout"))
  if (result == "OK" || result == "EXPECTEDFAIL") {
    passed += cases ? 0 : 1
  } else if (result == "SKIP" && status + 0 == 77 && !cases) {
    skipped++
    report("skipped", test, "")
  } else if (result == "SKIP" && !cases) {
    failed++
    report("failed", test, "it printed no result at all")
  } else if (result != "SKIP" && !bad_cases) {
    failed++
    report("failed", test, result)
  }
}

END {
  if (!NR) {
    failed++
    report("failed", "all", "no test ran")
  }
  printf "%d passed, %d failed", passed, failed
  if (skipped)
    printf ", %d skipped", skipped
  print ""
  exit failed > 0
}
