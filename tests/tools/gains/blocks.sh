#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Measures which part of a cache a block should take: times of the examples with blocks of half, three quarters and all of the
# capacity, in turn, and beside a program that streams through memory on the other PUs. The parts come from copies of a
# profile whose caches are 1, 1.5 and 2 times as large as measured, for a block is half of what the profile says.
# usage: blocks.sh BUILD PROFILE [TURNS]; needs jq
set -eu
build=$1 profile=$2 turns=${3:-7}
folder=$(mktemp -d)
load=
finish() {
  [ -z "$load" ] || kill "$load" 2>/dev/null || :
  rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' INT TERM

for part in 1 1.5 2; do
  jq --argjson part "$part" '
    .classes[].kinds[].caches[] |= (
      (.bytes, .reachable_bytes) |= if . == null then . else .value *= $part | .low *= $part | .high *= $part end
      | .ways = null | .sets = null)' "$profile" >"$folder/$part.json"
done

# Programs: name, arguments before the profile, and the word behind which the time of the blocked loop stands.
programs() {
  cat <<'END'
matmul_c 1000 blocked
transpose_c 4000 blocked
stencil_omp_c 40x400000,20 sweeps:
END
}

# Times of all programs and parts, in turn, a line each: WHEN PROGRAM PART SECONDS.
measure() {
  turn=0
  while [ "$turn" -lt "$turns" ]; do
    turn=$((turn + 1))
    programs | while read -r name arguments word; do
      for part in 1 1.5 2; do
        # shellcheck disable=SC2046 # arguments are words
        "$build/examples/$name" $(printf '%s' "$arguments" | tr , ' ') "$folder/$part.json" |
          awk -v line="$1 $name $part" -v word="$word" '
            { for (i = 1; i < NF; i++) if ($i == word && $(i + 1) ~ /^[0-9.]+$/) print line, $(i + 1) }'
      done
    done
  done
}

# The median of each, and how much longer than the best part it takes.
summarize() {
  sort -k1,3 -k4,4n | awk '
    { key = $1 " " $2 " " $3; n[key]++; time[key, n[key]] = $4; if (!(($1 " " $2) in seen)) { seen[$1 " " $2]; row[++rows] = $1 " " $2 } }
    END {
      print "| when | program | half, s | three quarters, s | all, s |"
      print "| --- | --- | --- | --- | --- |"
      for (i = 1; i <= rows; i++) {
        split(row[i], word, " ")
        printf "| %s | `%s` |", word[1], word[2]
        for (p = 1; p <= 3; p++) {
          key = row[i] " " (p == 1 ? "1" : p == 2 ? "1.5" : "2")
          printf " %.3f |", time[key, int((n[key] + 1) / 2)]
        }
        print ""
      }
    }'
}

measure quiet >"$folder/times"
dd if=/dev/zero of=/dev/null bs=64M 2>/dev/null &
load=$!
measure busy >>"$folder/times"
summarize <"$folder/times"
