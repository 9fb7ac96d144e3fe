# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Reports the state of the runs in the output folder and what to do next. It changes nothing. runs.sh describes the files.

show_status() {
  queued='' running='' finished='' failed='' stuck='' unknown='' missing=''
  look_anew
  for script in "$job"/n*.sh; do
    [ -f "$script" ] || die "$opt_output has no measurement (use --output to name its folder)"
    run=${script##*/}
    run=${run%.sh}
    show_run
  done
  for group in queued running finished failed stuck unknown; do
    eval "runs=\$$group"
    [ -z "$runs" ] || one_line "$group:$runs"
  done
  [ -z "$missing" ] || one_line "missing in $opt_output/profile.json:$missing"
  one_line "next: $(next_step)"
}

# Prints a line about run $run and adds the run to the list for its state.
show_run() {
  hear "$run"
  id=$(cat -- "$job/$run.id" 2>/dev/null) || id=''
  find_end
  case $says:$state in
  done:*) finished="$finished $run" text=finished ;;
  *:ended*)
    failed="$failed $run" text=$(end_words)
    ! is_unseen || unshared=yes
    ;;
  :) text="not submitted" ;;
  *:waiting*) queued="$queued $run" text="queued: ${state#waiting }" ;;
  *:running) running="$running $run" text="running on $(paste -s -d ' ' "$job/$run.nodes" 2>/dev/null || :)" ;;
  *:never*) stuck="$stuck $run" text="can never run (${state#never }): $(scheduler_cancel_words "$id") ends it" ;;
  *) unknown="$unknown $run" text="unknown: the scheduler does not answer" ;;
  esac
  [ "$says" = "done" ] || missing="$missing $run"
  one_line "$run${id:+ (job $id)}: $text"
}

# Sets $state and $why of run $run from its job's report or, if the job has not reported an end, from the scheduler.
find_end() {
  why='' state='ended '
  case $says in
  'done' | failed*) ;;
  ended*) why=${says#ended } ;;
  *)
    state=''
    [ -z "$id" ] || state=$(state_of "$id")
    why=$(end_from_outside)
    ;;
  esac
}

next_step() {
  folder="--output $(quote_words "$opt_output")"
  if [ "$unshared" ]; then
    say "$must_share"
  elif [ "$unknown" ]; then
    say "try again when the scheduler answers"
  elif [ "$running$queued" ]; then
    say "wait until the jobs have ended, then call servet-job --status $folder again"
  elif [ "$stuck" ]; then
    say "end these jobs, then servet-job --resume $folder with other options submits their runs"
  elif [ "$missing" ]; then
    say "servet-job --resume $folder submits what is missing"
  elif cmp -s -- "$opt_output/profile.json" "$place/$opt_name/profile.json"; then
    say "nothing; the profile is installed as $place/$opt_name/profile.json"
  elif servet=$(find_program servet) && ! reason=$("$servet" check --fitness "$opt_output/profile.json" 2>&1); then
    say "$reason"
  else
    say "servet-job --install $folder"
  fi
}
