#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `servet-mpi measure`: what it writes, what it refuses, how it goes on after a kill. Usage:
# measure.sh SOURCE_ROOT SERVET_MPI SERVET
set -eu
. "$1/tests/tap.sh"
. "$1/tests/processes.sh"
. "$1/tests/mpi/budget.sh"
launch=$1/tests/mpi/launch.sh
servet_mpi=$2
servet=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# measure RANKS OPTION...
measure() {
  ranks=$1
  shift
  run sh "$launch" "$ranks" "$servet_mpi" measure --quiet "$@"
}

# How many lines of $err are ours.
complaints() {
  printf '%s\n' "$err" | grep -c '^servet: '
}

run "$servet_mpi" measure --help
same "help needs no launcher" "$status" 0
holds "the help names the options" "$out" '*--message-size*'

measure 3 --only frob
ok "an unknown benchmark is refused" [ "$status" -ne 0 ]
same "only one rank reports an unknown benchmark" "$(complaints)" 1

measure 2 --only layers --buffers cold
holds "unknown buffers are refused" "$err" "*servet: --buffers must be warm, rotated or touched, not 'cold'*"

within 2 measure 1 --only node -o "$folder/one"
same "a rank alone may measure its node" "$status" 0
ok "a single rank writes a profile" [ -s "$folder/one/profile.json" ]

within 2 measure 2 --only layers -o "$folder/two"
same "two ranks have layers" "$status" 0
holds "the report of two ranks shows a layer" "$out" '*Communication of 2 processes on 1 node*layer 1*'
ok "the raw series of layers are written" [ -s "$folder/two/raw/layers-cores.csv" ]
same "the profile lists the node" "$("$servet" get class.nodes "$folder/two/profile.json")" 1

within 7 measure 4 --message-size 256K -o "$folder/all"
same "four ranks measure everything" "$status" 0
clean "four ranks print no errors" "$err"
holds "the report shows results of node and network" "$out" '*L1 *Communication of 4 processes on 1 node*'

within 2 measure 2 --only layers --buffers touched --json -o "$folder/two"
printf '%s\n' "$out" >"$folder/printed.json"
same "--json prints one document, the profile" "$("$servet" get class.nodes "$folder/printed.json")" 1
holds "the profile has the options of the measurement" "$("$servet" get run.options "$folder/printed.json")" "--only layers *--buffers touched*"
holds "the raw series have the options of the measurement" "$(head -n 1 "$folder/two/raw/layers-cores.csv")" "*touched buffers*"

# In the place of the user, where the profile of a larger cluster may be: at night, as it takes seven jobs.
if [ -n "${SERVET_THOROUGH-}" ]; then
  export XDG_DATA_HOME="$folder/home"
  place=$folder/home/servet/profile.json
  measure 2 --only layers
  same "without -o the profile is the user's" "$("$servet" get class.nodes "$place")" 1
  measure 2 --only layers
  same "a second job on the same nodes replaces it" "$status" 0
  sed 's/"nodes": \["\(.*\)"\]/"nodes": ["\1", "not-in-the-job"]/' "$place" >"$folder/larger.json"
  same "another profile has another node" "$("$servet" get class.nodes "$folder/larger.json")" 2
  cp "$folder/larger.json" "$place"
  measure 2 --only layers
  holds "a profile with nodes that the job has not is not replaced" "$err" \
    "*servet: $place: describes nodes that are not measured now, and is not replaced: use -o *, and servet merge *"
  ok "it stays as it was" cmp "$folder/larger.json" "$place"
  measure 2 --only layers --resume
  ok "neither to resume" [ "$status" -ne 0 ]
  measure 2 --only layers -o "$folder/apart"
  same "with -o it is measured" "$status" 0
  sed 's/"unfinished": ""/"unfinished": "curves"/' "$folder/larger.json" >"$place"
  same "a job is unfinished" "$("$servet" get run.unfinished "$place")" curves
  measure 2 --only layers
  ok "its profile is not replaced, either" [ "$status" -ne 0 ]
  measure 2 --only layers --resume
  same "it may be resumed on other nodes" "$status $("$servet" get class.nodes "$place")" "0 1"
  unset XDG_DATA_HOME
fi

# Another process on the core of a rank takes half of its time.
core=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
taskset -c "$core" sh -c 'while :; do :; done' &
load=$!
OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_hwloc_base_binding_policy
within 2 measure 2 --only layers -o "$folder/loaded"
unset OMPI_MCA_hwloc_base_binding_policy
kill "$load"
wait "$load" 2>/dev/null || :
holds "a node with noise is named" "$out" "*$(hostname): other work took *"
noise=$("$servet" get run.noise "$folder/loaded/profile.json") || noise=0
ok "the profile has the noise of the node" awk "BEGIN { exit !($noise > 0.25) }"

# Somebody lets the ranks run anywhere, again and again, once each has its core: what they say of an exchange ends with how
# often.
if [ -n "${SERVET_THOROUGH-}" ]; then
  all=$(taskset -cp $$ | sed 's/.*: //')
  sh "$launch" 2 "$servet_mpi" measure --quiet --only layers -o "$folder/moved" >"$folder/out" 2>&1 &
  job=$!
  while kill -0 "$job" 2>/dev/null; do
    for begun in "$folder"/moved/unfinished-mpi.*/progress.json; do
      [ -f "$begun" ] || continue
      for rank in $(pgrep -f "measure --quiet --only layers -o $folder/moved"); do
        taskset -a -cp "$all" "$rank" >/dev/null 2>&1 || :
      done
    done
    sleep 0.1
  done
  wait "$job" || :
  case $all in
    *[!0-9]*)
      ok "ranks that others moved say so" grep -qE '^noise .* = [0-9]+ (([^ ]+ ){8})*([^ ]+ ){7}1( |$)' "$folder"/moved/raw/answers-network-*.txt
      same "what ranks measured that others moved is not trusted" \
        "$("$servet" get layers.1.latency_us.trusted "$folder/moved/profile.json")" no
      ;;
    *) skip "ranks that others moved say so" "there is one core only" ;;
  esac
else
  skip "ranks that others moved say so" "a job more: at night only"
fi

# what_it_takes LINE: seconds of the node, and of all.
what_it_takes() {
  printf '%s\n' "$1" | sed -n 's/^takes about \([0-9]*\) s: node \([0-9]*\) s, layers .*/\2 \1/p'
}

run sh "$launch" 2 "$servet_mpi" measure --dry-run -o "$folder/dry"
same "--dry-run predicts the time without measuring" "$status" 0
costs=$(what_it_takes "$out")
ok "--dry-run predicts the time of nodes and network: $out" [ "${costs% *}" -gt 0 ] && [ "${costs#* }" -gt "${costs% *}" ]
ok "--dry-run writes nothing" [ ! -e "$folder/dry" ]
run sh "$launch" 2 "$servet_mpi" measure --dry-run --budget 10
holds "--dry-run shows how a budget is divided" "$out" "*; budget 10 s, shared as if nodes were busy: nodes * s, network * s"

# shellcheck disable=SC2317 # called through others
knows_layers() {
  "$servet" get layers.1.latency_us "$folder"/killed/unfinished-*/progress.json
}

# shellcheck disable=SC2317 # called through others
knows_layers_or_ended() {
  knows_layers || ! kill -0 "$job"
}

# kill_at_layers SECONDS: the nodes are done when the network is begun; there a job with that budget is killed. Fails if it
# ended before, for that was too short here.
kill_at_layers() {
  rm -rf "$folder/killed"
  sh "$launch" 2 "$servet_mpi" measure --only node,layers,curves --budget "$1" -o "$folder/killed" \
    >"$folder/out" 2>"$folder/err" &
  job=$!
  wait_until 300 knows_layers_or_ended || :
  known=0
  knows_layers >/dev/null 2>&1 || known=$?
  pkill -KILL -P "$job" || :
  wait "$job" || :
  return "$known"
}

budget=5
until kill_at_layers "$budget" || [ "$budget" -gt 100 ]; do
  budget=$((2 * budget))
done
ok "a killed job leaves a profile with its results so far" "$servet" get caches.count "$folder/killed/profile.json"
holds "the profile says what is unfinished" "$("$servet" show "$folder/killed/profile.json")" \
  "*! Unfinished: *curves not measured yet; --resume continues*"
measure 2 --only node,layers --budget 10 -o "$folder/killed" --resume
holds "a run begun with other options is not resumed" "$err" "servet: cannot resume: the options changed from --only node,layers,curves to *"
measure 3 --only node,layers,curves --budget 10 -o "$folder/killed" --resume
holds "a run begun with other processes is not resumed" "$err" "servet: cannot resume: the processes have changed: $(hostname) had 2 on cores *, now 3 on *"
within 5 measure 2 --only node,layers,curves -o "$folder/killed" --resume
same "a run with the same options and another budget is resumed" "$status" 0
ok "the resumed run has the caches of the node" "$servet" get caches.count "$folder/killed/profile.json"
clean "the resumed run completes the profile" "$("$servet" get run.unfinished "$folder/killed/profile.json")"
clean "servet show reports nothing unfinished" "$("$servet" show "$folder/killed/profile.json" | grep Unfinished)"
clean "the resumed run removes its temporary files" "$(find "$folder/killed" -name 'unfinished*')"
done_testing
