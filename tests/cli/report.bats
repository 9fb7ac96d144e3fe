#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet report writes one page of HTML. Its advice is also at the beginning of the text report (servet show).

load common

setup() {
  private_home
  together=$SOURCE_ROOT/tests/data/profiles/together.json
  job=$SOURCE_ROOT/tests/data/profiles/job.json
  page=$BATS_TEST_TMPDIR/page.html
}

shows() {
  printf '%s\n' "$output" | grep -qF -e "$1"
}

lacks() {
  ! shows "$1"
}

# The profile: L1 of 32 KiB for each core, L2 of 6 MiB for two cores; 4 of 8 cores saturate memory; false sharing within
# 128 B; NUMA nodes with latencies of 90 to 155 ns.
@test "the report begins with advice, which follows from the results" {
  servet show "$together"
  shows '  Block loops for 16 KiB in L1.'
  shows '  Block loops for 1.5 MiB a thread in L2, which 2 PUs share.'
  shows '  Pad data that different cores write to 128 B.'
  shows '  Use 4 of the 8 PUs for code that memory limits (0-1,4-5): 4 threads saturate memory.'
  shows '  Place data on the NUMA node of the thread that uses it.'
  [[ $output == *'  Place threads that exchange data on PUs of one set: 0,2; 1,3; 4,6; 5,7, unless the code is'* ]]
  [ "$(grep -n '^For programs' <<<"$output" | cut -d: -f1)" -lt "$(grep -n '^Caches of each' <<<"$output" | cut -d: -f1)" ]
  servet show "$job"
  shows '  Gather 8 messages below 512 B to one process into one (communication layer 1, in a node).'
  lacks 'send to other nodes at once'
}

# The access ratio is the factor by which each process loses bandwidth. Ratios of 1, 1.25 and 2 with 1, 2 and 4 processes mean
# a total of 1, 1.6 and 2. A ratio of 4 with 4 processes means a total of 1; its interval of 1.5-7 allows 4 / 1.5 = 2.67.
@test "fewer senders are advised if more senders get less bandwidth in total by more than the noise" {
  local odd=$BATS_TEST_TMPDIR/few.json
  sed '/"at": 4/s/"ratio": {"value": 2, "low": 1.8, "high": 2.2/"ratio": {"value": 4, "low": 3.6, "high": 4.4/' "$job" >"$odd"
  servet report "$odd"
  shows '<b>Let at most 2 processes of a node send to other nodes at once.</b>'
  shows '>2 at once get 1.6 times the bandwidth of one alone, 4 get 1 times (ratNC).<'
  sed -i '/"at": 4/s/"low": 3.6, "high": 4.4/"low": 1.5, "high": 7/' "$odd"
  servet show "$odd"
  lacks 'send to other nodes at once'
}

# In job.json, aggregation of 8 messages pays in layer 1 for 64-512 B and for 4-8 KiB, in layer 2 for all sizes (64 B-32 KiB).
@test "advice to gather messages names the smallest size unless it is the smallest one measured" {
  local odd=$BATS_TEST_TMPDIR/gather.json
  sed '/"messages": 8, "from": 64, "below": 512/s/"pays"/"even"/' "$job" >"$odd"
  servet show "$odd"
  shows '  Gather 8 messages from 4 KiB to 8 KiB to one process into one (communication layer 1, in a node).'
  shows '  Gather 8 messages of up to 32 KiB to one process into one (communication layer 2, between nodes).'
  sed -i '/"payoff": "pays"/s/"from": 4096, "below": 8192/"from": 8192, "below": 8192/' "$odd"
  servet show "$odd"
  shows '  Gather 8 messages of 8 KiB to one process into one (communication layer 1, in a node).'
}

# The PUs' own nodes take 100 and 104 ns, the other ones 103 and 102 ns, each +-10 %: no difference exceeds the intervals.
@test "NUMA nodes that differ by no more than the noise need no placement" {
  local odd=$BATS_TEST_TMPDIR/flat.json
  sed -e 's/"value": 90, "low": 85.5, "high": 94.5/"value": 100, "low": 90, "high": 110/' \
    -e 's/"value": 150, "low": 142.5, "high": 157.5/"value": 103, "low": 93, "high": 113/' \
    -e 's/"value": 155, "low": 147.25, "high": 162.75/"value": 102, "low": 92, "high": 112/' \
    -e 's/"value": 91, "low": 86.45, "high": 95.55/"value": 104, "low": 94, "high": 114/' "$together" >"$odd"
  [ "$(grep -cE '"value": 10[0-4], "low": 9[0-4], "high": 11[0-4]' "$odd")" -eq 4 ]
  servet show "$odd"
  lacks 'NUMA node of the thread'
}

@test "advice on NUMA nodes is not trusted if the latency of the PU's own node is not" {
  sed '/"value": 91, "low": 86.45/s/"trusted": true/"trusted": false/' "$together" >"$BATS_TEST_TMPDIR/own.json"
  servet show "$BATS_TEST_TMPDIR/own.json"
  shows '  Perhaps place data on the NUMA node of the thread that uses it. Not trusted: '
}

# On finis-terrae, 4 threads get 6.6 GB/s on cores 0, 4, 8 and 12, which are in different sets of the level with the most
# overhead; on cores 0-3 they get 1.98 GB/s. If all cores are in one set, no cores are better than others.
@test "threads that memory limits are advised to use cores that do not contend" {
  local odd=$BATS_TEST_TMPDIR/odd.json
  servet show "$SOURCE_ROOT/tests/data/profiles/finis-terrae.json"
  shows '  Use 4 of the 16 PUs for code that memory limits (0,4,8,12): 4 threads saturate memory.'
  sed '/^        "levels"/,/^        "scaling"/{s/"0-3", "4-7"/"0-7"/;s/"0,2", "1,3", "4,6", "5,7"/"0-7"/}' "$together" >"$odd"
  servet show "$odd"
  shows '  Place threads that exchange data on PUs of one set: 0,2; 1,3; 4,6; 5,7.'
  sed '/^        "levels"/,/^        "scaling"/s/"trusted": true/"trusted": false/' "$together" >"$odd"
  servet show "$odd"
  [[ $output == *'  Perhaps use 4 of the 8 PUs for code that memory limits (0-1,4-5): 4 threads saturate memory.'*'Not'*'trusted: '* ]]
}

# In finis-terrae.json, sharing of caches was not measured; a core of Itanium has two threads. In counted.json, a chase
# reaches 25 of 32 KiB of L1.
@test "block sizes assume the worst case if sharing is unknown, and use the reachable capacity if it is smaller" {
  servet show "$SOURCE_ROOT/tests/data/profiles/finis-terrae.json"
  shows '  Perhaps block loops for 4 KiB a thread in L1, which up to 2 PUs may share. Not trusted: which PUs'
  shows '  Perhaps block loops for 64 KiB a thread in L2, which up to 2 PUs may share. Not trusted: which PUs'
  sed '/"reachable_bytes"/s/"trusted": true/"trusted": false/' "$SOURCE_ROOT/tests/data/profiles/counted.json" \
    >"$BATS_TEST_TMPDIR/reach.json"
  servet show "$BATS_TEST_TMPDIR/reach.json"
  shows '  Perhaps block loops for 12.5 KiB in L1.'
}

@test "advice that follows from a result that is not trusted says so" {
  sed '/"coherence"/,/}/s/"trusted": true/"trusted": false/' "$together" >"$BATS_TEST_TMPDIR/doubted.json"
  servet show "$BATS_TEST_TMPDIR/doubted.json"
  shows '  Perhaps pad data that different cores write to 128 B. Not trusted: '
  lacks '  Pad data'
  servet report "$BATS_TEST_TMPDIR/doubted.json"
  shows '<b>Perhaps pad data that different cores write to 128 B.</b>'
  shows '<span class="why doubt">'
}

@test "the page has advice, differences from the OS, pictures, tables and the run, and is the same each time" {
  servet report "$together" -o "$page"
  [ "$status" -eq 0 ]
  [ -z "$output$stderr" ]
  servet report "$together"
  [ "$output" = "$(cat "$page")" ]
  shows '<b>Block loops for 1.5 MiB a thread in L2, which 2 PUs share.</b>'
  shows '>L2 holds 6 MiB: half of that, divided by 2; a thread alone on it has 3 MiB.<'
  shows '>One core copies 6.25 GB/s, 4 together 16 GB/s.<'
  shows '>A load from the own node takes 91 ns, from another one up to 155 ns.<'
  shows '>A cache line takes 22.5 ns there, and up to 110 ns elsewhere.<'
  shows '<li>L2: measured sharing differs from what the OS reports</li>'
  [ "$(grep -c '<svg ' "$page")" -eq 4 ]
  shows '<td>6 MiB</td>'
  shows '<td>5.81-6.19 MiB</td>'
  shows '<h2>How it was measured</h2>'
  shows '>The page was made on a machine of another type.<'
  servet report "$(of_this_node together)"
  lacks 'a machine of another type'
  servet report "$job"
  shows '>One message is 4 times as fast as 8 with the same bytes.<'
  [ "$(grep -c '<svg ' <<<"$output")" -eq 3 ]
  shows '<td>between nodes</td>'
}

# job.json has no differences and no record of a run; the record of node.json is added, a run without noise.
@test "the page says that nothing disturbed the run only if the run is recorded" {
  servet report "$job"
  [ "$status" -eq 0 ]
  lacks 'nothing disturbed the run'
  shows '>Nothing is recorded that differs from what the operating system reports, or that disturbed the run.<'
  awk -v run="$(sed -n '/^  "run": {/,/^  },/p' "$SOURCE_ROOT/tests/data/profiles/node.json")" \
    '/"run": null/ { print run; next } { print }' "$job" >"$BATS_TEST_TMPDIR/recorded.json"
  servet report "$BATS_TEST_TMPDIR/recorded.json"
  [ "$status" -eq 0 ]
  shows '>No result differs from what the operating system reports, and nothing disturbed the run.<'
}

@test "the page loads nothing and runs nothing" {
  servet report "$together" -o "$page"
  [ "$(grep -ciE '<(script|link|img|iframe|object|embed|base|form)|@import|url\(| on[a-z]+=|src=|href=' "$page")" -eq 0 ]
  [ "$(grep -o 'https\?://[^"]*' "$page" | sort -u)" = http://www.w3.org/2000/svg ]
}

@test "texts of a profile are shown as text, even if they look like HTML" {
  sed 's/"Imaginary Quad"/"<script>alert(1)<\/script> \&amp; co"/' "$together" >"$BATS_TEST_TMPDIR/odd.json"
  servet report "$BATS_TEST_TMPDIR/odd.json"
  [ "$status" -eq 0 ]
  shows '&lt;script&gt;alert(1)&lt;/script&gt;'
  lacks '<script'
}

@test "report fails without a profile, without the class, and if the file cannot be written" {
  servet report "$BATS_TEST_TMPDIR/none.json" -o "$page"
  fails 1 "*none.json*"
  servet report "$together" --class other -o "$page"
  fails 1 "*"
  [ ! -e "$page" ]
  servet report "$together" -o "$BATS_TEST_TMPDIR/none/page.html"
  fails 1 "*none/page.html*cannot write*"
}

@test "the page is written completely or not at all, and replaces only regular files" {
  echo old >"$page"
  status=0
  output=$(ulimit -f 4 && trap '' XFSZ && exec "$SERVET" report "$together" -o "$page" \
    2>"$BATS_TEST_TMPDIR/stderr") || status=$?
  stderr=$(cat "$BATS_TEST_TMPDIR/stderr")
  fails 1 "*page.html: cannot write: *"
  [ "$(cat "$page")" = old ]
  [ -z "$(find "$BATS_TEST_TMPDIR" -name 'page.html.*')" ]
  mkfifo "$BATS_TEST_TMPDIR/pipe.html"
  status=0
  output=$(timeout 60 "$SERVET" report "$together" -o "$BATS_TEST_TMPDIR/pipe.html" \
    2>"$BATS_TEST_TMPDIR/stderr") || status=$?
  stderr=$(cat "$BATS_TEST_TMPDIR/stderr")
  fails 1 "*pipe.html: cannot write: not a regular file"
}

browser() {
  command -v chromium || command -v chromium-browser || command -v google-chrome
}

# Prints a page that shows page $1 in a frame as wide as a phone, because a window cannot be that narrow. It measures the
# frame's width, the width that the page needs, and the numbers of loaded files, of pictures, and of empty pictures.
frame_of() {
  cat <<END
<iframe src="$1" width="390" height="844" style="border:0"></iframe><script>addEventListener("load", () => {
  const frame = document.querySelector("iframe"), of = frame.contentWindow, pictures = [...of.document.querySelectorAll("svg")];
  const empty = pictures.filter(one => one.getBoundingClientRect().height < 100);
  document.body.dataset.measured = [frame.clientWidth, of.document.documentElement.scrollWidth,
    of.performance.getEntriesByType("resource").length, pictures.length, empty.length].join(" ");
});</script>
END
}

@test "in a browser, the page fits the width of a phone and loads no other file" {
  [ -n "$(browser)" ] || skip "no browser here (chromium)"
  local profile width needed loaded pictures empty
  for profile in "$together" "$job"; do
    "$SERVET" report "$profile" -o "$page"
    frame_of page.html >"$BATS_TEST_TMPDIR/phone.html"
    timeout 60 "$(browser)" --headless --no-sandbox --disable-gpu --user-data-dir="$BATS_TEST_TMPDIR/browser" \
      --allow-file-access-from-files --dump-dom "file://$BATS_TEST_TMPDIR/phone.html" >"$BATS_TEST_TMPDIR/dom" \
      2>"$BATS_TEST_TMPDIR/said"
    read -r width needed loaded pictures empty < <(sed -n 's/.*data-measured="\([0-9 ]*\)".*/\1/p' "$BATS_TEST_TMPDIR/dom")
    echo "window $width, page $needed, loaded $loaded, pictures $pictures, empty $empty"
    [ "$width" -eq 390 ]
    [ "$needed" -le 390 ]
    [ "$loaded" -eq 0 ]
    [ "$pictures" -ge 3 ]
    [ "$empty" -eq 0 ]
  done
}

@test "core types and distances of cores that the machine does not have are reported as such, not as lack of memory" {
  jq '.classes[0] |= ((.kinds[0].cores = "100-107") | (.machine.cores = "200-203"))' \
    "$SOURCE_ROOT/tests/data/profiles/together.json" >"$BATS_TEST_TMPDIR/apart.json"
  servet report "$BATS_TEST_TMPDIR/apart.json"
  [[ $stderr != *memory* ]]
  servet plot distances "$BATS_TEST_TMPDIR/apart.json"
  fails 1 'servet: *the distances are between cores that the machine of the profile does not have'
}

# Every fifth value of the profiles, at night every one, is replaced by null, one at a time.
@test "an unknown value is never printed as nan or inf" {
  local profile line part=$BATS_TEST_TMPDIR/part.json
  for profile in "$together" "$job"; do
    while IFS=: read -r line _; do
      sed "$line"'s/\(": \){"value": [^{}]*}/\1null/' "$profile" >"$part"
      for command in show report; do
        output=$("$SERVET" "$command" "$part" 2>/dev/null | sed "s|$part||g") || continue
        ! grep -qwiE -e '-?(nan|inf)' <<<"$output" || return 1
      done
    done < <(grep -n '"value": .*}' "$profile" | awk -v step="${SERVET_THOROUGH:-5}" 'NR % step == 0')
  done
}
