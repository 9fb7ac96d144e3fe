# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# OpenPBS and PBS Professional. scheduler-local.sh describes each function.

# Sets $folder to the folder of PBS, from its configuration. No process is started, as this is called for each command.
find_pbs() {
  folder=''
  [ -r "${PBS_CONF_FILE:-/etc/pbs.conf}" ] || return 0
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
    PBS_EXEC=*) folder=${line#*=} ;;
    esac
  done <"${PBS_CONF_FILE:-/etc/pbs.conf}"
}

# Runs a command of PBS. PATH may have another batch system's command of the same name.
pbs() {
  command=$1
  shift
  find_pbs
  [ -z "$folder" ] || [ ! -x "$folder/bin/$command" ] || command=$folder/bin/$command
  "$command" "$@"
}

scheduler_rank() {
  rank=20
}

scheduler_aliases() {
  :
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

scheduler_inside() {
  [ -n "${PBS_JOBID-}" ]
}

scheduler_nodes_here() {
  [ -z "${PBS_NODEFILE-}" ] || say $(($(sort -u "$PBS_NODEFILE" | wc -l)))
}

# PBS's own mpiexec does not work with MPI libraries; therefore its folder comes last.
scheduler_path() {
  find_pbs
  case ${folder:+:$PATH:} in
  *":$folder/bin:"*)
    say "$PATH:" | sed "s|^|:|; s|:$folder/bin:|:|g; s|^:||; s|:*\$|:$folder/bin|"
    ;;
  *) say "$PATH" ;;
  esac
}

# --- nodes ----------------------------------------------------------------------------------------

# Prints CPUs and name of each usable node with features $1, most CPUs first; with $2, name and state of the other nodes. A
# node is usable if every word of its state allows jobs, now or after other jobs. Features that no node reports, and
# quantities (mem=64gb), which only the server can compare, are ignored.
pbs_nodes() {
  pbs pbsnodes -a 2>/dev/null | awk -v wanted="$1" -v others="${2-}" '
    BEGIN {
      split("free busy job-busy job-exclusive job-sharing provisioning reserve resv-exclusive sleep time-shared wait-provisioning", word, " ")
      for (i in word) free[word[i]]
    }
    function is_usable(state,   words, word, i) {
      words = split(state, word, ",")
      for (i = 1; i <= words; i++) if (!(word[i] in free)) return 0
      return words > 0
    }
    function has(node, feature,   name, value) {
      name = "properties"
      value = feature
      if (feature ~ /=/) {
        name = "resources_available." substr(feature, 1, index(feature, "=") - 1)
        value = substr(feature, index(feature, "=") + 1)
      }
      return value ~ /^[0-9]/ || !(name in known) || index("," told[node, name] ",", "," value ",")
    }
    /^[^ \t]/ { host[++nodes] = $1 }
    $2 == "=" { told[nodes, $1] = $3; known[$1] }
    $1 == "resources_available.host" { host[nodes] = $3 }
    $1 == "resources_available.ncpus" || $1 == "np" { cpus[nodes] = $3 }
    END {
      features = split(wanted, feature, ":")
      for (i = 1; i <= nodes; i++) {
        fits = 1
        for (k = 1; k <= features; k++) fits = fits && has(i, feature[k])
        usable = cpus[i] && is_usable(told[i, "state"])
        if (fits && !usable && others) print host[i], told[i, "state"]
        else if (fits && usable && !others) print cpus[i], host[i]
      }
    }' | sort -rn
}

scheduler_nodes() {
  pbs_nodes "$(features :)" | cut -d ' ' -f 2
}

# Prints the number of CPUs to request on each of $nodes nodes: the largest number that at least $nodes nodes have. If
# $same names nodes, it is the largest number that all of them have. Prints nothing if no CPUs are known.
pbs_cpus() {
  if [ "$opt_tasks_per_node" = all ]; then
    pbs_nodes "$(features :)" | awk -v same="$same" '
      BEGIN { all = split(same, wanted); for (i in wanted) among[wanted[i]] }
      !all || $2 in among' | sed -n "${nodes}s/ .*//p"
  else
    say "$opt_tasks_per_node"
  fi
}

# Fails if too few nodes are usable: qsub accepts any number of nodes, and the job would wait forever.
scheduler_check() {
  wanted=$(features :)
  known=$(($(pbs_nodes "$wanted" | wc -l)))
  cpus=$(pbs_cpus)
  fitting=$(($(pbs_nodes "$wanted" | awk -v least="${cpus:-1}" '$1 >= least' | wc -l)))
  others=$(pbs_nodes "$wanted" others)
  [ -z "$others$(pbs_nodes '')" ] || [ "$fitting" -ge "$nodes" ] || die "--nodes: $nodes were requested, but" \
    "$fitting of $known usable nodes${wanted:+ with $wanted} have ${cpus:-1} or more CPUs$(printf '%s' "$others" | count_states)"
}

# --- the script -----------------------------------------------------------------------------------

# Requests a node for each chunk: without "scatter", several chunks may share a node. "excl" keeps other jobs away. If the
# number of CPUs of a node is not known, "exclhost" does so.
pbs_request() {
  cpus=$(pbs_cpus)
  wanted=$(features :)
  say "#PBS -l select=$(pbs_select "ncpus=${cpus:-1}:mpiprocs=${cpus:-1}${wanted:+:$wanted}")"
  case $opt_exclusive:$cpus in
  no:*) say '#PBS -l place=scatter' ;;
  *:) say '#PBS -l place=scatter:exclhost' ;;
  *) say '#PBS -l place=scatter:excl' ;;
  esac
}

# Prints the chunks of the request, each with the resources $1; on the nodes $same, if any are given.
pbs_select() {
  if [ -z "$same" ]; then
    say "$nodes:$1"
    return
  fi
  for host in $same; do
    printf '1:%s:host=%s\n' "$1" "$host"
  done | paste -s -d + -
}

# Nothing may follow a directive in its line. If two lines give the same resource, PBS takes the first; therefore the
# user's options come first. -r n: a job that PBS starts again would lose its results.
scheduler_directives() {
  say "#PBS -N $(job_name)"
  [ -z "${opt_extra-}" ] || say "#PBS $opt_extra"
  pbs_request
  cat <<END
#PBS -l walltime=$(h_m_s "$limit")
#PBS -r n
#PBS -W umask=022
#PBS -j oe
#PBS -o $run.out
END
  [ -z "${opt_partition-}" ] || say "#PBS -q $opt_partition"
  [ -z "${opt_account-}" ] || say "#PBS -A $opt_account"
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
  pbs_lives_text
}

pbs_lives_text() {
  cat <<'END'
# The path of a program of PBS, which need not be on PATH or first there.
pbs_program() {
  folder=$(sed -n 's/^PBS_EXEC=//p' "${PBS_CONF_FILE:-/etc/pbs.conf}" 2>/dev/null)
  command -v "$folder/bin/$1" || command -v "$1"
}

job_lives() {
  "$(pbs_program qstat)" -f "$1" 2>/dev/null | grep -q 'job_state = R'
}

END
}

scheduler_remote_text() {
  pbs_remote_text ''
}

# Open MPI knows the nodes of the job if test $1 succeeds, or if it was built with PBS's library.
pbs_remote_text() {
  cat <<END
knows_nodes() {
  $1{ ompi_info; prte_info; } 2>/dev/null | grep -q ': tm '
}

remote_shell() {
  pbs_program pbs_tmrsh
}

END
}

# --- jobs -----------------------------------------------------------------------------------------

scheduler_is_batch() {
  :
}

# -f: otherwise a copy of qsub stays in memory for a minute. -W repeats the umask, because this -W replaces the script's.
scheduler_submit() {
  case $2 in
  '') pbs qsub -f "$1" ;;
  hold) pbs qsub -f -h "$1" ;;
  *) pbs qsub -f -W "umask=022,depend=afterany:$2" "$1" ;;
  esac
}

scheduler_release() {
  pbs qrls "$1"
}

# The first query has no -x, because with -x a server without history prints nothing. -w: otherwise qstat wraps long values.
scheduler_state() {
  answer=0
  found=$(pbs qstat -f -w "$1" 2>/dev/null) || answer=$?
  case $answer in
  0) pbs_state "$found" ;;
  35) pbs_state "$(pbs qstat -x -f -w "$1" 2>/dev/null)" ;;
  153) say 'ended ' ;;
  *) say unknown ;;
  esac
}

# Sets $value to the value of attribute $2, a pattern, in record $1. PBS indents by blanks, Slurm's qstat by a tab.
find_attribute() {
  for indent in '    ' '[[:blank:]]'; do
    # shellcheck disable=SC2295 # patterns indeed
    value=${1#*"$newline"$indent$2 = }
    [ "$value" = "$1" ] || break
  done
  [ "$value" != "$1" ] || value=''
  value=${value%%"$newline"*}
}

pbs_state() {
  find_attribute "$1" '[Ee]xit_status'
  exit_status=$value
  find_attribute "$1" comment
  comment=$value
  find_attribute "$1" job_state
  case $value:$comment in
  *:*'Can Never Run'*) say "never $comment" ;;
  H:*) say "waiting held: $comment" ;;
  [QTWS]:*) say "waiting $comment" ;;
  [REB]:*) say running ;;
  [FCX]:*) say "ended $(pbs_end "$exit_status")" ;;
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

# "=>> PBS: job killed: walltime 77 exceeded limit 60"
scheduler_last_words() {
  sed -n 's/^=>> PBS: //p' "$1" | tail -n 1
}

scheduler_cancel() {
  pbs qdel "$1"
}

scheduler_cancel_words() {
  say "qdel $1"
}
