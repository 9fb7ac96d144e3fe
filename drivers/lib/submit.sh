# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks the request, writes the scripts and submits them one after the other. runs.sh describes the files.

# --- checking -------------------------------------------------------------------------------------

# Sets $left to the runs that are not measured yet; without --resume, to all runs.
choose_left() {
  left=''
  for run in $(all_runs); do
    hear "$run"
    [ "$opt_resume" ] && [ "$says" = "done" ] || left="$left $run"
  done
}

# Makes all checks that are possible before any file changes. The scheduler makes the other ones.
check_request() {
  check_only
  [ -z "${opt_classes-}" ] || { scheduler_is_batch && ! scheduler_inside; } ||
    usage_error "--classes needs a batch system that chooses the nodes of each job"
  [ -z "$opt_install" ] || check_prefix
  for run in $left; do
    choose_run "$run"
    check_nodes
  done
}

check_nodes() {
  if ! scheduler_inside; then
    scheduler_check
  elif [ "$nodes" -gt "$(scheduler_nodes_here)" ]; then
    die "--nodes: $nodes were requested, but this job has $(scheduler_nodes_here)"
  fi
}

# Checks the names in --only. The program's help lists its benchmarks; if the program cannot run on this host, nothing is
# checked.
check_only() {
  [ -n "${opt_only-}" ] || return 0
  known=$("$program" measure --help 2>/dev/null | sed -n 's/.*benchmarks to run: \([a-z0-9, -]*[a-z0-9]\) .*/\1/p')
  [ -n "$known" ] || return 0
  for benchmark in $(words "$opt_only"); do
    # shellcheck disable=SC2046 # names
    is_one_of "$benchmark" $(words "$known") || usage_error "--only accepts $known, not '$benchmark'"
  done
}

# --- submitting -----------------------------------------------------------------------------------

# Chooses the folder for the scripts until the scheduler has accepted all of them. Removes the folder of an earlier call
# that was killed, and the files that this call had moved aside.
choose_stage() {
  stage=$job/new
  remove "$stage" "$stage.said" "$job/old"
}

# Removes files of jobs that were killed at their end or could not remove them. This is safe when all runs are measured,
# because then no job runs.
sweep_jobs() {
  discard "$job"/at-work* "$job"/n*.start "$job/look"
}

write_scripts() {
  mkdir -- "$stage" 2>/dev/null || die "cannot write into $job: $(why_not "$job")"
  for run in $left; do
    choose_run "$run"
    choose_same_nodes
    write_file "$stage/$run.sh" job_script
  done
}

# Submits the first job held, and the other jobs depending on it. If one of them is refused, all are deleted, and no file
# has changed.
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
  put_away
}

# Starts the runs as processes of this machine: inside a job, or without a batch system. None of them can be refused.
start_runs() {
  submitted_to=$local_scheduler
  load_scheduler "$submitted_to"
  adopt_scripts
  put_away
  after=''
  for run in $left; do
    submit_run "$job/$run.sh"
    tell_submitted "$run" "$id"
  done
}

# Moves files of an earlier measurement aside until the first job may begin.
put_aside() {
  aside=$job/old
  mkdir -- "$aside" 2>/dev/null || die "cannot write into $job: $(why_not "$job")"
  cp -p -- "$job/settings" "$aside/" 2>/dev/null || :
  for run in $left; do
    move_if_there "$job" "$aside" "$run.state" "$run.out" "$run.id" "$run.first" "$run.sh"
  done
  [ -z "$opt_resume" ] || return 0
  for file in "$job"/n[0-9]*; do
    move_if_there "$job" "$aside" "${file##*/}"
  done
  move_if_there "$opt_output" "$aside" runs profile.json
}

# move_if_there FROM TO NAME...
move_if_there() {
  from=$1 to=$2
  shift 2
  for name; do
    [ ! -e "$from/$name" ] || move "$from/$name" "$to/"
  done
}

# Restores all files after the jobs were deleted.
put_back() {
  for run in $left; do
    discard "$job/$run.sh" "$job/$run.id"
  done
  discard "$job/settings"
  move_if_there "$aside" "$opt_output" runs profile.json
  for file in "$aside"/*; do
    move_if_there "$aside" "$job" "${file##*/}"
  done
  discard "$aside"
  aside=''
}

# A new measurement keeps the result of the previous one.
put_away() {
  if [ -d "$aside/runs" ]; then
    remove "$opt_output/runs.1"
    move "$aside/runs" "$opt_output/runs.1"
  fi
  [ ! -f "$aside/profile.json" ] || move "$aside/profile.json" "$opt_output/profile.json.1"
  discard "$aside"
  aside=''
}

adopt_scripts() {
  put_aside
  write_file "$job/settings" print_options
  for run in $left; do
    move "$stage/$run.sh" "$job/"
  done
  discard "$stage"
}

submit_run() {
  said=$stage.said
  id=$(cd -- "$job" && scheduler_submit "$1" "$after" 2>"$said") || refused
  id=${id##*"$newline"}
  case $id in
  '' | *[!]A-Za-z0-9_.@[-]*) refused ;;
  esac
  harmless <"$said" >&2 || :
  discard "$said"
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
  reason=$(scheduler_release "${first#*:}" 2>&1) || die "cannot release job ${first#*:}: $reason"
}

tell_submitted() {
  write_file "$job/$1.id" say "$2"
  one_line "job $2 submitted: $1, output in $opt_output"
}

# If a job was refused, deletes all jobs. It begins with the last one, because a job starts when the previous one is gone.
withdraw() {
  if [ "$held" ]; then
    for entry in $(say "$submitted" | tr ' ' '\n' | sed '1!G; h; $!d'); do
      scheduler_cancel "${entry#*:}" >/dev/null 2>&1 || :
    done
    locks_stay=''
    [ -z "${aside-}" ] || put_back
  fi
  [ -z "${stage-}" ] || discard "$stage" "$stage.said"
}
