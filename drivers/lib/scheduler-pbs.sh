# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# OpenPBS and PBS Professional. What each function does is said in scheduler-local.sh.
# shellcheck disable=SC2154 # settings come from choose.sh

# A PATH may lead to another batch system's qstat; PBS tells where its own lies.
pbs() {
  command=$1
  shift
  folder=$(sed -n 's/^PBS_EXEC=//p' "${PBS_CONF_FILE:-/etc/pbs.conf}" 2>/dev/null) || :
  [ -z "$folder" ] || [ ! -x "$folder/bin/$command" ] || command=$folder/bin/$command
  "$command" "$@"
}

scheduler_found() {
  case $(pbs qsub --version 2>&1) in
  *pbs_version*) return 0 ;;
  *) return 1 ;;
  esac
}

scheduler_cluster() {
  server=$(sed -n 's/^PBS_SERVER=//p' "${PBS_CONF_FILE:-/etc/pbs.conf}" 2>/dev/null) || :
  say "${server:-cluster}"
}

scheduler_launchers() {
  say mpirun mpiexec
}

scheduler_inside() {
  [ -n "${PBS_JOBID-}" ]
}

scheduler_nodes_here() {
  [ -z "${PBS_NODEFILE-}" ] || say $(($(sort -u "$PBS_NODEFILE" | wc -l)))
}

# --- nodes ----------------------------------------------------------------------------------------

# The CPUs that each node offers which is not broken, the most first.
pbs_nodes() {
  pbs pbsnodes -a 2>/dev/null | awk '
    function told() { if (cpus && state !~ /down|offline|unknown|stale|unresolvable/) print cpus }
    /^[^ \t]/ { told(); cpus = 0; state = "" }
    $1 == "state" { state = $3 }
    $1 == "resources_available.ncpus" || $1 == "np" { cpus = $3 }
    END { told() }' | sort -rn
}

# CPUs to ask for on each of $nodes nodes: the most that so many have; nothing where none are known.
pbs_cpus() {
  if [ "$opt_tasks_per_node" = all ]; then
    pbs_nodes | sed -n "${nodes}p"
  else
    say "$opt_tasks_per_node"
  fi
}

# qsub accepts any number, and the job then waits for ever.
scheduler_check() {
  fitting=$(pbs_nodes | awk -v least="$(pbs_cpus)" '$1 >= least' | wc -l)
  known=$(pbs_nodes | wc -l)
  [ "$known" -eq 0 ] || [ "$fitting" -ge "$nodes" ] || die "--nodes: $((nodes)) were asked for, and" \
    "$((fitting)) of $((known)) usable nodes have $(pbs_cpus) or more CPUs"
}

# --- the script -----------------------------------------------------------------------------------

# A chunk is a node: without "scatter" they may share one. "excl" keeps other jobs away, "exclhost"
# does where it is not known how much of a node to ask for.
pbs_request() {
  cpus=$(pbs_cpus)
  say "#PBS -l select=$nodes:ncpus=${cpus:-1}:mpiprocs=${cpus:-1}${opt_constraint:+:$opt_constraint}"
  if [ -n "$cpus" ]; then
    say '#PBS -l place=scatter:excl'
  else
    say '#PBS -l place=scatter:exclhost'
  fi
}

# No comment may follow such a line. -r n: a job that ran again would lose what it has measured.
scheduler_directives() {
  cat <<END
#PBS -N $(job_name)
$(pbs_request)
#PBS -l walltime=$(h_m_s "$limit")
#PBS -r n
#PBS -j oe
#PBS -o $run.out
END
  [ -z "${opt_partition-}" ] || say "#PBS -q $opt_partition"
  [ -z "${opt_account-}" ] || say "#PBS -A $opt_account"
  [ -z "${opt_extra-}" ] || say "#PBS $opt_extra"
}

scheduler_text() {
  cat <<'END'
job_id() {
  echo "$PBS_JOBID"
}

job_nodes() {
  sort -u "$PBS_NODEFILE"
}

END
}

# --- jobs -----------------------------------------------------------------------------------------

# -f: else a copy of qsub stays behind for a minute.
scheduler_submit() {
  if [ -n "$2" ]; then
    pbs qsub -f -W "depend=afterany:$2" "$1"
  else
    pbs qsub -f "$1"
  fi
}

# Without -x first: where the server keeps no history, that answers nothing at all. -w: long values
# are cut into lines otherwise.
scheduler_state() {
  answer=0
  found=$(pbs qstat -f -w "$1" 2>/dev/null) || answer=$?
  case $answer in
  0) pbs_state "$found" ;;
  35) pbs_state "$(pbs qstat -x -f -w "$1" 2>/dev/null)" ;;
  153) say 'ended and forgotten' ;;
  *) say unknown ;;
  esac
}

# What attribute $2 is in record $1.
pbs_attribute() {
  printf '%s\n' "$1" | sed -n "s/^[[:blank:]]*$2 = //p"
}

pbs_state() {
  comment=$(pbs_attribute "$1" comment)
  case $(pbs_attribute "$1" job_state):$comment in
  *:*'Can Never Run'*) say "never $comment" ;;
  H:*) say "waiting held: $comment" ;;
  [QTWS]:*) say "waiting $comment" ;;
  [REB]:*) say running ;;
  [FCX]:*) say "ended $(pbs_end "$(pbs_attribute "$1" '[Ee]xit_status')")" ;;
  *) say unknown ;;
  esac
}

pbs_end() {
  case $1 in
  -29) say 'time limit' ;;
  -20) say 'node lost' ;;
  271 | 265) say 'deleted' ;;
  '') say 'never started' ;;
  *) say "status $1" ;;
  esac
}

scheduler_cancel() {
  pbs qdel "$1"
}

scheduler_cancel_words() {
  say "qdel $1"
}
