# SPDX-License-Identifier: BSD-3-Clause
# Levels of `servet analyze cache --json`, with the true sizes "32768;1048576": within 10 % is right.
function number(line) {
  gsub(/[^0-9.e+-]/, "", line)
  return line + 0
}
/"tlb"/ { over = 1 }
over { next }
/"level":/ { level++ }
/"bytes":/ && level { bytes[level] = number($2) }
/"low":/ && level { low[level] = number($2) }
/"high":/ && level { high[level] = number($2) }
/"confidence":/ && level { sure[level] = number($2) }
END {
  n = split(truth, size, ";")
  possible = split(optional, other, ";")
  for (k = 1; k <= level; k++) {
    verdict = ""
    for (i = 1; i <= n; i++)
      if (size[i] > 0 && bytes[k] >= 0.9 * size[i] && bytes[k] <= 1.1 * size[i]) {
        verdict = "right"
        found[i] = 1
      }
    for (i = 1; i <= possible && verdict == ""; i++)
      if (bytes[k] >= 0.9 * other[i] && bytes[k] <= 1.1 * other[i])
        verdict = "-"
    if (verdict == "")
      verdict = sure[k] >= 0.8 ? "wrong" : "marked"
    printf "%s level.%d %.0f %.0f-%.0f %.2f %s\n", name, k, bytes[k], low[k], high[k], sure[k], verdict
  }
  for (i = 1; i <= n; i++)
    if (size[i] > 0 && !(i in found))
      printf "%s size.%.0f missed\n", name, size[i]
}
