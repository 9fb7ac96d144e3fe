#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# servet-mpi measures simulated platforms; each fact is compared with what the platform says. Usage:
# measure.sh SOURCE_ROOT SERVET_SMPI SERVET TRUTH PLATFORM...
# Comments of the output have a row for each fact of a platform: right, marked (not trusted), wrong, missing. $SMPI_KEEP names
# a folder in which profiles, truths and verdicts stay.
set -eu
. "$1/tests/tap.sh"
[ $# -gt 1 ] || { echo "1..0 # SKIP no SimGrid: smpicc is missing" && exit; }
here=$1/tests/smpi
# shellcheck source=tests/smpi/simulator.sh
. "$here/simulator.sh"
servet_smpi=$2
servet=$3
truth=$4
shift 4

# A slow cable, and its bandwidth if it were not.
cable_of() {
  case $1 in
  slow-cable) echo u1=5e9 ;;
  slow-host) echo c5=1.25e9 ;;
  esac
}

# Ranks have nothing of their own but their stacks.
# shellcheck disable=SC2317 # called through run
measure() {
  privatize=no simulate "$folder/$1.xml" "$folder/hosts" "$servet_smpi" measure --quiet \
    --only layers,curves,distance,access,bisection -o "$folder/$1"
}

# The dimensions of a torus, from the parameters of the platform.
torus_of() {
  sed -n "s/.*topology='TORUS' topo_parameters='\(.*\)'.*/\1/p" "$folder/$1.xml" | awk -F , '
    { for (i = 1; i <= NF; i++) print "torus|network.torus." i ".nodes|" $i "|0" }
    END { print "torus|network.torus.count|" NF + 0 "|0" }'
}

# Prints FACT|KEY|VERDICT|VALUE|TRUTH for each fact of truth $1; all values are in $2, those that are trusted in $3.
compare() {
  awk -F '|' '
    # Ratios are listed; of a fact their key has the distance, or number of processes, that the list says before.
    function key_of(line,    key, part) {
      key = substr(line, 1, index(line, "=") - 1)
      if (split(key, part, ".") == 4 && key ~ /^network[.](distance|access)[.]/) {
        if (part[4] == "at") at[part[2], part[3]] = substr(line, length(key) + 2)
        if (part[4] == "ratio") key = "network." part[2] "_ratio." at[part[2], part[3]]
      }
      return key
    }
    FILENAME == ARGV[1] { key = key_of($0); value[key] = substr($0, index($0, "=") + 1); next }
    FILENAME == ARGV[2] { trusted[key_of($0)] = 1; next }
    function is_right(said, known, tolerance) {
      if (tolerance == "") return said == known
      off = said - known
      return (off < 0 ? -off : off) <= tolerance * known
    }
    {
      verdict = "missing"
      if ($2 in value)
        verdict = !($2 in trusted) ? "marked" : is_right(value[$2], $3, $4) ? "right" : "wrong"
      else if ($3 == "-")
        verdict = "right"
      else if ($2 ~ /_ratio/)
        next # only some are measured, others follow from these
      print $1 "|" $2 "|" verdict "|" value[$2] "|" $3
    }' "$2" "$3" "$1"
}

# Adds the times of the sizes that the truth has, which were not measured themselves, to the values.
add_times() {
  sed -n 's/.*|\(layers[.][0-9]*[.]time_us[.][0-9]*\)|.*/\1/p' "$folder/truth" | while read -r key; do
    for only in '' --trusted-only; do
      ! value=$("$servet" get $only "$key" "$1" 2>/dev/null) || echo "$key=$value" >>"$folder/all$only"
    done
  done
}

# Facts with their numbers of each verdict, of the platform $1.
count() {
  awk -F '|' -v platform="$1" '
    { if (!($1 in seen)) { seen[$1]; order[++facts] = $1 } number[$1, $3]++ }
    END {
      for (i = 1; i <= facts; i++)
        printf "# %s | %s | %d / %d / %d / %d\n", platform, order[i], number[order[i], "right"], number[order[i], "marked"],
          number[order[i], "wrong"], number[order[i], "missing"]
    }'
}

for platform; do
  sh "$here/platforms.sh" "$platform" "$folder/$platform.xml" "$folder/hosts"
  # shellcheck disable=SC2046 # one word or none
  "$truth" "$folder/$platform.xml" "$folder/hosts" "$latency" "$bandwidth" $(cable_of "$platform") >"$folder/truth"
  torus_of "$platform" >>"$folder/truth"
  run measure "$platform"
  same "$platform: servet-mpi measures it" "$status" 0
  [ "$status" -eq 0 ] || { printf '%s\n' "$err" | sed 's/^/# /' && continue; }
  "$servet" get --all "$folder/$platform/profile.json" >"$folder/all"
  "$servet" get --all --trusted-only "$folder/$platform/profile.json" >"$folder/all--trusted-only"
  add_times "$folder/$platform/profile.json"
  compare "$folder/truth" "$folder/all" "$folder/all--trusted-only" >"$folder/verdicts"
  clean "$platform: no fact is wrong without a mark" "$(grep '|wrong|' "$folder/verdicts" || :)"
  count "$platform" <"$folder/verdicts"
  [ -z "${SMPI_KEEP:-}" ] || {
    mkdir -p "$SMPI_KEEP/$platform"
    cp "$folder/$platform/profile.json" "$folder/truth" "$folder/verdicts" "$SMPI_KEEP/$platform"
  }
done
done_testing
