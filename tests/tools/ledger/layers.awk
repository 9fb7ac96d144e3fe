# SPDX-License-Identifier: BSD-3-Clause
# Layers of `servet analyze layers --json`, with the true groups "smt:0-1|2-3;l3:0-7|8-15". The last layer, of all cores, is
# not compared.
function ranges(list, n, part, i, text, last) {
  n = split(list, part, ",")
  text = last = part[1] + 0
  for (i = 2; i <= n + 1; i++) {
    if (i <= n && part[i] == part[i - 1] + 1)
      continue
    if (part[i - 1] != last)
      text = text "-" part[i - 1] + 0
    if (i <= n) {
      last = part[i] + 0
      text = text "," last
    }
  }
  return text
}
{
  text = text $0
}
END {
  n = split(truth, known, ";")
  gsub(/[ \n]/, "", text)
  layers = split(text, layer, /\{"value":/)
  for (k = 2; k <= layers; k++) {
    at = index(layer[k], "\"groups\":[[")
    groups = substr(layer[k], at + 11)
    sub(/\]\].*/, "", groups)
    count = split(groups, set, /\],\[/)
    all = ""
    for (i = 1; i <= count; i++)
      all = all (i > 1 ? "|" : "") ranges(set[i])
    verdict = count == 1 ? "-" : ""
    for (i = 1; i <= n; i++) {
      wanted = known[i]
      sub(/^[^:]*:/, "", wanted)
      if (wanted == all) {
        verdict = "right"
        found[i] = 1
      }
    }
    if (verdict == "" && index(";" optional ";", ":" all ";"))
      verdict = "-"
    confidence = layer[k]
    sub(/.*"confidence":/, "", confidence)
    trusted = layer[k] ~ /"trusted":true/
    if (verdict == "")
      verdict = trusted ? "wrong" : "marked"
    print name, "layer." k - 1, layer[k] + 0, confidence + 0, all, verdict
  }
  for (i = 1; i <= n; i++)
    if (known[i] != "" && !(i in found))
      print name, known[i], "missed"
}
