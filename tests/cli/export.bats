#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet export: what was measured, for other tools. What the profiles say is in tests/data/profiles.

load common

setup() {
  private_home
  together=$(of_this_node together)
  job=$(of_this_node job)
  xml=$BATS_TEST_TMPDIR/machine.xml
}

# Its two packages, with the PU numbers in order.
quad='pack:2 [numa] core:4 pu:1'

needs_lstopo() {
  command -v lstopo-no-graphics >/dev/null || skip 'no lstopo here'
}

# exports TOPOLOGY PROFILE: into $xml.
exports() {
  servet export --format hwloc-xml --topology "$1" "$2"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  printf '%s\n' "$output" >"$xml"
}

# The matrix of that name as lstopo reads it, blanks squeezed.
matrix() {
  lstopo-no-graphics -i "$xml" --distances | sed -n "\\|name $1 |,/^[A-Z]/p" | grep -v '^[A-Z]' | tr -s ' '
}

attribute() {
  lstopo-no-graphics -i "$xml" --memattrs | sed -n "/name \`$1'/,/^Mem/p" | grep '^ ' | tr -s ' ' | sed 's/ (.*//'
}

@test "lstopo reads core-to-core distances: layers of 22.5, 60 and 110 ns" {
  needs_lstopo
  exports "$quad" "$together"
  near=$(SERVET_PROFILE=$together "$SERVET" get distance.layers.2.latency_ns)
  expected=" index 0 1 2 3 4 5 6 7"$'\n'
  for i in 0 1 2 3 4 5 6 7; do
    expected+=" $i"
    for j in 0 1 2 3 4 5 6 7; do
      # 0,2 1,3 4,6 5,7 are nearest, then each package
      if [ "$i" = "$j" ]; then expected+=" 0"
      elif [ $((i % 2)) = $((j % 2)) ] && [ $((i / 4)) = $((j / 4)) ]; then expected+=" 22500"
      elif [ $((i / 4)) = $((j / 4)) ]; then expected+=" ${near}000"
      else expected+=" 110000"; fi
    done
    expected+=$'\n'
  done
  diff <(matrix Servet:LineLatency:ps) <(printf '%s' "$expected")
}

@test "a matrix with a pair that is not known is not exported, nor is such a cost of memory" {
  sed 's/\("latency_ns": \){"value": 22.5[^{}]*}/\1null/' "$together" >"$BATS_TEST_TMPDIR/part.json"
  exports "$quad" "$BATS_TEST_TMPDIR/part.json"
  ! grep -q LineLatency "$xml"
}

@test "lstopo reads the memory of NUMA nodes" {
  needs_lstopo
  exports "$quad" "$together"
  diff <(attribute Latency) - <<'END'
 NUMANode L#0 = 90 from cpuset 0x0000000f
 NUMANode L#0 = 155 from cpuset 0x000000f0
 NUMANode L#1 = 150 from cpuset 0x0000000f
 NUMANode L#1 = 91 from cpuset 0x000000f0
END
  # 6.5, 4.25, 4.5 and 6.5 GB/s in MiB/s
  diff <(attribute CoreReadBandwidth) - <<'END'
 NUMANode L#0 = 6199 from cpuset 0x0000000f
 NUMANode L#0 = 4053 from cpuset 0x000000f0
 NUMANode L#1 = 4292 from cpuset 0x0000000f
 NUMANode L#1 = 6199 from cpuset 0x000000f0
END
  # three cores of a package get 4 GB/s each, four of them 3
  diff <(attribute Bandwidth) - <<'END'
 NUMANode L#0 = 11444 from cpuset 0x0000000f
 NUMANode L#1 = 11444 from cpuset 0x000000f0
END
}

@test "lstopo reads messages within a node" {
  needs_lstopo
  exports 'core:4 pu:1' "$job"
  # 8 us, 4096 MB/s between all of them
  diff <(matrix Servet:MessageLatency:ps) - <<'END'
 index 0 1 2 3
 0 0 8000000 8000000 8000000
 1 8000000 0 8000000 8000000
 2 8000000 8000000 0 8000000
 3 8000000 8000000 8000000 0
END
  matrix Servet:MessageBandwidth:MiB/s | grep -qx ' 3 3906 3906 3906 0'
}

@test "hwloc-info reads the exported topology" {
  command -v hwloc-info >/dev/null || skip 'no hwloc-info here'
  exports "$quad" "$together"
  hwloc-info -i "$xml" | grep -q '8 PU'
}

# The caches of together.json: 32 KiB for each core, 6 MiB, of which its OS says 6 MiB, too.
caches='pack:2 [numa] l2:2(size=6291456) l1d:2(size=32768) core:1 pu:1'

# together.json, which has no bandwidths of widest loads, with 64 GB/s for the L1 and 24 GB/s for the L2.
loading() {
  jq 'def rate: {value: ., low: ., high: ., unit: "B/s", samples: 9, method: "timed", trusted: true};
    .classes[0].kinds[0].caches |= (.[0].concurrency.bandwidth = (64000000000 | rate) |
      .[1].concurrency.bandwidth = (24000000000 | rate))' "$together"
}

# infos OBJECT: what hwloc-info says that Servet measured of it.
infos() {
  hwloc-info -i "$xml" "$1" | sed -n 's/^ info Servet:\(.*\) = /\1=/p'
}

@test "lstopo and hwloc-info show the measured facts of each cache" {
  command -v hwloc-info >/dev/null || skip 'no hwloc-info here'
  needs_lstopo
  loading >"$xml.loading"
  exports "$caches" "$xml.loading"
  diff <(infos l1d:5) - <<'END'
Kind=capacity
Size:B=32768
SizeLow:B=31744
SizeHigh:B=33792
Latency:ns=1
Bandwidth:B/s=64000000000
Verdict=agrees
END
  diff <(infos l2:3) - <<'END'
Kind=capacity
Size:B=6291456
SizeLow:B=6094848
SizeHigh:B=6488064
Latency:ns=5
Bandwidth:B/s=24000000000
Verdict=agrees
END
  [ -z "$(infos core:0)" ]
  [ "$(lstopo-no-graphics -i "$xml" --no-collapse -v 2>/dev/null | grep -c '^ *L[12]d*Cache.* Servet:Size:B=[0-9]* .*Servet:Verdict=agrees)$')" -eq 12 ]
}

@test "a cache lists its infos that are not trusted; facts that were not measured have no info" {
  command -v hwloc-info >/dev/null || skip 'no hwloc-info here'
  loading | jq '.classes[0].kinds[0].caches[1] |= (.bytes.trusted = false | .latency_ns = null)' >"$xml.doubted"
  exports "$caches" "$xml.doubted"
  diff <(infos l2:0) - <<'END'
Kind=capacity
Size:B=6291456
SizeLow:B=6094848
SizeHigh:B=6488064
Bandwidth:B/s=24000000000
Verdict=agrees
NotTrusted=Kind,Size:B,SizeLow:B,SizeHigh:B,Verdict
END
}

@test "a topology may be a file" {
  exports "$caches" "$together"
  cp "$xml" "$xml.first"
  exports "$xml.first" "$together"
  [ "$(grep -c 'name="Servet:LineLatency:ps"' "$xml")" -eq 1 ]
  [ "$(grep -c 'name="Servet:Size:B"' "$xml")" -eq 12 ]
  diff <(grep -v '<support' "$xml.first") <(grep -v '<support' "$xml")
}

@test "a profile of another machine is refused, with the reason" {
  servet export --topology 'pack:1 [numa] core:4 pu:1' "$together"
  fails 1 "servet: the profile does not fit the topology: it has no PU 4"
  servet export --topology 'pack:1 [numa] core:8 pu:1' "$together"
  fails 1 "servet: the profile does not fit the topology: it has no NUMA node 1"
  servet export "$together"
  fails 1 "servet: the profile does not fit the topology: *"
  exports "$quad" "$together"
  sed '0,/<info name=/s//<info name="Architecture" value="abacus"\/><info name=/' "$xml" >"$xml.other"
  servet export --topology "$xml.other" "$together"
  fails 1 "*Architecture is abacus, and was *"
}

@test "a missing fact, topology, class or format is refused" {
  servet export --topology 'core:4 pu:1' "$(of_this_node node)"
  fails 1 "*has no distances, no memory results, and no caches that the topology has"
  servet export --topology "$BATS_TEST_TMPDIR/none.xml" "$together"
  fails 1 "*none.xml: expected a file or a topology*"
  echo nonsense >"$xml"
  servet export --topology "$xml" "$together"
  fails 1 "servet: $xml: *XML*"
  servet export --class fat --topology "$quad" "$together"
  fails 1 "*no node class 'fat'*"
  servet export --format dot "$together"
  fails 2 "*--format must be hwloc-xml, *, not 'dot'"
}

@test "a profile of this node is exported onto its topology" {
  needs_lstopo
  "$SERVET" measure --only distance --max-bytes 64K --budget 10 -q -o "$BATS_TEST_TMPDIR" >/dev/null || skip 'cannot measure here'
  cores=$("$SERVET" get machine.cores "$BATS_TEST_TMPDIR")
  [[ $cores == *[-,]* ]] || skip 'this job has one PU only'
  servet export "$BATS_TEST_TMPDIR"
  [ "$status" -eq 0 ]
  printf '%s\n' "$output" >"$xml"
  matrix Servet:LineLatency:ps | grep -q ' 0 '
}

@test "a topology that is a pipe or too large is refused" {
  mkfifo "$BATS_TEST_TMPDIR/pipe.xml"
  local program=$SERVET SERVET=timeout
  servet 60 "$program" export --topology "$BATS_TEST_TMPDIR/pipe.xml" "$together"
  fails 1 "servet: *pipe.xml: nothing came through this pipe"
  SERVET=$program
  truncate -s 1G "$BATS_TEST_TMPDIR/large.xml"
  servet export --topology "$BATS_TEST_TMPDIR/large.xml" "$together"
  fails 1 "servet: *large.xml: over * bytes"
}

@test "a topology of a newer hwloc is refused with its version" {
  exports "$caches" "$together"
  sed -i 's/<topology version="[0-9.]*"/<topology version="99.0"/' "$xml"
  servet export --topology "$xml" "$together"
  fails 1 "servet: $xml: XML of version 99 of hwloc, Servet runs with version *: write it with lstopo *"
}

# --- slurm-topology -------------------------------------------------------------------------------

# The layers of leaves.json join h0-h2 and h3-h4, then h0-h5; h6, h7 and h10 were not measured.
leaves=$SOURCE_ROOT/tests/data/profiles/leaves.json

@test "groups of nodes become switches of Slurm, and nodes that were not measured a separate leaf" {
  servet export --format slurm-topology "$leaves"
  [ "$status" -eq 0 ]
  diff <(grep -v '^#' <<<"$output") - <<'END'
SwitchName=leaf1 Nodes=h[0-2]
SwitchName=leaf2 Nodes=h[3-4]
SwitchName=leaf3 Nodes=h5
SwitchName=switch1 Switches=leaf[1-3]
SwitchName=unmeasured Nodes=h[6-7,10]
SwitchName=top Switches=switch1,unmeasured
END
  grep -q '^# leaf1 and following: groups of communication layer .* 60 us$' <<<"$output"
  grep -q '^# leaf3 and following: groups of communication layer .* 120 us$' <<<"$output"
}

@test "a layer that is not trusted makes no switches" {
  jq '.network.layers[1].confidence = 0.3' "$leaves" >"$BATS_TEST_TMPDIR/doubted.json"
  servet export --format slurm-topology "$BATS_TEST_TMPDIR/doubted.json"
  diff <(grep -v '^#' <<<"$output") - <<'END'
SwitchName=leaf1 Nodes=h[0-5]
SwitchName=unmeasured Nodes=h[6-7,10]
SwitchName=top Switches=leaf1,unmeasured
END
  jq '.network.layers[1,2].confidence = 0.3' "$leaves" >"$BATS_TEST_TMPDIR/doubted.json"
  servet export --format slurm-topology "$BATS_TEST_TMPDIR/doubted.json"
  fails 1 "*no communication layer between nodes is trusted*"
  servet export --format slurm-topology "$together"
  fails 1 "*no communication layers between nodes*servet-mpi measure*"
}

@test "nodes whose names differ in the domain only are no nodes of Slurm" {
  jq 'walk(if . == "h1.example.org" then "h0.example.net" else . end)' "$leaves" >"$BATS_TEST_TMPDIR/alike.json"
  servet export --format slurm-topology "$BATS_TEST_TMPDIR/alike.json"
  fails 1 "*same name without their domains*"
}

@test "a folder gets topology.conf and topology.yaml, which have the nodes of --nodes, too" {
  servet export --format slurm-topology --nodes 'x[08-11],h7' -o "$BATS_TEST_TMPDIR/site" "$leaves"
  [ "$status" -eq 0 ] && [ -z "$output$stderr" ]
  [ "$(grep -v '^#' "$BATS_TEST_TMPDIR/site/topology.conf" | grep unmeasured | head -n 1)" = \
    'SwitchName=unmeasured Nodes=h[6-7,10],x[08-11]' ]
  diff <(grep -v '^#' "$BATS_TEST_TMPDIR/site/topology.yaml") - <<'END'
---
- topology: servet-tree
  cluster_default: true
  tree:
    switches:
    - switch: "leaf1"
      nodes: "h[0-2]"
    - switch: "leaf2"
      nodes: "h[3-4]"
    - switch: "leaf3"
      nodes: "h5"
    - switch: "switch1"
      children: "leaf[1-3]"
    - switch: "unmeasured"
      nodes: "h[6-7,10],x[08-11]"
    - switch: "top"
      children: "switch1,unmeasured"
- topology: servet-blocks
  cluster_default: false
  block:
    block_sizes:
    - 1
    blocks:
    - block: "leaf1"
      nodes: "h[0-2]"
    - block: "leaf2"
      nodes: "h[3-4]"
    - block: "leaf3"
      nodes: "h5"
    - block: "unmeasured"
      nodes: "h[6-7,10],x[08-11]"
END
  servet export --format slurm-topology --nodes 'x[08' "$leaves"
  fails 1 "*not a list of nodes: 'x\[08'*"
}

@test "--compare names the nodes that the site's file has under another switch" {
  site=$BATS_TEST_TMPDIR/site.conf
  cat >"$site" <<'END'
# The switches as they were bought.
SwitchName=s1 Nodes=h[0-3] LinkSpeed=5
SwitchName="s2" \
  Nodes="h[4-6],z9"
switchname=s3 switches=s[1-2]
END
  servet export --format slurm-topology --compare "$site" "$leaves"
  [ "$status" -eq 1 ] && [ -z "$stderr" ]
  diff - <(sort <<<"$output") <<END
2 of 6 measured nodes hang elsewhere; 2 nodes missing, 3 not measured
h3: measured under leaf2 (h[3-4]), in $site under s1 (h[0-3])
h5: measured under leaf3 (h5), in $site under s2 (h[4-6],z9)
h[7,10]: not in $site
z9: not in the profile
END
  "$SERVET" export --format slurm-topology "$leaves" >"$site"
  servet export --format slurm-topology --compare "$site" "$leaves"
  [ "$status" -eq 0 ]
  [ "$output" = '0 of 6 measured nodes hang elsewhere; 0 nodes missing, 3 not measured' ]
  printf '%s\n' '- topology: site' '  tree:' '    switches:' '    - {switch: s1, nodes: h1}' >"$site"
  servet export --format slurm-topology --compare "$site" "$leaves"
  fails 2 "servet: $site:4: maps in braces are not read*"
  "$SERVET" export --format slurm-topology "$leaves" >"$site"
  servet export --format slurm-topology --compare "$site" "$together"
  fails 2 "*no communication layers between nodes*"
  servet export --format slurm-topology --compare "$site" "$BATS_TEST_TMPDIR/none.json"
  fails 2 "*none.json*"
  for option in --compare --nodes; do
    servet export "$option" "$site" "$leaves"
    fails 2 "*$option*--format slurm-topology"
  done
}

# --- formats of a node class ----------------------------------------------------------------------

# together.json with the order of its PUs, which says which package has them.
ordered() {
  jq '.classes[0].machine.logical_order = "0-7"' "$SOURCE_ROOT/tests/data/profiles/together.json" >"$BATS_TEST_TMPDIR/ordered.json"
  printf '%s\n' "$BATS_TEST_TMPDIR/ordered.json"
}

@test "reframe: a processor has its measured caches, with PUs as bits" {
  servet export --format reframe --class default "$(ordered)"
  [ "$status" -eq 0 ]
  diff <(jq -S . <<<"$output") <(jq -S . <<'END'
{"num_cpus": 8, "num_cpus_per_core": 1, "num_cpus_per_socket": 4, "num_sockets": 2, "topology": {
  "numa_nodes": ["0xf", "0xf0"], "sockets": ["0xf", "0xf0"],
  "cores": ["0x1", "0x2", "0x4", "0x8", "0x10", "0x20", "0x40", "0x80"],
  "caches": [
    {"type": "L1", "size": 32768, "linesize": 64, "num_cpus": 1,
     "cpusets": ["0x1", "0x2", "0x4", "0x8", "0x10", "0x20", "0x40", "0x80"]},
    {"type": "L2", "size": 6291456, "linesize": 64, "num_cpus": 2, "cpusets": ["0x5", "0xa", "0x50", "0xa0"]}]}}
END
)
  # Neither a size that is not trusted nor packages that are not known are written.
  jq '.classes[0].kinds[].caches[1].bytes.trusted = false' "$SOURCE_ROOT/tests/data/profiles/together.json" >"$xml.doubted"
  servet export --format reframe --class default "$xml.doubted"
  [ "$(jq -c '[.topology.sockets, (.topology.caches | length)]' <<<"$output")" = '[null,1]' ]
  jq '.classes[0].machine.package_count = 0' "$SOURCE_ROOT/tests/data/profiles/together.json" >"$xml.flat"
  servet export --format reframe --class default "$xml.flat"
  [ "$(jq 'has("num_sockets")' <<<"$output")" = false ]
}

@test "reframe: references have the interval as threshold on the bad side" {
  command -v python3 >/dev/null || skip 'no python3 here'
  servet export --format reframe --class default -o "$BATS_TEST_TMPDIR/site" "$together"
  [ "$status" -eq 0 ] && [ -z "$output$stderr" ]
  # 6.5 GB/s, 5 % more or less; 1 ns, 1 % more or less
  python3 - "$BATS_TEST_TMPDIR/site/reference.py" <<'END'
import sys
exec(open(sys.argv[1]).read())
assert reference['*']['memory_read'] == (6500, -0.05, None, 'MB/s'), reference
assert reference['*']['l1_latency'] == (1, None, 0.01, 'ns'), reference
END
}

@test "sys-sage: tables are written beside the topology" {
  servet export --format sys-sage --topology "$quad" --class default -o "$BATS_TEST_TMPDIR/site" "$together"
  [ "$status" -eq 0 ] && [ -z "$output$stderr" ]
  diff "$BATS_TEST_TMPDIR/site/numa.csv" - <<'END'
src_numa;target_numa;ldlat(ns);bw(MB/s)
0;0;90;6500
0;1;150;4500
1;0;155;4250
1;1;91;6500
END
  diff "$BATS_TEST_TMPDIR/site/cores.csv" <(
    echo xcore,ycore,xylat
    for i in 0 1 2 3 4 5 6 7; do
      for j in 0 1 2 3 4 5 6 7; do
        if [ "$i" = "$j" ]; then continue
        elif [ $((i / 4)) != $((j / 4)) ]; then echo "$i,$j,110.00"
        elif [ $((i % 2)) = $((j % 2)) ]; then echo "$i,$j,22.50"
        else echo "$i,$j,60.00"; fi
      done
    done)
  grep -q LineLatency "$BATS_TEST_TMPDIR/site/topology.xml"
  # One pair that is not trusted: the importer would read beyond its table.
  jq '.classes[0].distance.layers[2].latency_ns.trusted = false' "$together" >"$xml.doubted"
  mkdir "$BATS_TEST_TMPDIR/part"
  echo old >"$BATS_TEST_TMPDIR/part/cores.csv"
  servet export --format sys-sage --topology "$quad" --class default -o "$BATS_TEST_TMPDIR/part" "$xml.doubted"
  [ "$status" -eq 0 ] && [[ $stderr == "servet: $BATS_TEST_TMPDIR/part/cores.csv: the latency between core "* ]]
  [ -e "$BATS_TEST_TMPDIR/part/numa.csv" ] && [ ! -e "$BATS_TEST_TMPDIR/part/cores.csv" ]
  # One core has no pairs.
  servet export --format sys-sage --topology '[numa] [numa] core:1 pu:8' --class default -o "$BATS_TEST_TMPDIR/one" "$together"
  [ "$status" -eq 0 ] && [ ! -e "$BATS_TEST_TMPDIR/one/cores.csv" ]
  [[ $stderr == "servet: $BATS_TEST_TMPDIR/one/cores.csv: "*"at least two cores" ]]
  servet export --format sys-sage --topology 'core:1 pu:4' --class default -o "$BATS_TEST_TMPDIR/one" "$(of_this_node node)"
  [ "$status" -eq 1 ] && [ "$(wc -l <<<"$stderr")" -eq 4 ]
  [ "${stderr##*$'\n'}" = "servet: $BATS_TEST_TMPDIR/one: nothing could be exported" ]
}

# Its schema demands these members of a cluster and a subcluster. The best of 1, 2, 4, 5, 6 and 8 PUs are six, of 3 GB/s each.
@test "clustercockpit: a subcluster for each class, without rates that are not known" {
  servet export --format clustercockpit --cluster 'the "big" one' "$(ordered)"
  [ "$status" -eq 0 ]
  diff <(jq -S . <<<"$output") <(jq -S --arg nodes "$(jq -r '.classes[0].nodes | join(",")' "$(ordered)")" '.subClusters[0].nodes = $nodes' <<'END'
{"name": "the \"big\" one",
 "metricConfig": [{"name": "mem_bw", "unit": {"base": "B/s", "prefix": "G"}, "scope": "socket", "timestep": 60,
   "aggregation": "sum", "peak": 18, "normal": 0, "caution": 0, "alert": 0}],
 "subClusters": [{"name": "default", "processorType": "Imaginary Quad", "socketsPerNode": 2, "coresPerSocket": 4,
   "threadsPerCore": 1, "flopRateScalar": {"unit": {"base": "F/s", "prefix": "G"}},
   "flopRateSimd": {"unit": {"base": "F/s", "prefix": "G"}},
   "memoryBandwidth": {"unit": {"base": "B/s", "prefix": "G"}, "value": 18},
   "topology": {"node": [0, 1, 2, 3, 4, 5, 6, 7], "socket": [[0, 1, 2, 3], [4, 5, 6, 7]],
     "memoryDomain": [[0, 1, 2, 3], [4, 5, 6, 7]], "core": [[0], [1], [2], [3], [4], [5], [6], [7]]}}]}
END
)
  # All cores in double precision, if the rate is trusted, which that of vectors is not.
  jq '.classes[0].peak = [{precision: "f64", width: "scalar", bits: 64, cores: 1, core: 0, rate: 12.5e9, trusted: true},
      {precision: "f64", width: "scalar", bits: 64, cores: 8, core: 0, rate: 99e9, trusted: true},
      {precision: "f64", width: "vector", bits: 256, cores: 8, core: 0, rate: 396e9, trusted: false},
      {precision: "f32", width: "vector", bits: 256, cores: 8, core: 0, rate: 792e9, trusted: true}] |
    .classes[0].peak |= map(.trusted as $trusted | del(.trusted) | .clock_hz = null | .rate |=
      {value: ., low: ., high: ., samples: 2, unit: "FLOP/s", method: "timed", trusted: $trusted})' \
    "$(ordered)" >"$BATS_TEST_TMPDIR/peaks.json"
  servet export --format clustercockpit --cluster big "$BATS_TEST_TMPDIR/peaks.json"
  [ "$status" -eq 0 ]
  [ "$(jq -c '.subClusters[0] | [.flopRateScalar.value, .flopRateSimd.value]' <<<"$output")" = '[99,null]' ]
  # The peak of the metric is that of the classes that are written.
  jq '.classes += [.classes[0] | .name = "slow" | .nodes = ["slow1"] | del(.memory)]' \
    "$(ordered)" >"$BATS_TEST_TMPDIR/two.json"
  servet export --format clustercockpit --cluster big --class slow "$BATS_TEST_TMPDIR/two.json"
  [ "$(jq -c '[.metricConfig[0].peak, (.subClusters | map(.name))]' <<<"$output")" = '[0,["slow"]]' ]
  servet export --format clustercockpit --cluster big "$SOURCE_ROOT/tests/data/profiles/together.json"
  fails 1 "*class default*in one socket*"
  servet export --format clustercockpit "$(ordered)"
  fails 2 '*needs the name of the cluster*--cluster NAME'
  servet export --cluster big "$(ordered)"
  fails 2 '*--cluster needs --format clustercockpit'
}
