# SPDX-License-Identifier: BSD-3-Clause
# Finds the function of a script in sh that a line is in. With `at`: prints the name of the function with line `at`, or
# nothing. With `marks`: prints the script changed so that each function, when it begins, makes the file
# MARKS/SCRIPT.FUNCTION.TEST; TEST is the number of the test of bats. Lines of here-documents belong to the function
# that prints them.

BEGIN { script = name; sub(/.*\//, "", script) }
text != "" { if ($0 == text) text = ""; begins = 0 }
text == "" && match($0, /<<'?[A-Z]+/) { text = substr($0, RSTART + 2, RLENGTH - 2); sub(/^'/, "", text) }
text == "" && /^[a-z_0-9]+\(\) [({]$/ { of = substr($0, 1, index($0, "(") - 1); begins = 1 }
at && NR == at { print of; exit }
marks { print }
marks && begins { printf "true >>\"%s/%s.%s.${BATS_TEST_NUMBER-}\" 2>/dev/null || :\n", marks, script, of }
{ begins = 0 }
/^[)}]$/ && text == "" { of = "" }
