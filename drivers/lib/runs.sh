# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# The life of the runs: written, submitted one after the other, waited for, reported. In folder job of
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

# A measurement from the beginning puts away what an earlier one has left.
put_away() {
  if [ -z "$opt_resume" ]; then
    rm -rf -- "$job"/n*.sh "$job"/n*.log "$job"/n*.out "$job"/n*.id "$job"/n*.state "$job"/n*.hosts \
      "$job"/n*.nodes "$job"/n*.start "$job"/n*.private
    if [ -d "$opt_output/runs" ]; then
      rm -rf -- "$opt_output/runs.1"
      mv -- "$opt_output/runs" "$opt_output/runs.1"
    fi
    [ ! -f "$opt_output/profile.json" ] ||
      mv -f -- "$opt_output/profile.json" "$opt_output/profile.json.1"
  fi
}

# --- checking -------------------------------------------------------------------------------------

# What has not been measured; from the beginning that is all.
choose_left() {
  left=''
  for run in $(all_runs); do
    [ "$opt_resume" ] && [ "$(run_says "$run")" = "done" ] || left="$left $run"
  done
}

# All that can be known before anything is touched; the rest the scheduler says.
check_request() {
  check_only
  check_prefix
  for run in $left; do
    choose_run "$run"
    check_nodes
  done
}

check_nodes() {
  if ! scheduler_inside; then
    scheduler_check
  elif [ "$nodes" -gt "$(scheduler_nodes_here)" ]; then
    die "--nodes: $nodes were asked for, and this job has $(scheduler_nodes_here)"
  fi
}

# The program's help names its benchmarks, without MPI, where it can run on this host.
check_only() {
  [ -n "${opt_only-}" ] || return 0
  known=$("$program" measure --help 2>/dev/null | sed -n 's/.*benchmarks to run: \([a-z0-9, -]*[a-z0-9]\) .*/\1/p')
  [ -n "$known" ] || return 0
  for benchmark in $(words "$opt_only"); do
    case ", $known," in
    *", $benchmark,"*) ;;
    *) usage_error "--only: '$benchmark' is not one of $known" ;;
    esac
  done
}

# The nearest folder above that is there.
check_prefix() {
  [ "$opt_install" ] || return 0
  there=$place/$opt_name
  until [ -e "$there" ]; do
    there=${there%/*}
    [ -n "$there" ] || there=/
  done
  if ! [ -d "$there" ] || ! [ -w "$there" ]; then
    die "cannot install into $place: $there: $(why_not "$there")"
  fi
}

# --- submitting -----------------------------------------------------------------------------------

# Scripts, and what is said of them, lie in a folder of their own until all have been accepted.
write_scripts() {
  stage=$job/new
  rm -rf -- "$stage"
  mkdir -- "$stage" 2>/dev/null || die "cannot write into $job: $(why_not "$job")"
  for run in $left; do
    choose_run "$run"
    choose_same_nodes
    write_file "$stage/$run.sh" job_script
  done
}

# The first job is held, and the others wait for it: where one is refused the others are withdrawn, and
# nothing has been touched.
submit_runs() {
  submitted_to=$opt_scheduler
  after=hold
  held=yes
  for run in $left; do
    submit_run "$stage/$run.sh"
  done
  adopt_scripts
  release_first
  held=''
}

# Inside a job, or without a batch system, runs are processes here, and none is refused.
start_runs() {
  submitted_to=local
  load_scheduler local
  adopt_scripts
  after=''
  for run in $left; do
    submit_run "$job/$run.sh"
    tell_submitted "$run" "$id"
  done
}

adopt_scripts() {
  put_away
  write_file "$job/settings" print_options
  for run in $left; do
    rm -f -- "$job/$run.state" "$job/$run.out" "$job/$run.id"
    mv -f -- "$stage/$run.sh" "$job/"
  done
  rm -rf -- "$stage"
}

submit_run() {
  said=$stage.said
  id=$(cd -- "$job" && scheduler_submit "$1" "$after" 2>"$said") || refused
  id=${id##*"$newline"}
  case $id in
  '' | *[!]A-Za-z0-9_.@[-]*) refused ;;
  esac
  cat -- "$said" >&2
  rm -f -- "$said"
  add_to_locks "$id" "$run"
  after=$id
  submitted="$submitted $run:$id"
}

refused() {
  die "$run was not submitted:" "$({ cat -- "$said" && say "$id"; } 2>/dev/null | tr -s '\n' ' ')"
}

release_first() {
  for entry in $submitted; do
    tell_submitted "${entry%%:*}" "${entry#*:}"
  done
  first=${submitted# }
  first=${first%% *}
  reason=$(scheduler_release "${first#*:}" 2>&1) || die "job ${first#*:} cannot begin: $reason"
}

tell_submitted() {
  write_file "$job/$1.id" say "$2"
  say "job $2 submitted: $1, output in $opt_output"
}

# Where not all was accepted nothing stays. The last one goes first: each begins when the one before has gone.
withdraw() {
  if [ "$held" ]; then
    for entry in $(say "$submitted" | tr ' ' '\n' | sed '1!G; h; $!d'); do
      scheduler_cancel "${entry#*:}" >/dev/null 2>&1 || :
    done
    locks_stay=''
  fi
  [ -z "${stage-}" ] || rm -rf -- "$stage" "$stage.said"
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
    write_file "$job/$run.state" say "ended ${why:-and forgotten}"
    note_unfinished "was ended from outside (${why:-and forgotten})"
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
  die "not measured:$unfinished; what was measured is kept in $opt_output, and" \
    "servet-job --resume --output $(quote_words "$opt_output") submits the rest"
}
