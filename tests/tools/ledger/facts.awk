# SPDX-License-Identifier: BSD-3-Clause
# Facts of a profile, the object of `servet get --all --json`, with those of the file `truth`, a key and its value a line.
# A fact is right if its interval holds the truth, or its text is the truth.
BEGIN {
  while (truth && (getline line <truth) > 0) {
    key = line
    sub(/ .*/, "", key)
    sub(/^[^ ]+ /, "", line)
    known[key] = line
  }
}
function value_of(line) {
  sub(/^[^:]*: */, "", line)
  sub(/,$/, "", line)
  gsub(/"/, "", line)
  return line
}
/^ "/ { split($0, part, "\""); key = part[2]; low = high = ""; sets = 0; value = "" }
/^  "value": \[/ { sets = 1; value = ""; line = $0; sub(/^[^[]*\[/, "", line); if (line ~ /\]/) { sets = 0 }
  gsub(/[]",]/, " ", line); value = line; next }
sets { line = $0; if (line ~ /\]/) sets = 0; gsub(/[]",]/, " ", line); value = value " " line; next }
/^  "value":/ { value = value_of($0) }
/^  "low":/ { low = value_of($0) }
/^  "high":/ { high = value_of($0) }
/^  "trusted":/ { trusted = value_of($0) }
/^ }/ {
  gsub(/ +/, " ", value)
  sub(/^ /, "", value)
  sub(/ $/, "", value)
  verdict = "-"
  if (key in known) {
    right = low != "" ? low + 0 <= known[key] + 0 && known[key] + 0 <= high + 0 : value == known[key]
    verdict = right ? "right" : trusted == "true" ? "wrong" : "marked"
    seen[key] = 1
  }
  text = value
  gsub(/ /, "|", text)
  print name, key, text (low != "" ? " " low "-" high : "") (trusted == "true" ? "" : " untrusted"), verdict
}
END {
  for (each in known)
    if (!(each in seen))
      print name, each, "missed"
}
