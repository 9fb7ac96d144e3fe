# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Slurm. scheduler-local.sh describes each function.

# Slurm ranks before PBS, because Slurm's own qsub supports less than sbatch.
scheduler_rank() {
  rank=10
}

scheduler_aliases() {
  :
}

# The commands of Slurm may be installed on a machine without a running Slurm.
scheduler_found() {
  have sbatch && scontrol show config >/dev/null 2>&1
}

scheduler_cluster() {
  cluster=$(scontrol show config 2>/dev/null | sed -n 's/^ClusterName *= *//p')
  say "${cluster:-cluster}"
}

scheduler_inside() {
  [ -n "${SLURM_JOB_ID-}" ]
}

scheduler_nodes_here() {
  say "${SLURM_JOB_NUM_NODES-}"
}

# Prints name and state of each node of the partition that the job names, by default of the default partition (marked
# by *); with $1, of all partitions. Prints nothing if Slurm has no such partition.
slurm_nodes() {
  sinfo -h -N -o '%N %P %T' 2>/dev/null | awk -v all="${1-}" -v wanted=",${opt_partition-}," '
    { standard = sub(/\*$/, "", $2) }
    all || (wanted == ",," ? standard : index(wanted, "," $2 ",")) { print $1, $3 }' | sort -u
}

# The states of nodes that jobs can use, now or after other jobs. A character behind the state says that a node is powered
# down or up, or will reboot; Slurm does that by itself. Nodes marked by * (not responding) or $ (maintenance) are not usable.
slurm_usable=' (allocated|blocked|completing|idle|mixed|planned|reserved)[~#!%@^+-]?$'

scheduler_nodes() {
  slurm_nodes all | grep -E "$slurm_usable" | cut -d ' ' -f 1
}

scheduler_path() {
  say "$PATH"
}

scheduler_directives() {
  say "#SBATCH --job-name=$(job_name)"
  say "#SBATCH --nodes=$nodes"
  [ "$opt_exclusive" = no ] || say '#SBATCH --exclusive'
  cat <<END
#SBATCH --time=$(h_m_s "$limit")
#SBATCH --no-requeue
#SBATCH --output=$run.out
END
  # shellcheck disable=SC2086 # names
  [ -z "$same" ] || say "#SBATCH --nodelist=$(printf '%s\n' $same | paste -s -d , -)"
  # Without this option, there is a task for each CPU of the nodes, all of which belong to this job.
  [ "$opt_tasks_per_node" = all ] || say "#SBATCH --ntasks-per-node=$opt_tasks_per_node"
  [ -z "${opt_partition-}" ] || say "#SBATCH --partition=$opt_partition"
  [ -z "${opt_account-}" ] || say "#SBATCH --account=$opt_account"
  wanted=$(features '&')
  [ -z "$wanted" ] || say "#SBATCH --constraint=$wanted"
  [ -z "${opt_extra-}" ] || say "#SBATCH $opt_extra"
}

scheduler_text() {
  cat <<'END'
job_id() {
  echo "$SLURM_JOB_ID"
}

job_nodes() {
  scontrol show hostnames "$SLURM_JOB_NODELIST"
}

job_lives() {
  [ -n "$(squeue -h -j "$1" -t RUNNING -o %i 2>/dev/null)" ]
}

END
}

scheduler_remote_text() {
  :
}

# Fails if there are too few nodes: without limits, sbatch accepts more nodes than exist, and the job waits forever. Without
# exclusive nodes, a job has only the cores that it requests.
scheduler_check() {
  [ "$opt_exclusive:$opt_tasks_per_node" != no:all ] ||
    usage_error "--exclusive: 'no' needs a number of --tasks-per-node under Slurm"
  known=$(slurm_nodes)
  usable=$(say "$known" | grep -c -E "$slurm_usable") || :
  [ -z "$known" ] || [ "$nodes" -le "$usable" ] ||
    die "--nodes: $nodes were requested, but $usable nodes are usable${opt_partition:+ in $opt_partition}$(
      say "$known" | grep -v -E "$slurm_usable" | count_states
    )"
}


scheduler_is_batch() {
  :
}

# --parsable prints "42" or "42;cluster".
scheduler_submit() {
  case $2 in
  '') printed=$(sbatch --parsable "$1") ;;
  hold) printed=$(sbatch --parsable --hold "$1") ;;
  *) printed=$(sbatch --parsable --dependency="afterany:$2" "$1") ;;
  esac || return 1
  say "${printed%%;*}"
}

scheduler_release() {
  scontrol release "$1"
}

# squeue forgets a job some minutes after its end; then accounting has it, if enabled.
scheduler_state() {
  if found=$(squeue -h -t all -j "$1" -o '%T %r' 2>&1) && [ -n "$found" ]; then
    slurm_state "$found"
    return
  fi
  case $found in
  '' | *'Invalid job id'*) ;;
  *)
    say unknown
    return
    ;;
  esac
  slurm_state "$(slurm_history "$1")"
}

# A job without a step has one line.
slurm_history() {
  found=$(sacct -n -X -P -j "$1" -o State 2>/dev/null) && [ -n "$found" ] ||
    found=$(scontrol -o show job "$1" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p')
  say "$found"
}

slurm_state() {
  case $1 in
  'PENDING '*PartitionNodeLimit* | 'PENDING '*PartitionTimeLimit* | 'PENDING '*BadConstraints* | \
    'PENDING '*DependencyNeverSatisfied*)
    say "never ${1#* }"
    ;;
  PENDING* | CONFIGURING* | REQUEUED* | REQUEUE_HOLD* | SPECIAL_EXIT* | SUSPENDED* | STOPPED*)
    say "waiting $1"
    ;;
  RUNNING* | COMPLETING* | STAGE_OUT* | SIGNALING* | RESIZING*) say running ;;
  COMPLETED* | FAILED*) say "ended status ${1%% *}" ;;
  *) say "ended ${1%% *}" ;;
  esac
}

# "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT ... DUE TO TIME LIMIT ***"
scheduler_last_words() {
  sed -n 's/.*error: \*\*\* \(.*\) \*\*\*.*/\1/p' "$1" | tail -n 1
}

scheduler_cancel() {
  scancel "$1"
}

scheduler_cancel_words() {
  say "scancel $1"
}
