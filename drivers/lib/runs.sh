# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Waits for submitted runs (submit.sh) and reports them. In folder job of
# the output, run R has R.sh (the script), R.log (what it printed), R.report (the report of the measurement), R.out (what the scheduler added),
# R.id (its job), and, written by the job, R.first (its first node, at once), R.nodes (where it runs) and R.state (running ID, done, failed
# STATUS, or ended WHY by somebody else). Folder runs/R has the profile and the raw series of run R alone.

submitted=''
unfinished=''
unshared=''
held=''

# Makes an NFS client see new files in the folder of jobs: for up to a minute it remembers that a file did not exist,
# unless it changes the folder itself.
look_anew() {
  { : >"$job/look"; } 2>/dev/null || :
  discard "$job/look"
}

# Sets $says to what run $1 says of its state.
hear() {
  says=''
  { IFS= read -r says <"$job/$1.state"; } 2>/dev/null || :
}

# Prints the state of job $1. A job PROCESS@HOST is a process of this machine.
state_of() (
  case $1 in
  *[!0-9]*@*) ;;
  [0-9]*@*) load_scheduler "$local_scheduler" ;;
  esac
  scheduler_state "$1"
)

# --- waiting --------------------------------------------------------------------------------------

# Seconds between two queries to the scheduler; more frequent queries would load the scheduler of a site.
poll=${SERVET_POLL:-10}

check_poll() {
  case $poll in
  *[!0-9.]* | *.*.*) ;;
  *[1-9]*) return ;;
  esac
  usage_error "SERVET_POLL must be a number of seconds above 0, not '$poll'"
}

# Further polls after one side says that the job has ended. last_words: its last output may arrive late through a network
# file system. last_looks: after TERM, PBS looks at the job only every 10 s, and reports the reason then.
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

# Waits until run $run, job $id, has ended: until both its state file and the scheduler say so, or one of them has said so
# for several polls. The scheduler copies the output after the script has ended, and may forget the job at once.
wait_for_run() {
  shown_state=''
  shown_lines=0
  ended=0
  while :; do
    state=$(scheduler_state "$id")
    case $state in
    ended*) look_anew ;;
    esac
    hear "$run"
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
      reason=$(scheduler_cancel "$id" 2>&1) || note "cannot end job $id: $reason"
      note_unfinished "can never run and was withdrawn (${state#never })"
      return
      ;;
    *) show_state ;;
    esac
    sleep "$poll"
  done
  [ "$says" = "done" ] || tell_end
}

# Reports why run $run, job $id, has ended, from $says (its state file) and $state (the scheduler). A signal or limit
# explains the status of the script, so it is reported instead. It is stored, because the scheduler may forget it.
tell_end() {
  why=$(end_from_outside)
  note_unfinished "$(end_words)"
  if is_unseen; then
    unshared=yes
  elif ! is_own_failure; then
    write_file "$job/$run.state" say "ended ${why:-for an unknown reason}"
  fi
}

end_words() {
  if is_unseen; then
    say "failed: $(why_unseen)"
  elif is_own_failure; then
    say "failed with status ${says#failed }, see $job/$run.log"
  else
    say "was terminated (${why:-for an unknown reason})"
  fi
}

is_own_failure() {
  case $says:$why in
  failed*:) ;;
  *) return 1 ;;
  esac
}

# Succeeds if run $run ended because a node does not see the folder: either a node reported that ($says), or the job
# ended by itself ($why) and its first file is not in the folder.
is_unseen() {
  case $says:$why in
  'ended node '*' does not see '*) ;;
  : | :status*) [ ! -e "$job/$run.first" ] ;;
  *) return 1 ;;
  esac
}

# Prints the reason that the job printed, if its output is here; otherwise composes one.
why_unseen() {
  case $says in
  ended*) say "${says#ended }" && return ;;
  esac
  printed=$(sed -n '/^node .* does not see /{ p; q; }' "$job/$run.out" 2>/dev/null) || :
  say "${printed:-node $(uname -n) does not see $job/$run.first that job $id wrote: $must_share}"
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

# With --resume, reports the end of each earlier run for which no call waited.
tell_ends() {
  look_anew
  for run in $left; do
    hear "$run"
    case $says in
    '' | running*) [ -s "$job/$run.id" ] || continue ;;
    *) continue ;;
    esac
    id=$(cat -- "$job/$run.id" 2>/dev/null) || continue
    state=$(state_of "$id")
    tell_end
  done
}

show_state() {
  [ "$state" = "$shown_state" ] || note "job $id ($run): $state"
  shown_state=$state
}

# Prints new output of the run; output that cannot be read now is printed the next time.
show_log() {
  [ -f "$job/$run.log" ] || return 0
  lines=$({ wc -l <"$job/$run.log"; } 2>/dev/null) || return 0
  lines=$((lines))
  [ "$lines" -le "$shown_lines" ] || sed -n "$((shown_lines + 1)),${lines}p" "$job/$run.log" | harmless >&2 || return 0
  shown_lines=$lines
}

note_unfinished() {
  note "$run (job $id) $1"
  unfinished="$unfinished $run"
}

# After a signal: ends the runs that are processes of this machine. Jobs of a batch system continue.
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

# Waits up to ten seconds until job $1 has stored its results after a signal.
await_end() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ "$(scheduler_state "$1")" = running ] || return 0
    sleep 1
  done
}

report_runs() {
  [ -n "$unfinished" ] || return 0
  [ -z "$unshared" ] || die "not measured:$unfinished: $must_share"
  die "not measured:$unfinished; results so far are kept in $opt_output;" \
    "servet-job --resume --output $(quote_words "$opt_output") submits the rest"
}
