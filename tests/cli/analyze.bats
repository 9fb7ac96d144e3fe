#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet analyze: levels of a curve and layers of a matrix that a file holds, and files that hold none.

load common

setup() {
  private_home
  cd "$BATS_TEST_TMPDIR" || return 1
}

# model NAME KIB2 NS2 [EXTRA]: powers of two from 4 KiB to 256 MiB, random loads: 1 ns to 32 KiB, 4 ns
# to KIB2, then NS2; EXTRA is an awk expression of s (bytes) that is added.
model() {
  awk -v c2="$2" -v t3="$3" 'BEGIN {
    print "bytes,ns"
    for (s = 4096; s <= 268435456; s *= 2) {
      t = 1 + (s > 32768 ? 3 * (1 - 32768 / s) : 0)
      t += (s > 1024 * c2 ? (t3 - 4) * (1 - 1024 * c2 / s) : 0)
      printf "%d,%.6f\n", s, t + '"${4:-0}"'
    }
  }' >"$1"
}

# values KEY: what each level of the JSON on stdout says about KEY, one a line.
values() {
  sed -n 's/^ *"'"$1"'": \(.*[^,]\),*$/\1/p' <<<"$output"
}

# refused TEXT PATTERN: as a curve the text is refused in one line that matches.
refused() {
  printf '%b' "$1" >bad.csv
  servet analyze cache bad.csv
  fails 1 "servet: bad.csv$2"
}

@test "two levels and their latencies are printed as JSON" {
  model curve.csv 512 60
  servet analyze cache curve.csv --json
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [ "$(values level | tr '\n' ' ')" = "1 2 " ]
  [ "$(values bytes | tr '\n' ' ')" = "32768 524288 " ]
  [ "$(values unit | sort -u)" = '"ns"' ]
  for key in kind low high latency confidence reachable_bytes; do
    [ "$(values $key | wc -l)" -eq 2 ]
  done
}

@test "a size that is not trusted has a reason" {
  model curve.csv 512 60
  servet analyze cache curve.csv --json
  jq -e '.levels | all(.trusted and .reason == null)' <<<"$output"
  printf 'bytes,ns\n32768,1\n131072,2\n524288,4\n2097152,12\n8388608,24\n33554432,80\n134217728,100\n' >few.csv
  servet analyze cache few.csv --json
  [ "$status" -eq 0 ]
  jq -e '.levels | length > 0 and all(.trusted | not) and all(.reason | contains("other sizes"))' <<<"$output"
}

@test "levels are printed as a table" {
  model curve.csv 512 60
  servet analyze cache curve.csv
  [ "$status" -eq 0 ]
  [[ $output == *L1*"32 KiB"*ns*L2*"512 KiB"*ns*mem*ns* ]]
}

@test "--explain names the evidence and the rule that decided" {
  model curve.csv 512 60
  servet analyze cache curve.csv --explain
  [ "$status" -eq 0 ]
  [[ $output == *"a cache  [RISE_MIN]"* ]]
  [[ $output == *"512 KiB"*chosen*"[MODEL_COST "* ]]
  [[ $output == *"[STEP_PENALTY]"* ]]
  servet analyze cache curve.csv --explain --json
  [ "$status" -eq 0 ]
  [ "$(values about | grep -c '"rise"')" -ge 2 ]
  [ "$(values rule | grep -c '"MODEL_COST"')" -ge 2 ]
  [ "$(values level | grep -c .)" -gt 2 ]
  servet analyze cache curve.csv --json
  [[ $output != *explanation* ]]
}

@test "a step that is no level is listed with its reason, and memory behind it has no latency" {
  # 1 ns up to 32 KiB, 3 ns up to 1 MiB, then 5 ns: too small a rise for a cache that one curve can show.
  { echo bytes,ns
    for ((bytes = 1024; bytes <= 1 << 28; bytes *= 2)); do
      echo "$bytes,$((bytes <= 32768 ? 1 : bytes <= 1 << 20 ? 3 : 5))"
    done; } >steps.csv
  servet analyze cache steps.csv
  [ "$status" -eq 0 ]
  [[ $output =~ mem\ +(3|3\.0[0-9]*|2\.9[0-9]*)\ to\ (5|5\.0[0-9]*|4\.9[0-9]*)\ ns:\ not\ determined ]]
  [[ $output == *$'\nL1  '*$'\nmem '*'steps that are no level'*"iB  latency rises by a factor of 1.67, required 2: no cache: taken for address translation"* ]]
  [[ $output != *$'\nL2 '* ]]
  servet analyze cache steps.csv --json
  jq -e '.memory_latency == null and .memory_latency_low < 3.1 and .memory_latency_high > 4.9 and
    (.left_out | length) == 1 and (.left_out[0] | .bytes > 7e5 and .bytes < 2.2e6 and
    .rule == "TRANSLATION_MAX" and (.reason | startswith("taken for address translation")))' <<<"$output"
  # The same rise from 1 ns is a cache: nothing is left out.
  sed 's/,3$/,1/' steps.csv >step.csv
  servet analyze cache step.csv --json
  jq -e '.left_out == [] and .memory_latency != null' <<<"$output"
}

@test "--explain is for the default method on curves" {
  model curve.csv 512 60
  servet analyze cache curve.csv --explain --method servet2010
  fails 2 "*--explain*"
  printf '0,1\n1,0\n' >matrix.csv
  servet analyze layers matrix.csv --explain
  fails 2 "*layers accepts no --explain"
}

@test "cycles are not converted to seconds" {
  model curve.csv 512 60
  sed -i '1s/ns/cycles/' curve.csv
  servet analyze cache curve.csv --json
  [ "$(values unit | sort -u)" = '"cycles"' ]
}

@test "a flat curve has no level and exits 0" {
  printf 'bytes,ns\n4096,5\n8192,5\n16384,5\n32768,5\n65536,5\n' >flat.csv
  servet analyze cache flat.csv
  [ "$status" -eq 0 ]
  [[ $output == "no cache level"* ]]
  servet analyze cache flat.csv --json
  [[ $output == *'"levels": []'* ]]
  [[ $output == *'"memory_latency": null'* ]]
}

@test "a curve with one line per page separates translation" {
  local miss='(s > 262144 ? 6 * (1 - 262144 / s) : 0)'
  model lines.csv 8192 90 "$miss"
  awk -v OFS=, 'BEGIN {
    print "bytes,ns"
    for (s = 65536; s <= 268435456; s *= 2) {
      n = s / 64
      t = 1 + (n > 32768 ? 3 * (1 - 32768 / n) : 0) + (s > 262144 ? 6 * (1 - 262144 / s) : 0)
      printf "%d,%.6f\n", s, t
    }
  }' >pages.csv
  servet analyze cache lines.csv --pages pages.csv --json
  [ "$status" -eq 0 ]
  [ "$(values level | wc -l)" -eq 2 ]
  [ "$(values penalty | wc -l)" -eq 1 ]
  servet analyze cache lines.csv --pages pages.csv
  [[ $output == *TLB* ]]
}

# A laptop's, whose first cache has 48 KiB: as many bytes as eleven pages.
@test "a step at fewer pages than any TLB has entries is a cache" {
  local curve
  curve=$BATS_TEST_TMPDIR/curve.csv
  printf '%s\n' bytes,ns 1024,0.930 2048,0.931 4096,0.931 8192,2.23 16384,2.23 \
    32768,2.23 49152,3.59 65536,4.28 81920,4.28 98304,4.29 114688,4.48 131072,5.25 147456,5.97 163840,6.49 \
    262144,6.61 524288,6.75 1048576,6.93 1572864,9.63 2097152,12.5 2621440,15.4 3145728,16.3 3670016,16.2 \
    4194304,16.3 8388608,16.5 16777216,21.3 20971520,19.8 25165824,22.7 29360128,28.4 33554432,34.9 37748736,44.7 \
    41943040,40.6 46137344,46.1 50331648,52.2 >"$curve"
  servet analyze cache "$curve" --json
  [ "$(jq '[.levels[] | select(.low <= 49152 and .high >= 49152)] | length' <<<"$output")" -eq 1 ]
}

@test "a boundary that moves with the access rate is a reachable capacity" {
  model plain.csv 8192 90
  model slow.csv 2048 90 20
  model fast.csv 32768 90
  servet analyze cache plain.csv --rate slow.csv --rate fast.csv --json
  [ "$(values kind | tr '\n' ' ')" = '"capacity" "turnover" ' ]
  model slow.csv 8192 90 20
  model fast.csv 8192 90
  servet analyze cache plain.csv --rate slow.csv --rate fast.csv --json
  [ "$(values kind | sort -u)" = '"capacity"' ]
}

@test "more rates than the analysis accepts are refused" {
  local rate words=()
  model plain.csv 8192 90
  for rate in 2048 16384 32768 4096; do
    model "$rate.csv" "$rate" 90
    words+=(--rate "$rate.csv")
  done
  servet analyze cache plain.csv "${words[@]}" --json
  [ "$status" -eq 0 ]
  [ "$(values kind | tail -n 1)" = '"turnover"' ]
  servet analyze cache plain.csv "${words[@]}" --rate 2048.csv
  fails 2 "*--rate must be a text (at most four times), not '2048.csv'"
  servet analyze cache plain.csv --rate none.csv
  fails 1 "servet: none.csv: *"
  servet analyze cache plain.csv --independent none.csv
  fails 1 "servet: none.csv: *"
}

@test "bad curves are named with file and line" {
  refused '' ': *two rows*'
  refused 'bytes,ns\n' ':1: *two rows*'
  refused 'bytes,ns\n4096,1\n' ':2: *two rows*'
  refused '4096,1\n8192,1\n' ':1: *header*'
  refused 'bytes,ns\n4096,x\n' ':2: *numbers*'
  refused 'bytes,ns\n4096,nan\n' ':2: *times must be*'
  refused 'bytes,ns\n4096,inf\n' ':2: *times must be*'
  refused 'bytes,ns\n4096,-1\n' ':2: *times must be*'
  refused 'bytes,ns\n4096,0\n' ':2: *times must be*'
  refused 'bytes,ns\n8192,1\n4096,1\n' ':3: *ascend*'
  refused 'bytes,ns\n4096,1\n4096,1\n' ':3: *ascend*'
  refused 'bytes,ns\n1,1\n2,1\n3,1\n' ': *4 points*'
  refused 'bytes,ns\n\0001\0000\n' ':2: *text*'
}

@test "a binary, a folder and a missing file are refused" {
  servet analyze cache "$SERVET"
  fails 1 "*"
  servet analyze cache .
  fails 1 "servet: .: *not a regular file*"
  servet analyze cache none.csv
  fails 1 "servet: none.csv: *No such file*"
  model curve.csv 512 60
  servet analyze cache curve.csv --pages none.csv
  fails 1 "servet: none.csv: *"
}

@test "carriage returns, comments and a missing last newline are accepted" {
  model unix.csv 512 60
  { echo '# from elsewhere'; sed 's/$/\r/' unix.csv; } | head -c -1 >dos.csv
  servet analyze cache unix.csv --json
  local expected=$output
  servet analyze cache dos.csv --json
  [ "$status" -eq 0 ]
  [ "$output" = "$expected" ]
}

@test "wrong usage exits 2" {
  servet analyze
  fails 2 "*"
  servet analyze cache
  fails 2 "*"
  servet analyze lakes curve.csv
  fails 2 "*cache, layers, loaded, messages, scaling or a folder, not 'lakes'*"
  servet analyze cache curve.csv --page-size none
  fails 2 "*--page-size*"
}

@test "a full disk is a failure" {
  model curve.csv 512 60
  status=0
  "$SERVET" analyze cache curve.csv --json >/dev/full 2>stderr || status=$?
  [ "$status" -eq 1 ]
  [[ $(cat stderr) == "servet: "*"No space"* ]]
}

# --- layers ---------------------------------------------------------------------------------------

# cores N FILE: N cores, siblings 7, four to a cluster 25, else 90, with 1 % of regular disturbance.
cores() {
  awk -v n="$1" 'BEGIN {
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++) {
        t = int(i / 2) == int(j / 2) ? 7 : int(i / 4) == int(j / 4) ? 25 : 90
        printf "%s%s", i == j ? "" : t * (1 + (i * 7 + j * 7) % 11 / 1000), j < n - 1 ? "," : "\n"
      }
  }' >"$2"
}

# groups: those of each layer of the JSON on stdout, one layer a line.
groups() {
  grep -o '"groups":\[\[[^a-z]*\]\]' <<<"$output" | sed 's/"groups"://'
}

@test "layers of a matrix are printed as JSON, fastest first" {
  cores 8 matrix.csv
  servet analyze layers matrix.csv --json
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [ "$(groups)" = "[[0,1],[2,3],[4,5],[6,7]]
[[0,1,2,3],[4,5,6,7]]
[[0,1,2,3,4,5,6,7]]" ]
  local key
  for key in value low high near far confidence; do
    [ "$(grep -o "\"$key\":[0-9]" <<<"$output" | wc -l)" -eq 3 ]
  done
  [ "$(grep -o '"pairs":[0-9]*' <<<"$output" | tr '\n' ' ')" = '"pairs":4 "pairs":8 "pairs":16 ' ]
  [[ $output == *'"value":7.0'*'"value":25.'*'"value":90.'* ]]
}

# trees STEP NOISE FILE: 32 nodes, eight to a switch, that costs STEP more, with up to NOISE of disturbance.
trees() {
  awk -v step="$1" -v noise="$2" 'BEGIN {
    for (i = 0; i < 32; i++)
      for (j = 0; j < 32; j++) {
        a = i < j ? i : j; b = i + j - a
        t = int(i / 8) == int(j / 8) ? 1 : 1 + step
        printf "%s%s", i == j ? "" : t * (1 + noise * ((a * 389 + b * b * 97) % 101 / 50 - 1)), j < 31 ? "," : "\n"
      }
  }' >"$3"
}

@test "the size of a step that noise hides is printed" {
  trees 0.3 0.01 matrix.csv
  servet analyze layers matrix.csv
  [[ $output == *$'\n    2 '* ]]
  trees 0 0.2 matrix.csv
  servet analyze layers matrix.csv
  [[ $output == *"a layer before layer 1 with a step below "[1-9]*" % would not have been seen"* ]]
  servet analyze layers matrix.csv --json
  [[ $output == *'"unseen":0.'* ]]
}

@test "layers are printed as a table" {
  cores 24 matrix.csv
  servet analyze layers matrix.csv
  [ "$status" -eq 0 ]
  [ "$(wc -l <<<"$output")" -eq 4 ]
  [[ $output == "layer  "*"  95 % interval  "*"  9 of 10 pairs  "*"  confidence  "* ]]
  [[ $output == *"12: 0-1 | 2-3 | "*" | ..."*"6: 0-3 | 4-7 | "*"20-23"*"1: 0-23" ]]
}

@test "pairs without a cost are counted, and a layer that they may hide makes others not trusted" {
  # 16 cores all alike, and a clock that reads 0 for the 8 couples.
  awk 'BEGIN { for (i = 0; i < 16; i++) for (j = 0; j < 16; j++)
    printf "%s%s", i == j || int(i / 2) == int(j / 2) ? 0 : 25, j < 15 ? "," : "\n" }' >zeros.csv
  servet analyze layers zeros.csv
  [ "$status" -eq 0 ]
  [[ $output == *'not trusted  1: 0-15'*'8 of 120 pairs have no cost and are left out (0: 8, empty or nan: 0)'* ]]
  servet analyze layers zeros.csv --json
  jq -e '.all_pairs == 120 and .left_out_as_0 == 8 and .left_out_as_empty == 0 and
    (.layers | length) == 1 and (.layers[0] | .unmeasured == 8 and .trusted == false and .confidence < 1)' <<<"$output"
  # One pair of 120 is no layer of couples.
  awk 'BEGIN { for (i = 0; i < 16; i++) for (j = 0; j < 16; j++)
    printf "%s%s", i == j || i + j == 1 ? "" : 25, j < 15 ? "," : "\n" }' >one.csv
  servet analyze layers one.csv --json
  jq -e '.left_out_as_empty == 1 and (.layers[0] | .unmeasured == 1 and .trusted)' <<<"$output"
}

@test "a single core has no layer and exits 0" {
  echo 0 >one.csv
  servet analyze layers one.csv --json
  [ "$status" -eq 0 ]
  [[ $output == '{"layers":[],'* ]]
  servet analyze layers one.csv
  [ "$status" -eq 0 ]
  [[ $output == "no pair"* ]]
}

@test "a curve and a matrix are read from standard input" {
  printf '0,1,9\n1,0,9\n9,9,0\n' >near.csv
  [ "$("$SERVET" analyze layers --json - <near.csv)" = "$("$SERVET" analyze layers --json near.csv)" ]
  printf 'bytes,ns\n4096,1\n8192,1\n16384,1\n' >flat.csv
  [ "$(cat flat.csv | "$SERVET" analyze cache --json -)" = "$("$SERVET" analyze cache --json flat.csv)" ]
  servet analyze layers - <<<'0,x'
  fails 1 "servet: -:1: *"
}

@test "bad matrices are named with file and line" {
  local text
  for text in '' ',1\n' ',1\n1\n' ',1\nx,\n' ',-1\n1,\n' ',inf\n1,\n' 'bytes,ns\n1,2\n' ',1\n\0000,\n'; do
    printf '%b' "$text" >bad.csv
    servet analyze layers bad.csv
    fails 1 "servet: bad.csv:*"
  done
  printf ',1\n1,\n,2\n' >bad.csv
  servet analyze layers bad.csv --json
  fails 1 "servet: bad.csv:3: *more rows*"
  servet analyze layers none.csv
  fails 1 "servet: none.csv: *No such file*"
  servet analyze layers .
  fails 1 "servet: .: *not a regular file*"
}

@test "options that only curves have are wrong usage for a matrix" {
  local option
  cores 8 matrix.csv
  for option in --pages=p.csv --independent=i.csv --rate=r.csv --method=servet2010 --votes=1 --page-size=64K --line-size=128; do
    servet analyze layers matrix.csv "$option"
    fails 2 "*layers accepts no ${option%%=*}"
  done
}

@test "a full disk fails the output of layers" {
  cores 8 matrix.csv
  status=0
  "$SERVET" analyze layers matrix.csv --json >/dev/full 2>stderr || status=$?
  [ "$status" -eq 1 ]
  [[ $(cat stderr) == "servet: "*"No space"* ]]
}

@test "a measurement is analysed again from its folder or the raw folder in it" {
  servet measure --machine dunnington --only distance --budget 3 -q -o out --json
  [ "$status" -eq 0 ]
  printf '%s\n' "$output" >then.json
  for folder in out out/ out/raw ./out; do
    servet analyze "$folder" --json
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "$output" == "$(cat then.json)" ]
  done
  servet analyze out
  [ "$status" -eq 0 ]
  [[ $output == *"Core to core"*"layer 1"*"0,12"* ]]
}

# outcomes ABOUT: of the explanation in the JSON on stdout, what became of each finding about that.
outcomes() {
  awk -v about="\"$1\"" '
    /^ *"about": / { on = index($0, about) > 0 }
    on && /^ *"outcome": / { gsub(/[",]/, "", $2); print $2 }
  ' <<<"$output"
}

@test "--explain gives the reasons for the results of a measurement" {
  servet measure --machine kentsfield --only cache,sharing --max-bytes 512K -q -o out --explain --json
  [ "$status" -eq 0 ]
  printf '%s\n' "$output" >then.json
  [[ $output == *'"explanation": ['* ]]
  local about
  for about in strides pages curve join sharing; do
    [ -n "$(outcomes "$about")" ]
  done
  outcomes strides | grep -qx accepted
  outcomes strides | grep -qx rejected
  [ "$(outcomes join | sort -u | tr '\n' ' ')" != "rejected " ]
  servet analyze out --explain --json
  [ "$status" -eq 0 ]
  [ "$output" == "$(cat then.json)" ]
  servet analyze out --json
  [[ $output != *explanation* ]]
  [ "$(sed '/"explanation": \[/,$d' then.json)" == "$(sed '$d' <<<"$output" | sed '$s/$/,/')" ]
  servet analyze out --explain
  [ "$status" -eq 0 ]
  [[ $output == *"  line  ways  "*"sets"*"explanation (+ accepted, - rejected"* ]]
  [[ $output == *"+ 8 ways, "*" log-likelihood below the best model: 0  [CLEAR 5]"* ]]
  [[ $output == *"+ 8 ways x 4 KiB = 32 KiB"*"L1 of the profile"*"[SAME_OCTAVES 1.3]"*"sharing of L1"* ]]
}

@test "every rule that --explain can name is described" {
  local rule sources=("$SOURCE_ROOT"/src/facts/cache/detect_{steps,explain}.c
    "$SOURCE_ROOT"/src/facts/geometry/{detect_{strides,ways},stage,stage_pages}.c
    "$SOURCE_ROOT"/src/facts/sharing/stage{,_groups}.c)
  local rules
  rules=$(grep -ohE '"(max_bytes|slow_share|[A-Z][A-Z_]{3,})"' "${sources[@]}" | tr -d '"' | sort -u)
  [ "$(wc -l <<<"$rules")" -ge 20 ]
  for rule in $rules; do
    grep -qw "$rule" "$SOURCE_ROOT/share/doc/detection.md" || {
      echo "$rule"
      return 1
    }
  done
}

@test "a replay reports facts that the recording lacks" {
  servet measure --machine dunnington --only distance --budget 3 -q -o out
  rm out/raw/answers-distance.txt out/raw/distance.csv
  servet analyze out --json
  [ "$status" -eq 0 ]
  [[ $stderr == "servet: distance is incomplete: "*"not on record"* ]]
  jq -e '.classes[0].distance.layers == null' <<<"$output"
  mkdir empty
  servet analyze empty
  fails 1 "servet: empty: the folder has no raw measurements (servet measure -o FOLDER keeps them)"
}

@test "the network of a job is replayed alone and together with a node" {
  local machines=$SOURCE_ROOT/tests/data/machines
  mkdir -p out/raw
  cp "$machines"/leaves-of-hosts/m1/* out/raw
  servet analyze out
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [[ $output == *"Clock     not measured; seed"*"Noise "*"Communication of 12 processes on 6 nodes"*"layer 3"*"between nodes"*"0-5:0-1"*"distance between nodes"* ]]
  servet analyze out/raw --json
  [ "$(jq -r '.classes[0].nodes | join(" ")' <<<"$output")" = "node1 node2 node3 node4 node5 node6" ]
  [ "$(jq '.network.layers | length' <<<"$output")" -eq 3 ]
  cp "$machines"/zen4-guest/m1/* out/raw
  xz -d out/raw/*.xz
  servet analyze out
  [ "$status" -eq 0 ]
  [[ $output == *"L1 "*"32 KiB"*"Communication of 12 processes on 6 nodes"* ]]
}

@test "links out of the folder of series, and pipes in it, are neither read nor waited for" {
  local file
  cp -r "$SOURCE_ROOT/tests/data/machines/zen4-guest/m1" out
  xz -d out/*.xz
  for file in answers-machine.txt answers-cache.txt; do
    mv "out/$file" elsewhere
    mkfifo "out/$file"
    in_time 60 analyze out
    [[ $stderr == *"out/$file: not a regular file"* ]]
    ln -sf ../elsewhere "out/$file"
    servet analyze out
    [[ $stderr == *"out/$file: a link that leads out of its folder"* ]]
    mv elsewhere "out/$file"
  done
}

@test "a curve or matrix may be a pipe with a writer, and have a byte order mark" {
  local raw=$SOURCE_ROOT/tests/data/machines/zen4-guest/m1 plain
  servet analyze layers "$raw/distance.csv"
  plain=$output
  servet analyze layers <(printf '\357\273\277'; cat "$raw/distance.csv")
  [ "$output" = "$plain" ]
  mkfifo pipe
  in_time 10 analyze cache pipe
  fails 1 'servet: pipe: nothing came through this pipe'
  printf '\377\376b\0y\0' >wide.csv
  servet analyze cache wide.csv
  fails 1 'servet: wide.csv:1: the text is in UTF-16, or no text: save it as UTF-8'
}

@test "a truncated recording of a node is named" {
  cp -r "$SOURCE_ROOT/tests/data/machines/zen4-guest/m1" out
  xz -d out/*.xz
  sed -i '/^describe/s/=.*/= 1/' out/answers-machine.txt
  servet analyze out
  fails 1 "servet: out/answers-machine.txt:$(grep -n ^describe out/answers-machine.txt | sed 's/:.*//'): on record: describe: the answer is cut off or damaged; measure again"
}

@test "a line of a recording that is not an answer is named" {
  cp -r "$SOURCE_ROOT/tests/data/machines/zen4-guest/m1" out
  xz -d out/*.xz
  echo 'my notes' >out/answers-cache.txt
  servet analyze out
  fails 1 "servet: out/answers-cache.txt:1: no probe with its answer: the recording is damaged; measure again"
}

@test "a truncated recording of a network is named" {
  mkdir out
  cp "$SOURCE_ROOT"/tests/data/machines/ring-of-hosts/m1/* out
  rm out/answers-network-1-curves.txt
  servet analyze out --json
  [ "$status" -eq 0 ]
  [[ $stderr == "servet: curves is incomplete: not on record: part curves" ]]
  [[ $output == *'"unfinished": "curves"'* ]]
  local line
  line=$(grep -n ^exchange out/answers-network-1-layers.txt | sed -n '1s/:.*//p')
  sed -i "${line}s/ [0-9]*$//" out/answers-network-1-layers.txt
  servet analyze out
  fails 1 "servet: out/answers-network-1-layers.txt:$line: on record: exchange: the answer is cut off or damaged; measure again"
  sed -i '3s/ = .*//;4,$d' out/answers-network-1.txt
  servet analyze out
  fails 1 "servet: out/answers-network-1.txt:3: no probe with its answer: the recording is damaged; *"
}

@test "a folder is analysed with the options of its measurement" {
  local option
  mkdir out
  for option in --pages=p.csv --rate=r.csv --method=servet2010 --votes=1 --page-size=64K --line-size=128; do
    servet analyze out "$option"
    fails 2 "*DIR accepts no ${option%%=*}"
  done
  servet analyze nothing
  fails 2 "*cache, layers, loaded, messages, scaling or a folder, not 'nothing'*"
  servet analyze cache
  fails 2 "*analyze cache*"
}

@test "a folder without raw measurements is reported as such" {
  mkdir "$BATS_TEST_TMPDIR/empty"
  servet analyze "$BATS_TEST_TMPDIR/empty"
  fails 1 "servet: $BATS_TEST_TMPDIR/empty: the folder has no raw measurements (servet measure -o FOLDER keeps them)"
}

# --- output of other tools ------------------------------------------------------------------------

# Allwinner H616, as published with a patch to Linux: 32 KiB of L1 and 256 KiB of L2 by its documents and this output.
@test "tinymembench's output is a curve, with the latency of the L1" {
  {
    echo '== Note 1: All the numbers are representing extra time, which needs to  =='
    echo 'block size : single random read / dual random read'
    printf '%10d : %6.1f ns          /  0.0 ns \n' 1024 0 2048 0 4096 0 8192 0 16384 0 32768 0 65536 4.3 131072 6.6 \
      262144 9.8 524288 91.8 1048576 138.6 2097152 163.0 4194304 178.8 8388608 187.1 16777216 192.2 33554432 196.5 \
      67108864 215.7
  } >h616.txt
  servet analyze cache h616.txt --base-latency 2 --json
  [ "$status" -eq 0 ]
  [ "$(values bytes | tr '\n' ' ')" = "32768 262144 " ]
  servet analyze cache h616.txt
  fails 1 "servet: h616.txt: *latency of the L1, which is missing"
}

# The model's curve in the words of lat_mem_rd and of a loop over multichase.
@test "lat_mem_rd's output and columns with a unit are curves" {
  model curve.csv 512 60
  servet analyze cache curve.csv --json
  local levels
  levels=$(values bytes)
  { printf '"stride=64\n' && awk -F, 'NR > 1 { printf "%.5f %.3f\n", $1 / 1048576, $2 }' curve.csv; } >lmbench.txt
  servet analyze cache lmbench.txt --json
  [ "$(values bytes)" = "$levels" ]
  awk -F, 'NR > 1 { printf "%dk   %.1f\n", $1 / 1024, $2 }' curve.csv >multichase.txt
  servet analyze cache multichase.txt --unit ns --json
  [ "$(values bytes)" = "$levels" ]
  servet analyze cache multichase.txt
  fails 1 "servet: multichase.txt: *unit of the times is missing*"
  servet analyze cache curve.csv --unit ns
  fails 1 "servet: curve.csv: *leave it out*"
  servet analyze layers curve.csv --unit ns
  fails 2 "*layers accepts no --unit"
}

# 2 us and 2 GB/s up to 8 KiB, then 20 us and 10 GB/s.
@test "the protocols of osu_latency's output" {
  {
    printf '# OSU MPI Latency Test v7.5\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n'
    awk 'BEGIN { for (s = 1; s <= 4194304; s *= 2) printf "%-10d%20.2f\n", s, s <= 8192 ? 2 + s / 2000 : 20 + s / 10000 }'
  } >osu.txt
  servet analyze messages osu.txt --json
  [ "$status" -eq 0 ]
  [ "$(jq -c '[.protocols[] | .from, (.latency_us | round), (.bandwidth / 1e9 * 10 | round)]' <<<"$output")" = '[1,2,20,16384,20,100]' ]
  [ "$(jq -c '[.smallest_bytes, .latency_us, .largest_bytes]' <<<"$output")" = '[1,2,4194304]' ]
  servet analyze messages osu.txt
  [[ $output == 'messages of 1 B take 2 us, those of 4 MiB get '*$'\n'*'16 KiB'*'8-16 KiB'*'10 GB/s'* ]]
  servet analyze messages osu.txt --explain
  fails 2 "*messages accepts no --explain"
}

@test "the number of cores that saturates a bandwidth" {
  printf 'cores,GB/s\n1,10\n2,20\n3,29\n4,30\n' >scaling.csv
  servet analyze scaling scaling.csv
  [ "$status" -eq 0 ]
  [[ $output == *$'\n    3            29         97 %  enough\n'*'saturated at 3 cores: 95 % or more of the best, 30 GB/s with 4' ]]
  # All may or may not be the limit.
  sed '$d' scaling.csv >rising.csv
  servet analyze scaling rising.csv
  [[ $output == *'saturated at 3 cores or more: '* ]]
  sed 1d scaling.csv | tr , ' ' >plain.txt
  servet analyze scaling plain.txt --unit MB/s --json
  [ "$(jq -c '[.cores, .low, .high, .best_cores, .unit]' <<<"$output")" = '[3,3,3,4,"MB/s"]' ]
  servet analyze scaling scaling.csv --unit MB/s
  fails 1 "servet: scaling.csv: *--unit*"
  echo 'threads 3' >plain.txt
  servet analyze scaling plain.txt
  fails 1 "servet: plain.txt:1: *number of cores*"
}

@test "the knee of a loaded latency" {
  printf 'GB/s,ns\n0,100\n10,100\n30,120\n35,130\n40,200\n' >loaded.csv
  servet analyze loaded loaded.csv
  [ "$status" -eq 0 ]
  [[ $output == 'unloaded latency '*' 100 ns '*$'\nknee '*' 35 GB/s  30-40' ]]
  servet analyze loaded loaded.csv --json
  [ "$(jq -c '[.unloaded_ns, .at_50_ns, .at_80_ns, .at_95_ns | .value]' <<<"$output")" = '[100,110,124,172]' ]
  [ "$(jq -c '[.best.value, .knee.value, .knee.low, .knee.trusted]' <<<"$output")" = '[40000000000,35000000000,30000000000,true]' ]
  printf 'Inject\tLatency\tBandwidth\nDelay\t(ns)\tMB/sec\n 00000\t97.00\t10000.0\n 00100\t92.00\t 5000.0\n 20000\t90.00\t  100.0\n' >mlc.txt
  servet analyze loaded mlc.txt
  [[ $output == *$'\nbest bandwidth '*' 10 GB/s '*'not trusted'$'\nknee '*'does not reach it' ]]
  servet analyze loaded mlc.txt --unit ns
  fails 2 "*loaded accepts no --unit"
  echo 1,2 >plain.txt
  servet analyze loaded plain.txt
  fails 1 "servet: plain.txt: *mlc --loaded_latency*"
}
