#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet plot: pictures of profiles. What the profiles say is in tests/data/profiles; the series are written here.

load common

setup() {
  private_home
  together=$SOURCE_ROOT/tests/data/profiles/together.json
  node=$SOURCE_ROOT/tests/data/profiles/node.json
  job=$SOURCE_ROOT/tests/data/profiles/job.json
}

shows() {
  printf '%s\n' "$output" | grep -q -e "$1"
}

lacks() {
  ! shows "$1"
}

# The pictures that the help of plots names.
words() {
  "$SERVET" plot | sed -n 's/^\([a-z][a-z-]*\) .*/\1/p'
}

@test "the list of pictures has the same words as the man page and the completion" {
  [ "$(words | wc -l)" -ge 10 ]
  same "$(words)" "$(sed -n '/^## plot/,/^\*--format/{/^\*latency\* and/d;p}' "$SOURCE_ROOT/share/man/servet.1.scd" |
    grep -o '^\*[a-z-]*\*[:,]\( \*[a-z-]*\*:\)\?' | tr -d '*:,' | tr ' ' '\n')"
  same "$(words)" "$(completions "$SERVET" plot '')"
}

@test "the list names the facts that this profile does not have" {
  SERVET_PROFILE=$together servet plot
  [ "$status" -eq 0 ]
  shows '^messages '
  shows 'not in this profile: messages were not measured'
  [ "$(printf '%s\n' "$output" | grep -A 1 '^memory ' | grep -c 'not in')" -eq 0 ]
}

@test "a picture that is not known, or has no results, is an error" {
  servet plot topologie "$together"
  fails 2 "*'topologie'*"
  servet plot messages "$together"
  fails 1 "*messages were not measured*"
  servet plot topology "$together" --format pdf
  fails 2 "*--format must be svg, gnuplot or png, not 'pdf'*"
  servet plot topology "$together" -o "$BATS_TEST_TMPDIR/topology.pdf"
  fails 2 "*topology.pdf' ends neither with .svg,*"
  servet plot topology "$together" --format gnuplot
  fails 2 "*gnuplot cannot draw the topology*"
  servet plot memory "$together" -o "$BATS_TEST_TMPDIR/none/memory.svg"
  fails 1 "*cannot write*"
}

# Two nodes: job.json has ratDist at distance 1, where it is 1.
@test "a ratio at 1 alone is no picture" {
  servet plot distance-ratio "$job"
  fails 1 "*measured at 1 alone*"
}

# The L1 of 64 KiB is all that is known of these cores.
@test "nothing is predicted beyond the last level if memory was not measured" {
  servet plot latency "$SOURCE_ROOT/tests/data/profiles/cluster.json" --class hybrid --core 2 --format gnuplot
  [ "$status" -eq 0 ]
  [ "$(printf '%s\n' "$output" | sed -n '/^\$series0/,/^END/p' | grep -c '^[0-9]')" -gt 1 ]
  [ "$(printf '%s\n' "$output" | sed -n '/^\$series0/,/^END/p' | awk '/^[0-9]/ && $1 > 65536' | wc -l)" -eq 0 ]
}

# The horizontal places of the texts that match, each with its last word.
place_of() {
  printf '%s\n' "$output" | sed -n "s/^<text x=\"\([0-9.]*\)\".*>$1<.*/\1 &/p" | sed 's/ .* \([^ ]*\)<.*/ \1/'
}

# In together.json L2 is shared by 0,2 1,3 4,6 5,7, which differs from the system's sets; L1 is private.
@test "the topology draws cores inside the resources that they share, with the verdict" {
  servet plot topology "$together"
  [ "$status" -eq 0 ]
  [ "$(printf '%s\n' "$output" | grep -c '>L2 6 MiB')" -eq 4 ]
  # The colour of differences is behind these four lines, those of the sets of the others, and the legend.
  [ "$(printf '%s\n' "$output" | grep -B 1 '>L2 6 MiB' | grep -c 'fill="#ffcfc2"')" -eq 4 ]
  shows '>differs from the OS<'
  [ "$(printf '%s\n' "$output" | grep -o '>PU [0-7]<' | sort -u | wc -l)" -eq 8 ]
  # 0 and 2 stand in one line of boxes, before 1 and 3.
  same "$(place_of 'PU [0-3]' | sort -n | cut -d ' ' -f 2)" "$(printf '%s\n' 0 2 1 3)"
  shows '>NUMA node 0, 6.5 GB/s, 90 ns<'
}

@test "cores with high numbers are drawn" {
  sed 's/"0-7"/"0-5,4096,16384"/; s/"6"/"4096"/' "$together" >"$BATS_TEST_TMPDIR/high.json"
  servet plot topology "$BATS_TEST_TMPDIR/high.json"
  [ "$status" -eq 0 ]
  shows '>PU 4096<'
  shows '>PU 16384<'
}

# Nothing is known of who shares caches in cluster.json. Without core 1, one performance core is left.
@test "a core that is the only one of its type shares its caches with no unknown ones" {
  sed 's/"cores": "0-5"/"cores": "0,2-5"/; s/"cores": "0-1"/"cores": "0"/; s/"pu_count": 6/"pu_count": 5/' \
    "$SOURCE_ROOT/tests/data/profiles/cluster.json" >"$BATS_TEST_TMPDIR/five.json"
  servet plot topology "$BATS_TEST_TMPDIR/five.json" --class hybrid
  [ "$status" -eq 0 ]
  shows 'L1 64 KiB 2 ns, shared by unknown PUs<'
  shows 'L1 128 KiB 1 ns<'
}

# Every element is closed, and the picture loads nothing.
is_svg() {
  [[ $output == "<svg "*"</svg>" ]]
  [ "$(grep -o '<g[ >]' <<<"$output" | wc -l)" -eq "$(grep -o '</g>' <<<"$output" | wc -l)" ]
  ! grep -qE 'href|url\(|<script|<image' <<<"$output"
}

@test "each picture is SVG that loads nothing, the same each time" {
  local what first
  for what in topology latency distances memory; do
    servet plot "$what" "$together" --format svg
    [ "$status" -eq 0 ]
    is_svg
    first=$output
    servet plot "$what" "$together" -o "$BATS_TEST_TMPDIR/$what.svg"
    [ "$first" = "$(cat "$BATS_TEST_TMPDIR/$what.svg")" ]
  done
  for what in messages access-ratio; do
    servet plot "$what" "$job" --format svg
    [ "$status" -eq 0 ]
    is_svg
  done
}

@test "nodes unlike the others are named in the picture and in the report" {
  local halves=$BATS_TEST_TMPDIR/halves.json
  jq '.network += {bisection: {nodes: 2, processes: 1, bytes: 1048576, bandwidth: [8e8, 7e8, 9e8, 12],
                                usual: [1e9, 1e9, 1e9, 2]},
                   node_rates: [{bandwidth: [1e9, 9e8, 1.1e9, 12], lost: [0, 0, 0.125, 12], slow: false, noisy: false},
                                {bandwidth: [5e8, 4e8, 6e8, 12], lost: [0.25, 0.2, 0.3, 12], slow: true, noisy: true}]}' \
    "$job" >"$halves"
  servet plot nodes "$halves" --format gnuplot
  shows '^1 0.5 0.4 0.6$'
  shows '^1 0.75 0.7 0.8$'
  shows 'node02: slow, noisy'
  lacks 'node01'
  servet plot nodes "$job"
  fails 1 "*random halves of the nodes were not measured*"
  servet show "$halves"
  shows 'Random halves of 2 nodes: 0.8 GB/s each way, messages of 1 MiB, 1 process of each node'
  shows '^  node02   0.5           2       25 %  slow, noisy$'
  lacks '^  node01 '
}

@test "a name is text in SVG and in gnuplot, whatever it holds" {
  sed "s/node01/<b>\\&amp;'x/" "$node" >"$BATS_TEST_TMPDIR/odd.json"
  servet plot latency "$BATS_TEST_TMPDIR/odd.json" --format svg
  shows "&lt;b&gt;&amp;amp;'x"
  lacks '<b>'
  servet plot latency "$BATS_TEST_TMPDIR/odd.json" --format gnuplot
  shows "^set title 'Latency of loads: <b>&amp;''x' noenhanced"
}

# Each character below has two bytes; with one letter before them, any limit cuts one of them in one of the texts.
@test "a text that is cut ends with a whole character" {
  local before what long name
  long=$(printf '\303\251%.0s' {1..60})
  name=$(printf '\303\251%.0s' {1..30})
  for before in '' x; do
    sed "s/Imaginary Quad/$before$long/; s/quad2/$before$name/; s/\"trusted\": true/\"trusted\": false/" "$together" \
      >"$BATS_TEST_TMPDIR/long.json"
    for what in topology latency memory distances; do
      servet plot "$what" "$BATS_TEST_TMPDIR/long.json" --format svg
      [ "$status" -eq 0 ]
      shows "$(printf '\303\251\303\251')"
      printf '%s\n' "$output" | iconv -f UTF-8 -t UTF-8 >/dev/null
    done
  done
}

# A folder as measure writes it: the profile, and raw series beside it.
folder_of() {
  mkdir -p "$BATS_TEST_TMPDIR/$1/raw"
  cp "$2" "$BATS_TEST_TMPDIR/$1/profile.json"
}

@test "the latency curve has the points of the raw series, in ns" {
  folder_of curve "$node"
  printf 'bytes,ns,low,high\n4096,1.5,1.4,1.6\n1048576,20,19,22\n' \
    >"$BATS_TEST_TMPDIR/curve/raw/cache-core-lines.csv"
  servet plot latency "$BATS_TEST_TMPDIR/curve" --format gnuplot
  [ "$status" -eq 0 ]
  shows '^4096 1.5 1.4 1.6$'
  shows '^1048576 20 19 22$'
  shows "set label 'L1 48 KiB' at 49152"
  servet plot latency "$node" --format gnuplot
  shows '^# The raw series are not beside this profile\.'
}

@test "the map of distances has the values of the raw matrix, in the order of the groups" {
  folder_of pairs "$together"
  {
    echo '# ns. Cores: 0 1 2 3 4 5 6 7'
    awk 'BEGIN { for (i = 0; i < 8; i++) for (k = 0; k < 8; k++)
      printf "%s%s", i == k ? 0 : 100 + 10 * i + k, k < 7 ? "," : "\n" }'
  } >"$BATS_TEST_TMPDIR/pairs/raw/distance.csv"
  servet plot distances "$BATS_TEST_TMPDIR/pairs" --format gnuplot
  [ "$status" -eq 0 ]
  # Layers join 0,2 1,3 4,6 5,7 and 0-3 4-7.
  shows "^set xtics ('0' 0, '2' 1, '1' 2, '3' 3, '4' 4, '6' 5, '5' 6, '7' 7)"
  shows '^120 NaN 121 123 124 126 125 127$'
  servet plot distances "$together" --format gnuplot
  shows '^22.5 NaN 60 60 110 110 110 110$'
}

# 1: 6.25, 2: 6, 4: 4, 8: 2 GB/s each.
@test "the memory curve is the bandwidth of all cores together" {
  servet plot memory "$together" --format gnuplot
  shows '^1 6.25 '
  shows '^2 12 '
  shows '^4 16 '
  shows '^8 16 '
  shows "^set arrow from 4, "
}

# Six PUs copy best, 3 GB/s each, and eight compute 36 GFLOP/s: the ridge is at 2 FLOP/B. One core reads 6.5 GB/s and computes 13.
@test "the roofline has a line to each ridge point, and the peak rate behind it" {
  jq '.classes[0].memory.bandwidth.read.value as $read | .classes[0].peak = ([[1, 2 * $read], [8, 36e9]] | map(
      {precision: "f64", width: "vector", bits: 256, cores: .[0], core: 0, clock_hz: null, rate:
        {value: .[1], low: .[1], high: .[1], samples: 2, unit: "FLOP/s", method: "timed", trusted: true}}))' \
    "$together" >"$BATS_TEST_TMPDIR/peaks.json"
  servet plot roofline "$BATS_TEST_TMPDIR/peaks.json" --format gnuplot
  [ "$status" -eq 0 ]
  shows 'one core, memory'
  shows 'all PUs, memory'
  shows '^2 36 '
  shows '^2 13 '
  servet plot roofline "$BATS_TEST_TMPDIR/peaks.json"
  [ "$status" -eq 0 ]
  servet plot roofline "$together"
  fails 1 "*peak rates, or bandwidths, were not measured*"
}

@test "facts that are not trusted are drawn with dashes and noted" {
  sed '/^        "scaling": \[/,/\]/s/"trusted": true/"trusted": false/' "$together" >"$BATS_TEST_TMPDIR/doubted.json"
  [ "$(cat "$together")" != "$(cat "$BATS_TEST_TMPDIR/doubted.json")" ]
  servet plot memory "$BATS_TEST_TMPDIR/doubted.json"
  shows '(not trusted)<'
}

@test "without latencies nothing is predicted, and the sizes alone are drawn" {
  sed '/"latency_ns": {/s/{.*}/null/' "$node" >"$BATS_TEST_TMPDIR/sizes.json"
  servet plot latency "$BATS_TEST_TMPDIR/sizes.json"
  [ "$status" -eq 0 ]
  shows '>L1 48 KiB<'
  lacks 'predicted'
  command -v gnuplot >/dev/null || skip "gnuplot is missing: no PNG was made"
  servet plot latency "$BATS_TEST_TMPDIR/sizes.json" -o "$BATS_TEST_TMPDIR/sizes.png"
  [ "$status" -eq 0 ]
  [ "$(head -c 4 "$BATS_TEST_TMPDIR/sizes.png" | tail -c 3)" = PNG ]
  "$SERVET" plot latency "$BATS_TEST_TMPDIR/sizes.json" --format png -o - | cmp - "$BATS_TEST_TMPDIR/sizes.png"
}

@test "a PNG is not written to a terminal" {
  command -v script >/dev/null || skip "there is no script(1)"
  run script -qec "'$SERVET' plot memory '$together' --format png" /dev/null
  [ "$status" -eq 2 ]
  [[ $output == *'--format png needs --output'* ]]
}

# In node.json the L3 is not trusted, but nothing is predicted from it once it has no latency.
@test "predictions from facts that are not trusted are drawn with dashes and noted" {
  local sure=$BATS_TEST_TMPDIR/sure.json doubted=$BATS_TEST_TMPDIR/doubted.json what line
  sed '/"latency_ns": {"value": 37,/s/{.*}/null/' "$node" >"$sure"
  servet plot latency "$sure"
  shows 'predicted for random loads'
  lacks 'predicted .*(not trusted)<'
  while IFS='|' read -r what line; do
    sed "/$line/s/\"trusted\": true/\"trusted\": false/" "$sure" >"$doubted"
    servet plot latency "$doubted"
    shows 'predicted .*(not trusted)<'
    servet plot latency "$doubted" --format gnuplot
    output=$(sed 's/^# //' <<<"$output" | tr '\n' ' ')
    shows "Not trusted: $what ("
  done <<'END'
latency of L1|"latency_ns": {"value": 1.39,
latency of memory|"latency_ns": {"value": 187.5,
reach of L2|"reachable_bytes": {"value": 2090000,
END
}

@test "the topology says that more cores may saturate memory if all of them are needed" {
  sed 's/^        "saturation": [0-9]*/        "saturation": 8/' "$together" >"$BATS_TEST_TMPDIR/all.json"
  servet plot topology "$BATS_TEST_TMPDIR/all.json"
  shows '8 PUs or more saturate the memory of the node'
  servet plot topology "$together"
  shows '>4 PUs saturate the memory of the node<'
}

@test "the common reason of several doubts is printed once" {
  sed '/"latency_ns": {"value": [0-9.]*,/s/"trusted": true/"trusted": false/' "$node" >"$BATS_TEST_TMPDIR/doubted.json"
  servet plot latency "$BATS_TEST_TMPDIR/doubted.json" --format gnuplot
  output=$(sed 's/^# //' <<<"$output" | tr '\n' ' ')
  shows 'Not trusted: latency of L1, latency of L2'
}

@test "gnuplot takes the scripts, and makes PNG" {
  command -v gnuplot >/dev/null || skip "gnuplot is missing"
  local what
  for what in latency distances memory; do
    servet plot "$what" "$together" --format gnuplot -o "$BATS_TEST_TMPDIR/$what.gp"
    gnuplot -e "set terminal svg; set output '$BATS_TEST_TMPDIR/$what.svg'" "$BATS_TEST_TMPDIR/$what.gp"
    grep -q '</svg>' "$BATS_TEST_TMPDIR/$what.svg"
  done
  servet plot memory "$together" -o "$BATS_TEST_TMPDIR/a \"b\".png"
  [ "$status" -eq 0 ]
  [ "$(head -c 4 "$BATS_TEST_TMPDIR/a \"b\".png" | tail -c 3)" = PNG ]
}

@test "the name of a PNG is not run as a script by gnuplot, and a file that cannot be written is an error" {
  command -v gnuplot >/dev/null || skip "gnuplot is missing"
  cd "$BATS_TEST_TMPDIR"
  servet plot memory "$together" -o 'a`touch ran`.png'
  [ "$status" -eq 0 ]
  [ ! -e ran ]
  [ "$(head -c 4 'a`touch ran`.png' | tail -c 3)" = PNG ]
  servet plot memory "$together" -o none/memory.png
  fails 1 "*none/memory.png*cannot write*"
}

@test "without gnuplot, a PNG is an error that names the formats that do not need it" {
  mkdir "$BATS_TEST_TMPDIR/empty"
  ln -s "$(command -v sh)" "$BATS_TEST_TMPDIR/empty/sh"
  PATH=$BATS_TEST_TMPDIR/empty "$SERVET" plot memory "$together" -o "$BATS_TEST_TMPDIR/m.png" 2>"$BATS_TEST_TMPDIR/said" &&
    return 1
  grep -q 'gnuplot is missing' "$BATS_TEST_TMPDIR/said"
}

# The protocol of layer 1 of job.json changes at 8 KiB; here also at 96 and 384 KiB. A message takes up to 0.1 s.
@test "sizes at which the protocol changes are one sentence, and ticks have their units" {
  jq '(.network.layers[0].protocols) |= . + [.[1], .[1]] |
    .network.layers[0].protocols[2].from |= (.value = 98304 | .low = 98000 | .high = 98500) |
    .network.layers[0].protocols[3].from |= (.value = 393216 | .low = 390000 | .high = 394000 | .trusted = false) |
    (.network.layers[0].points[-1].time_us) |= (.value = 90000 | .low = 80000 | .high = 100000)' "$job" >"$BATS_TEST_TMPDIR/odd.json"
  servet plot messages "$BATS_TEST_TMPDIR/odd.json" --format gnuplot
  shows '^# Layer 1: the protocol changes at 8 KiB, 96 KiB and 384 KiB?\.$'
  shows "^set ytics .*'100 ms' "
}

@test "links out of the folder of series, and pipes in it, are not drawn" {
  cd "$BATS_TEST_TMPDIR" || return 1
  local word file
  mkdir -p run/raw
  cp "$node" run/profile.json
  for file in cache-all-lines.csv distance.csv; do
    mkfifo "run/raw/$file"
  done
  for word in latency distances; do
    in_time 20 plot "$word" run
    [ "$status" -ne 124 ]
  done
}

@test "latency under load is drawn by bandwidth, with its knee" {
  local loaded=$BATS_TEST_TMPDIR/loaded.json few=$BATS_TEST_TMPDIR/few.json
  servet plot loaded "$together"
  fails 1 "*latency under load was not measured*"
  under_load "$together" >"$loaded"
  servet plot loaded "$loaded" --format gnuplot
  [ "$status" -eq 0 ]
  shows '^30 120 120 120$'
  shows 'node 0, reads:writes 1:0'
  shows 'knee of reads: 30 GB/s'
  jq '.classes[0].loaded[0].knee = null' "$loaded" >"$few"
  servet plot loaded "$few" --format gnuplot
  lacks 'knee of'
  shows '3 cores do not load this memory to its limit'
}
