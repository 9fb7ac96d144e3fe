# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# The life of the runs once they are submitted (submit.sh): waited for, reported. In folder job of
# the output, run R has R.sh (the script), R.log (what it printed), R.out (what the scheduler added),
# R.id (its job), and, written by the job, R.nodes (where it runs) and R.state (running ID, done, failed
# STATUS, or ended WHY by somebody else). Folder runs/R has the profile and the raw series of run R alone.
# shellcheck disable=SC2154,SC2034 # settings come from choose.sh, and go to lock.sh

submitted=''
unfinished=''
held=''

run_says() {
  cat -- "$job/$1.state" 2>/dev/null || :
}

# --- waiting --------------------------------------------------------------------------------------

# Seconds between two questions to the scheduler; sites complain about less.
poll=${SERVET_POLL:-10}

# Looks at a job after the first that said it has ended: its last words may take a while to come through a network
# file system; and PBS looks only every 10 s whether a job has followed its TERM, until which it does not say why.
last_words=3
last_looks=20

wait_for_runs() {
  trap 'interrupted 130' INT
  trap 'interrupted 143' TERM
  for entry in $submitted; do
    run=${entry%%:*}
    id=${entry#*:}
    wait_for_run
  done
  locks_stay=''
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# It has ended when both say so, or when one of them has for a while: the scheduler copies the output
# when the script has ended, and may forget the job at once.
wait_for_run() {
  shown_state=''
  shown_lines=0
  ended=0
  while :; do
    state=$(scheduler_state "$id")
    says=$(run_says "$run")
    show_log
    case $says:$state in
    done:ended* | failed*:ended* | ended*:ended*) break ;;
    failed*:running | ended*:running)
      ended=$((ended + 1))
      [ "$ended" -lt "$last_looks" ] || break
      ;;
    done:* | failed*:* | ended*:* | *:ended*)
      ended=$((ended + 1))
      [ "$ended" -lt "$last_words" ] || break
      ;;
    *:never*)
      scheduler_cancel "$id" >&2 || :
      note_unfinished "can never run and was withdrawn (${state#never })"
      return
      ;;
    *) show_state ;;
    esac
    sleep "$poll"
  done
  [ "$says" = "done" ] || tell_end
}

# Why run $run, job $id, has ended, of which $says and $state know. What somebody else has done counts more than
# the status that the script had from it, and is kept: the scheduler may forget it.
tell_end() {
  why=$(end_from_outside)
  case $says:$why in
  failed*:) note_unfinished "failed with status ${says#failed }, see $job/$run.log" ;;
  *)
    write_file "$job/$run.state" say "ended ${why:-for an unknown reason}"
    note_unfinished "was terminated (${why:-for an unknown reason})"
    ;;
  esac
}

end_from_outside() {
  case $says:$state in
  failed*:'ended status '*) why='' ;;
  ended*:'ended status '* | ended*:'ended ') why=${says#ended } ;;
  *:ended*) why=${state#ended} && why=${why# } ;;
  ended*) why=${says#ended } ;;
  *) why='' ;;
  esac
  words=$(scheduler_last_words "$job/$run.out" 2>/dev/null) || :
  say "$why${why:+${words:+: }}$words"
}

# With --resume, what became of the runs that nobody has waited for.
tell_ends() {
  for run in $left; do
    says=$(run_says "$run")
    case $says in
    '' | running*) [ -s "$job/$run.id" ] || continue ;;
    *) continue ;;
    esac
    id=$(cat -- "$job/$run.id")
    state=$(scheduler_state "$id")
    tell_end
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
  if ! scheduler_is_batch; then
    end_processes
    locks_stay=''
  else
    note "the jobs continue; $(scheduler_cancel_words "$id") ends one of them"
  fi
  note "when they have ended, run servet-job --resume --output $(quote_words "$opt_output")"
  exit "$1"
}

end_processes() {
  for entry in $submitted; do
    scheduler_cancel "${entry#*:}" 2>/dev/null || :
  done
  for entry in $submitted; do
    await_end "${entry#*:}"
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
  die "not measured:$unfinished; results so far are kept in $opt_output;" \
    "servet-job --resume --output $(quote_words "$opt_output") submits the rest"
}
