#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet map: what it prints and refuses. The nodes h1 h2 h3 of the profile have the cores 0-5, and
# no fact in the profile makes one core better than another.

load common

setup() {
  private_home
  cluster=$SOURCE_ROOT/tests/data/profiles/cluster.json
}

# prints EXPECTED WORD...: checks that map prints EXPECTED on standard output, and no command.
prints() {
  launches '' "$@"
  [ -z "$stderr" ]
}

# launches COMMAND EXPECTED WORD...: checks that map prints EXPECTED, and COMMAND on standard error.
launches() {
  local command=$1 expected=$2
  shift 2
  servet map "$@" --nodes h3,h1 "$cluster"
  [ "$status" -eq 0 ]
  [ "$stderr" = "$command" ]
  [ "$output" = "$expected" ]
}

@test "a placement is printed with a line for each rank" {
  prints $'0 h3 0\n1 h3 1' -n 2
  prints $'0 h3 0\n1 h3 1' --processes=2 --class memory --format text
  prints $'0 h3 0,1,2,3\n1 h1 0,1,2,3' -n 2 --threads-per-process 4
}

@test "nodes that the profile does not list take the named class" {
  servet map -n 2 --nodes h3,nobody --node-class hybrid --order cyclic "$cluster"
  [ "$output" = $'0 h3 0\n1 nobody 0' ]
}

@test "the completion offers the formats that the help lists, and the man page explains them" {
  local word
  servet map --help
  [[ $output == *"output format: text, json, "*" (default: text)"* ]]
  for word in $(completions "$SERVET" map --format ''); do
    [[ $output == *" $word"[,\ ]* ]]
    grep -qF "*$word*" "$SOURCE_ROOT/share/man/servet.1.scd"
  done
  [ "$(completions "$SERVET" map --format '' | wc -l)" -ge 8 ]
}

# commented COMMAND EXPECTED WORD...: the output begins with the command, too.
commented() {
  launches "$1" "# $1"$'\n'"$2" "${@:3}"
}

@test "every format is written, with the command of its launcher" {
  commented 'mpirun -n 1 --mca rmaps_rank_file_physical 1 --use-hwthread-cpus --rankfile FILE PROGRAM' \
    'rank 0=h3 slot=0' -n 1 --format openmpi-rankfile
  commented 'SLURM_HOSTFILE=FILE srun --ntasks=2 --distribution=arbitrary --cpu-bind=map_cpu:0,1 PROGRAM' \
    $'h3\nh3' -n 2 --format slurm
  commented 'mpiexec -n 2 -f FILE -bind-to user:0,1 PROGRAM' 'h3:2' -n 2 --format mpich
  launches 'mpirun -n 7 --hostfile FILE --map-by seq --bind-to none PROGRAM' $'h3\nh3\nh3\nh3\nh3\nh3\nh1' \
    -n 7 --format pbs
  launches 'OMP_NUM_THREADS=2 OMP_PROC_BIND=close OMP_PLACES="$(cat FILE)" PROGRAM' '{0},{1}' -n 2 --format omp-places
  prints $'{"threads": 1, "processes": [\n  {"rank": 0, "host": "h3", "cores": [0]}\n]}' -n 1 --format json
  jq '.classes[].machine.logical_order = "3-5,0-2"' "$cluster" >"$BATS_TEST_TMPDIR/numbered.json"
  cluster=$BATS_TEST_TMPDIR/numbered.json
  commented 'mpirun -n 1 --use-hwthread-cpus --map-by rankfile:file=FILE:hwtcpus PROGRAM' \
    'rank 0=h3 slot=3' -n 1 --format openmpi5-rankfile
}

@test "--work says which speeds of core types count" {
  jq '.classes[0].peak = [[0, 2e9], [2, 8e9] | {precision: "i64", width: "scalar", bits: 64, cores: 1, core: .[0], clock_hz: null,
    rate: {value: .[1], low: .[1], high: .[1], samples: 9, unit: "FLOP/s", method: "timed", trusted: true}}]' "$cluster" >"$BATS_TEST_TMPDIR/types.json"
  for work in integer:2 vector:0; do
    servet map -n 1 --nodes h3 --work ${work%:*} "$BATS_TEST_TMPDIR/types.json"
    [ "$status" -eq 0 ]
    [ "$output" = "0 h3 ${work#*:}" ]
  done
  servet map -n 5 --nodes h3 --work integer --explain --json "$BATS_TEST_TMPDIR/types.json"
  [ "$(jq -c '[.placements[].speed]' <<<"$output")" = '[0.25,0.25,0.25]' ]
  servet map -n 1 --work play "$cluster"
  fails 2 "servet: --work must be usual, vector, integer or memory, not 'play'"
}

@test "the command names the output file" {
  servet map -n 1 --nodes h3 --format mpich -o "$BATS_TEST_TMPDIR/a b" "$cluster"
  [ "$status" -eq 0 ]
  [ -z "$output" ]
  [[ $stderr == "mpiexec -n 1 -f '$BATS_TEST_TMPDIR/a b' -bind-to user:0 PROGRAM" ]]
  [ "$(grep -v '^#' "$BATS_TEST_TMPDIR/a b")" = h3:1 ]
  servet map -n 1 --explain -o "$BATS_TEST_TMPDIR/none" "$cluster"
  fails 2 "servet: --explain and --output exclude each other"
  [ ! -e "$BATS_TEST_TMPDIR/none" ]
}

@test "documents use the commands that are printed" {
  local line lines
  job=$SOURCE_ROOT/tests/data/profiles/job.json
  cd "$BATS_TEST_TMPDIR"
  servet map -n 8 --pattern stencil-2d --format openmpi-rankfile -o ranks "$job"
  lines=$(cd "$SOURCE_ROOT" && grep -rhoE 'mpirun .*--rankfile +[^ ]+ ' README.md examples share/man share/doc)
  [ "$(wc -l <<<"$lines")" -ge 6 ]
  while read -r line; do
    [ "$line" = "${stderr% PROGRAM}" ]
  done <<<"$lines"
  servet map -n 4 --class memory --format omp-places --nodes 1 -o places "$job"
  grep -qF "${stderr% PROGRAM} ./program" "$SOURCE_ROOT/share/doc/tuning.md"
}

@test "a number selects the first nodes" {
  servet map -n 6 --nodes 1 --format pbs "$cluster"
  [ "$output" = $'h1\nh1\nh1\nh1\nh1\nh1' ]
  servet map -n 7 --nodes 1 "$cluster"
  fails 1 "*7 processes of 1 thread do not fit: the cores suffice for 6 on 1 node"
}

@test "the orders of schedulers are accepted" {
  prints $'0 h3 0\n1 h1 0\n2 h3 1' -n 3 --order cyclic
  prints $'0 h3 0\n1 h3 1\n2 h3 2' -n 3 --order block
}

# Two nodes of four cores; messages within them are faster.
@test "traffic decides the placement" {
  job=$SOURCE_ROOT/tests/data/profiles/job.json
  printf '%s\n' '# in twos, far apart' '0 7 1e5' '1 6 1e5' '2 5 1e5' '3 4 1e5' >"$BATS_TEST_TMPDIR/twos"
  servet map -n 8 --matrix "$BATS_TEST_TMPDIR/twos" "$job"
  [ "$status" -eq 0 ]
  for pair in '0 7' '1 6' '2 5' '3 4'; do
    [ "$(grep -cE "^[${pair// /}] node01 " <<<"$output")" != 1 ]
  done
  servet map -n 8 --pattern all-to-all --message-size 4K "$job"
  [ "$output" = $'0 node01 0\n1 node01 1\n2 node01 2\n3 node01 3\n4 node02 0\n5 node02 1\n6 node02 2\n7 node02 3' ]
}

# In a ring with alternating nodes all messages cross: 1 MiB takes 1280 us there and 256 us within a node. That is
# beyond the largest message measured, and so not trusted.
@test "--explain gives the reasons of a placement" {
  job=$SOURCE_ROOT/tests/data/profiles/job.json
  servet map -n 8 --pattern ring --explain "$job"
  [ "$status" -eq 0 ]
  [[ $output == "8 processes of 1 thread, limited by communication; messages: ring"* ]]
  [[ $output == *" servet "*" block "*" cyclic"* ]]
  grep -qE '^each alone, added up, us +8192 +8192 +20480$' <<<"${output//2.048e+04/20480}"
  grep -qE '^rule 4: ratNC of a node +2 +2 +2$' <<<"$output"
  [[ $output == *"take as long in block order"* ]]
  servet map -n 8 --pattern ring --explain --json "$job"
  [ "$(jq -r '.placements | map(.order) | join(" ")' <<<"$output")" = 'servet block cyclic' ]
  jq -e '.placements[0].seconds == .placements[1].seconds' <<<"$output"
  jq -e '.placements[2].work == 16 * 1280e-6 and .placements[2].nodes == 2' <<<"$output"
  jq -e '.placements[0].memory == null and (.placements[0].trusted | not) and
    .idle == [{"resource": "network", "per_node": 4, "gain": 1, "each": 1, "trusted": true}]' \
    <<<"$output"
  servet map -n 2 --explain "$cluster"
  [[ $output == *"messages: unknown (all-to-all assumed)"* ]]
}

@test "malformed and contradictory traffic is refused" {
  job=$SOURCE_ROOT/tests/data/profiles/job.json
  file=$BATS_TEST_TMPDIR/matrix
  printf '0 1 8\n1 0 -8\n' >"$file"
  servet map -n 2 --matrix "$file" "$job"
  fails 1 "*matrix:2: '-8' bytes are less than none"
  printf '0 1 8\n' >"$file"
  servet map -n 3 --matrix "$file" "$job"
  fails 1 "*matrix: rank 2 of 3 is missing*"
  servet map -n 1 --matrix "$file" "$job"
  fails 1 "*matrix:1: there is no rank 1, only 0 to 0"
  servet map -n 2 --matrix "$file.none" "$job"
  fails 1 "*matrix.none: *"
  servet map -n 2 --matrix "$file" --pattern ring "$job"
  fails 2 "*--matrix and --pattern exclude each other"
  servet map -n 2 --pattern star "$job"
  fails 2 "*--pattern must be ring, *, not 'star'"
  servet map -n 2 --order random "$job"
  fails 2 "*--order must be servet, block or cyclic, not 'random'"
  servet map -n 9 --pattern ring "$job"
  fails 1 "*9 processes of 1 thread do not fit: the cores suffice for 8 on 2 nodes"
  servet map -n 2 --pattern ring "$cluster"
  fails 1 "*the profile has no message costs: run servet-mpi measure"
}

@test "missing, wrong and unsuitable options are refused" {
  servet map "$cluster"
  fails 2 "*map needs -n N*"
  servet map -n 1 --class fast "$cluster"
  fails 2 "*--class must be memory or communication, not 'fast'"
  servet map -n 1 --format card "$cluster"
  fails 2 "*--format must be text, *, not 'card'"
  servet map -n 1 --threads-per-process 0 "$cluster"
  fails 2 "*--threads-per-process must be a whole number from 1 to *"
  servet map -n 1 --nodes nobody "$cluster"
  fails 1 "*no node class lists nobody: name the class of nodes that were not measured"
  servet map -n 1 --nodes nobody --node-class none "$cluster"
  fails 1 "*the profile has no node class 'none'"
  servet map -n 1 --nodes h1 --format openmpi5-rankfile "$cluster"
  fails 1 "*the profile has none for core 0 of h1 (machine.logical_order): measure it again"
  servet map -n 7 --nodes h1,h2 --format omp-places "$cluster"
  fails 1 "*must be on one node, but the placement uses several"
  servet map -n 1 "$cluster" "$cluster"
  fails 2 "*unexpected*"
}

@test "computing is added to the messages of a step, and steps are compared" {
  job=$SOURCE_ROOT/tests/data/profiles/job.json
  servet map -n 8 --pattern ring --message-size 32K --explain --json "$job"
  jq -e '.computing == 0 and (.placements | all(.step == .seconds))' <<<"$output"
  servet map -n 8 --pattern ring --message-size 32K --explain --json --computing 0.5 "$job"
  jq -e '.computing == 0.5 and (.placements | all((.step - .seconds - 0.5) | fabs < 1e-6))' <<<"$output"
  servet map -n 8 --pattern ring --message-size 32K --explain --computing 0.5 "$job"
  [[ $output == *$'\npredicted: a step takes as long in cyclic order'* ]]
  servet map -n 8 --pattern ring --message-size 32K --explain "$job"
  [[ $output == *$'\npredicted: messages take '*' times as long in cyclic order'* ]]
  servet map -n 8 --explain --computing -1 "$job"
  fails 2 "*--computing*"
}

@test "costs from values that are not trusted say so; --trusted-only placements ignore these values" {
  local doubt=$BATS_TEST_TMPDIR/doubt.json
  job=$SOURCE_ROOT/tests/data/profiles/job.json
  jq '.network.layers[1].points[].time_us.trusted = false | .network.layers[1].latency_us.trusted = false |
      .network.doubts = [{fact: "layers.2.groups", reason: "node02: other work took 51 %"}]' "$job" >"$doubt"
  servet map -n 8 --pattern ring --message-size 32K --explain --json "$job"
  jq -e '.placements | all(.trusted)' <<<"$output"
  servet map -n 8 --pattern ring --message-size 32K --explain --json "$doubt"
  [ "$status" -eq 0 ]
  jq -e '.placements | all(.trusted == false)' <<<"$output"
  servet map -n 8 --pattern ring --message-size 32K --explain "$doubt"
  grep -qE '^from trusted facts only +no +no +no$' <<<"$output"
  [[ $output == *$'\n(not trusted) predicted: messages take as long in block order'* ]]
  servet map -n 8 --pattern ring --trusted-only "$doubt"
  fails 1 "servet: the placement depends on facts that are not trusted"
  servet map -n 8 --pattern ring --trusted-only "$job"
  [ "$status" -eq 0 ]
}
