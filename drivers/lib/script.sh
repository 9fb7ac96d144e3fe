# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes the script of a job. It does not depend on the driver: users may read, change and submit it.

# Prints a name that every scheduler accepts: at most 15 characters, of which the first is a letter.
job_name() {
  printf 'servet_%s\n' "$opt_name" | tr -c 'A-Za-z0-9\n' '_' | awk 'NR == 1 { print substr($0, 1, 15) }'
}

h_m_s() {
  printf '%02d:%02d:%02d\n' $(($1 / 3600)) $(($1 / 60 % 60)) $(($1 % 60))
}

# Succeeds if the run has a single process, which measures only its node, because messages need two.
may_be_alone() {
  ! is_single && [ "$nodes" -eq 1 ] && [ -z "${opt_only-}" ]
}

# The program and its arguments, as words of the script.
job_command() {
  set -- "$program" measure
  [ -z "${opt_only-}" ] || set -- "$@" --only "$opt_only"
  [ -z "$size" ] || set -- "$@" --message-size "$size"
  [ -z "$budget" ] || set -- "$@" --budget "$budget"
  # shellcheck disable=SC2016 # expanded in the script
  printf '%s%s $resume -o "$output/runs/$run"\n' "$(quote_words "$@")" "$(may_be_alone && say " \$alone")"
}

# Processes are counted by cores, because hardware threads of a core share all measured resources.
tasks_text() {
  if [ "$opt_tasks_per_node" != all ]; then
    say "tasks=$opt_tasks_per_node"
    return
  fi
  say
  sed '1,/^$/d' "$lib/cores.sh"
  # shellcheck disable=SC2016 # expanded in the script
  say 'tasks=$(($(cores)))'
}

# Succeeds for the last job of a chain without --wait: when it succeeds, all runs are measured.
installs_itself() {
  [ "$opt_install" ] && [ -z "$opt_wait" ] && [ "$run" = "${left##* }" ] && ! scheduler_inside
}

install_text() {
  printf '\n# Refused if an earlier job has failed, or if the profile is not fit for use.\n'
  # shellcheck disable=SC2016 # expanded in the script
  printf '%s --install%s --output "$output" --scheduler %s\n' \
    "$(quote_words sh "$home/servet-job")" "${opt_force:+ --force}" "$opt_scheduler"
}

# Prints the environment of the script, because login shells of jobs change it, and PBS does not pass it on: the variables
# by which programs and libraries are found, and those of an MPI library that is not where it was built to be (Open MPI,
# PRRTE, PMIx; Intel MPI, libfabric, UCX).
environment_text() {
  set -- PATH
  for variable in LD_LIBRARY_PATH OPAL_PREFIX PRTE_PREFIX PMIX_PREFIX I_MPI_ROOT FI_PROVIDER_PATH UCX_MODULE_DIR; do
    eval "[ -z \"\${$variable-}\" ]" || set -- "$@" "$variable"
  done
  for variable; do
    eval "say \"$variable=\$(quote \"\$$variable\")\""
  done
  say "export $*"
}

settings_text() {
  environment_text
  cat <<END

output=$(quote "$opt_output")
run=$run
END
  if ! is_single; then
    say "nodes=$nodes"
    tasks_text
  fi
  if may_be_alone; then
    say 'alone='
    # shellcheck disable=SC2016 # expanded in the script
    say '[ "$tasks" -gt 1 ] || alone=--only=node'
  fi
  cat <<'END'

# The folder may be another one here than where servet-job wrote this script, or none.
must_share="the folder $output must be on a file system that all nodes share; pass --output"
{ cd "$output/job" && [ -f "$run.sh" ]; } || {
  echo "node $(uname -n) does not see $output/job/$run.sh that servet-job wrote: $must_share"
  exit 1
}
exec >>"$run.log" 2>&1
uname -n >"$run.first" || { echo "failed 1" >"$run.state"; exit 1; }

END
}

measure_text() {
  cat <<'END'

# Two concurrent jobs in this folder would disturb each other, and lose results that the other adds to the profile.
take_folder() {
  for other in at-work.*; do
    [ ! -e "$other" ] || job_lives "${other#at-work.}" || rm -f "$other" # of a job that was killed
  done
  job_id >"at-work.$(job_id)"
  for try in 1 2 3 4 5; do
    ln "at-work.$(job_id)" at-work 2>/dev/null && break
    other=$(cat at-work 2>/dev/null)
    if [ -n "$other" ] && [ "$other" != "$(job_id)" ] && job_lives "$other"; then
      rm -f "at-work.$(job_id)"
      echo "job $(job_id) ends: job $other is measuring in this folder; wait until it has ended"
      exit 1
    fi
    rm -f at-work
    [ "$try" -lt 5 ] || echo "job $(job_id): cannot create a lock in $PWD"
  done
  rm -f "at-work.$(job_id)"
}

END
  say 'take_folder'
  say "trap 'rm -rf at-work$(launcher_litter)' EXIT"
  cat <<'END'

# The state of the job: the last of these lines counts.
state() {
  echo "$*" >"$run.state.new" && mv -f "$run.state.new" "$run.state"
}

state "running $(job_id)"
echo "job $(job_id) on $(job_nodes | tr '\n' ' ')"

# Waits for process $launched, which ends on the job's SIGTERM.
launched=
told=
trap 'told=yes; [ -z "$launched" ] || kill -TERM "$launched"' INT TERM
follow() {
  [ -z "$told" ] || kill -TERM "$launched"
  wait "$launched"
  status=$?
  while kill -0 "$launched" 2>/dev/null; do
    wait "$launched"
    status=$?
  done
}

# finish STATUS [REASON]
finish() {
  trap '' INT TERM
  if [ -n "$told" ]; then
    state "ended told to end, status $1"
  elif [ -n "${2-}" ]; then
    state "ended $2"
  else
    state "failed $1"
  fi
  exit "$1"
}

END
  is_single || start_text
  cat <<'END'
# Results of an earlier job of this run are kept; those of nodes that the job does not have any more
# are measured again.
resume=
[ ! -f "$run.nodes" ] || resume=--resume
{ job_nodes | sort >"$run.nodes.new" && mv -f "$run.nodes.new" "$run.nodes"; } || finish 1

END
  # shellcheck disable=SC2016 # expanded in the script
  printf 'launch %s >"$run.report" &\n' "$(job_command)"
  cat <<'END'
launched=$!
follow
trap '' INT TERM

# The log has the errors, whether the profile is fit for use, and the path of the report.
if [ -s "$run.report" ]; then
  grep -e '^Communication of ' -e '^warning: ' "$run.report" | head -n 20
  tail -n 1 "$run.report"
  echo "report: $PWD/$run.report"
fi
END
  merge_text
  cat <<'END'
[ "$status" -eq 0 ] || finish "$status"
state 'done' || exit 1
END
}

# A start that fails may hang until the time is up.
start_text() {
  cat <<'END'
# First, one process on each node prints where it runs, within a minute (more on very many nodes). If a node does not see the
# file of the first node, its process waits: clients of NFS may notice a new file late.
# shellcheck disable=SC2016 # expanded on each node
look='[ -f "$0" ] || echo "node $(uname -n) does not see $0"; until [ -f "$0" ]; do sleep 1; done; exec "$@"'
limit=$((60 + nodes / 10))

# Ends process $launched after that time.
watch() {
  trap 'kill "$nap"; exit' TERM
  sleep "$limit" &
  nap=$!
  wait "$nap"
  echo "no answer within $limit s" >>"$run.start"
  kill -TERM "$launched"
  sleep 5
  kill -KILL "$launched"
}

# Counts the different values of part $1 (\1: ranks, \2: hosts) in the output of the start.
count() {
  sed -n "s/^rank \([0-9]*\) on \(.*\), cores .*/$1/p" "$run.start" | sort -u | wc -l
}

try_start() {
  : >"$run.start"
END
  # shellcheck disable=SC2016 # expanded in the script
  printf '  (tasks=1 && launch sh -c "$look" "$PWD/$run.first" %s where) >>"$run.start" 2>&1 </dev/null &\n' "$(quote_words "$program")"
  cat <<'END'
  launched=$!
  watch 2>/dev/null &
  watcher=$!
  follow
  kill "$watcher" 2>/dev/null
  ranks=$(($(count '\1')))
  hosts=$(($(count '\2')))
}

hint() {
  if grep -q ' does not see ' "$run.start"; then
    echo "$(sed -n '/ does not see /{ s/.*\(node [^ ]* does\)/\1/p; q; }' "$run.start") that node $(cat "$run.first") wrote: $must_share"
  elif grep -q '^no answer within' "$run.start"; then
    echo "can the nodes reach each other? If they have several networks, try --mpi-args '--mca btl_tcp_if_include IF --mca oob_tcp_if_include IF'"
  elif grep -q 'to run as root' "$run.start"; then
    echo "Open MPI refuses root: run servet-job as another user, or export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
  elif [ "$status" -ne 0 ] || [ "$ranks" -eq 0 ]; then
    echo "does the launcher belong to the MPI library that servet-mpi was built with?"
  elif [ "$ranks" -lt "$nodes" ]; then
END
  say "    echo \"each process is alone in its MPI job: $(launcher_hint)\""
  cat <<'END'
  else
    echo "they ran on $hosts of $nodes nodes, or several nodes have the same name"
  fi
}

try_start
if [ "$status" -ne 0 ] || [ "$ranks" -ne "$nodes" ] || [ "$hosts" -ne "$nodes" ]; then
  cat "$run.start"
  hint=$(hint)
  echo "cannot start one process on each node, $nodes in all (status $status): $hint"
  [ "$status" -ne 0 ] || status=1
  case $hint in
  *' does not see '*) finish "$status" "$hint" ;;
  *) finish "$status" ;;
  esac
fi
rm -f "$run.start"

END
}

# A failed run may have results, too.
merge_text() {
  cat <<END

# The results are merged into the profile of all runs.
add_to_profile() {
  [ -f "\$output/runs/\$run/profile.json" ] || return 0
  set -- "\$output/runs/\$run/profile.json"
  [ ! -f "\$output/profile.json" ] || set -- "\$output/profile.json" "\$@"
  $(quote_words "$merger") merge${class:+ --class $class} -o "\$output/profile.json" "\$@"
}
add_to_profile || [ "\$status" -ne 0 ] || status=1
END
}

job_script() {
  say '#!/bin/sh'
  scheduler_directives
  cat <<END
# Written by servet-job $(version): run $run of the cluster's measurement.
umask 022
END
  settings_text
  scheduler_text
  launcher_text
  measure_text
  ! installs_itself || install_text
}

version() {
  if found=$(find_program servet); then
    "$found" --version | awk '{ print $NF; exit }'
  else
    say unknown
  fi
}
