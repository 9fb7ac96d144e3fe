#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A ledger: what a build decides about data that never change, one fact a line,
#
#   CASE KEY VALUE [LOW-HIGH] VERDICT
#
# with the verdict right, wrong, marked (wrong, and not trusted or with less than 80 % confidence), missed, or - where the
# truth is unknown. A step of a restructuring that leaves `diff` of the ledgers before and after empty has changed no answer.
# The last lines count verdicts.
#
#   ledger.sh BUILD [DATA] >LEDGER
#
# BUILD is a build folder. The recordings of this tree, the papers' machines and a sample of generated nodes and networks are
# always in the ledger; of the sample, whose right facts are only counted, the others are listed. DATA adds measured curves and
# matrices: DATA/curves/ID.csv (sizes are column 4 of its truth.csv, optional ones column 5), DATA/matrices/ID.csv (groups are column 3
# and 4) and DATA/coarse/curves.csv (the last three columns of its truth.csv are L1 to L3).
set -eu
build=$(cd -- "$1" && pwd)
data=${2:+$(cd -- "$2" && pwd)}
here=$(cd -- "$(dirname -- "$0")" && pwd)
machines=$here/../../data/machines
servet=$build/servet
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
trap 'exit 1' HUP INT TERM PIPE

# list NAME TRUTH: every fact of $work/profile.json, of which the known ones are compared.
list() {
  "$servet" get --all --json --class default "$work/profile.json" >"$work/facts.json" 2>/dev/null || :
  awk -v name="$1" -v truth="$2" -f "$here/facts.awk" "$work/facts.json"
}

recording() {
  cp -r "$1" "$work/run"
  find "$work/run" -name '*.xz' -exec xz -d {} +
  if "$servet" analyze "$work/run" --json >"$work/profile.json" 2>/dev/null; then
    list "$2" "$1/../truth.txt"
  else
    echo "$2 failed"
  fi
  rm -r "$work/run"
}

model() {
  if "$servet" measure -q --machine "$1" -o "$work/model" --json >"$work/profile.json" 2>/dev/null; then
    list "model/$1" ""
  else
    echo "model/$1 failed"
  fi
}

# analyze WHAT NAME FILE TRUTH [OPTIONAL]: levels of a curve, or layers of a matrix, with the known sizes or groups, and those
# that may be there.
analyze() {
  "$servet" analyze "$1" "$3" --json >"$work/answer.json" 2>/dev/null || : >"$work/answer.json"
  awk -v name="$2" -v truth="$4" -v optional="${5-}" -f "$here/$1.awk" "$work/answer.json"
}

recordings() {
  for run in "$machines"/*/m*; do
    recording "$run" "recorded/${run#"$machines/"}"
  done
}

# The machines of the papers that take seconds.
models() {
  for name in finis-terrae; do
    model "$name"
  done
}

# generated KIND COUNT
generated() {
  "$build/tests/generated/generated-$1" 0 "$2" | sed -n -e "s|^# |generated/$1 |p" -e "s/^| /generated\/$1 | /p"
}

# each FOLDER COLUMN WHAT: all cases; the column of the truth, and the next one with what is optional.
each() {
  awk -F , -v column="$2" 'NR > 1 { print $1 "," $column "," $(column + 1) }' "$1/truth.csv" |
    while IFS=, read -r id truth optional; do
      analyze "$3" "${1##*/}/$id" "$1/$id.csv" "$truth" "$optional"
    done
}

coarse() {
  awk -F , -v folder="$work" 'NR > 1 { file = folder "/" $1 ".csv"
    if (file != last) { close(last); print "bytes,ns" >file; last = file }
    print $2 "," $3 >>file }' "$data/coarse/curves.csv"
  sed 1d "$data/coarse/truth.csv" | awk -F , '{ print $1 " " $(NF - 2) ";" $(NF - 1) ";" $NF }' |
    while read -r id truth; do
      [ ! -e "$work/$id.csv" ] || analyze cache "coarse/$id" "$work/$id.csv" "$truth"
    done
}

{
  recordings
  models
  if [ -n "$data" ]; then
    [ ! -d "$data/curves" ] || each "$data/curves" 4 cache
    [ ! -d "$data/matrices" ] || each "$data/matrices" 3 layers
    [ ! -d "$data/coarse" ] || coarse
  fi
  generated networks 30
} >"$work/ledger"
cat "$work/ledger"
awk '{ split($1, part, "/"); count[part[1] " " $NF]++ } END { for (each in count) print "# " each, count[each] }' \
  "$work/ledger" | sort
