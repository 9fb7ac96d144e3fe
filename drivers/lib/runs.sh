# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# The life of the runs: written, submitted one after the other, waited for, reported. In folder job of
# the output, run R has R.sh (the script), R.log (what it printed), R.out (what the scheduler added),
# R.id (its job), and, written by the job, R.nodes (where it runs) and R.state (running ID, done, or failed
# STATUS). Folder runs/R has the profile and the raw series of run R alone.
# shellcheck disable=SC2154,SC2034 # settings come from choose.sh, and go to lock.sh

run_says() {
  cat -- "$job/$1.state" 2>/dev/null || :
}

# Settings for --resume; a measurement from the beginning puts away what an earlier one has left.
prepare_output() {
  if [ -z "$opt_resume" ]; then
    rm -f -- "$job"/n*.sh "$job"/n*.log "$job"/n*.out "$job"/n*.id "$job"/n*.state "$job"/n*.hosts \
      "$job"/n*.nodes
    if [ -d "$opt_output/runs" ]; then
      rm -rf -- "$opt_output/runs.1"
      mv -- "$opt_output/runs" "$opt_output/runs.1"
    fi
    [ ! -f "$opt_output/profile.json" ] ||
      mv -f -- "$opt_output/profile.json" "$opt_output/profile.json.1"
  fi
  write_file "$job/settings" print_options
}

# --- submitting -----------------------------------------------------------------------------------

# All scripts before the first submission: what is wrong shows before a job is there.
write_scripts() {
  left=''
  for run in $(all_runs); do
    [ "$(run_says "$run")" != "done" ] || continue
    left="$left $run"
    choose_run "$run"
    scheduler_check
    write_file "$job/$run.sh" job_script
  done
}

# A job inside an allocation is a process here.
submit_runs() {
  write_scripts
  [ -n "$left" ] || note "nothing is left to measure in $opt_output"
  submitted_to=$opt_scheduler
  submitted=''
  after=''
  for run in $left; do
    submit_run
  done
}

run_here() {
  opt_wait=yes
  for count in $(words "$opt_nodes"); do
    [ "$count" -le "$(scheduler_nodes_here)" ] ||
      die "--nodes: $count were asked for, and this job has $(scheduler_nodes_here)"
  done
  write_scripts
  submitted_to=local
  load_scheduler local
  submitted=''
  after=''
  for run in $left; do
    submit_run
  done
  wait_for_runs
}

submit_run() {
  rm -f -- "$job/$run.state" "$job/$run.id"
  id=$(cd -- "$job" && scheduler_submit "$run.sh" "$after" 2>"$run.out") || refused
  id=${id##*"$newline"}
  case $id in
  '' | *[!]A-Za-z0-9_.@[-]*) refused ;;
  esac
  [ ! -s "$job/$run.out" ] || cat -- "$job/$run.out" >&2
  add_to_locks "$id" "$run"
  write_file "$job/$run.id" say "$id"
  after=$id
  submitted="$submitted $run"
  say "job $id submitted: $run, output in $opt_output"
}

refused() {
  die "$run was not submitted:" "$({ cat -- "$job/$run.out" && say "$id"; } 2>/dev/null | tr -s '\n' ' ')"
}

# --- waiting --------------------------------------------------------------------------------------

# Seconds between two questions to the scheduler; sites complain about less.
poll=${SERVET_POLL:-10}

# A job's last words may take a while to come through a network file system.
last_words=3

# What run $run, job $id, is about: its own words first, for the scheduler may have forgotten it.
run_state() {
  case $(run_says "$run") in
  done | failed*) run_says "$run" ;;
  *) scheduler_state "$id" ;;
  esac
}

wait_for_runs() {
  unfinished=''
  trap 'interrupted 130' INT
  trap 'interrupted 143' TERM
  for run in $submitted; do
    id=$(cat -- "$job/$run.id")
    wait_for_run
  done
  locks_stay=''
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

wait_for_run() {
  shown_state=''
  shown_lines=0
  ended=0
  while :; do
    state=$(run_state)
    show_log
    case $state in
    done) break ;;
    failed*) note_unfinished "failed with status ${state#failed }, see $job/$run.log" && break ;;
    ended*)
      ended=$((ended + 1))
      [ "$ended" -lt "$last_words" ] ||
        { note_unfinished "was ended from outside (${state#ended })" && break; }
      ;;
    never*)
      scheduler_cancel "$id" >&2 || :
      note_unfinished "can never run and was withdrawn (${state#never })" && break
      ;;
    *) show_state ;;
    esac
    sleep "$poll"
  done
}

show_state() {
  [ "$state" = "$shown_state" ] || note "job $id ($run): $state"
  shown_state=$state
}

# What the run has printed since.
show_log() {
  [ -f "$job/$run.log" ] || return 0
  lines=$(($(wc -l <"$job/$run.log")))
  [ "$lines" -le "$shown_lines" ] || sed -n "$((shown_lines + 1)),${lines}p" "$job/$run.log" >&2
  shown_lines=$lines
}

note_unfinished() {
  note "$run (job $id) $1"
  unfinished="$unfinished $run"
}

# A process of this machine ends with us; jobs of a batch system do not.
interrupted() {
  trap '' INT TERM
  if [ "$submitted_to" = local ]; then
    end_processes
    locks_stay=''
  else
    note "the jobs go on; $(scheduler_cancel_words "$id") ends one of them"
  fi
  note "when they have ended: servet-job --resume --output $(quote_words "$opt_output")"
  exit "$1"
}

end_processes() {
  for run in $submitted; do
    id=$(cat -- "$job/$run.id")
    scheduler_cancel "$id" 2>/dev/null || :
  done
  for run in $submitted; do
    await_end "$(cat -- "$job/$run.id")"
  done
}

# It stores what it has on the way.
await_end() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ "$(scheduler_state "$1")" = running ] || return 0
    sleep 1
  done
}

report_runs() {
  [ -n "$unfinished" ] || return 0
  die "not measured:$unfinished; what was measured is kept in $opt_output, and" \
    "servet-job --resume --output $(quote_words "$opt_output") submits the rest"
}
