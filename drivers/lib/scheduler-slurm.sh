# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Slurm. What each function of a scheduler does is said in scheduler-local.sh.
# shellcheck disable=SC2154 # settings come from choose.sh

# Its commands may be installed where no Slurm runs, as a companion of its qsub.
scheduler_found() {
  have sbatch && scontrol show config >/dev/null 2>&1
}

scheduler_cluster() {
  cluster=$(scontrol show config 2>/dev/null | sed -n 's/^ClusterName *= *//p')
  say "${cluster:-cluster}"
}

# mpirun first: srun needs a plugin that matches the MPI library, mpirun comes with it.
scheduler_launchers() {
  say mpirun mpiexec srun
}

scheduler_inside() {
  [ -n "${SLURM_JOB_ID-}" ]
}

scheduler_nodes_here() {
  say "${SLURM_JOB_NUM_NODES-}"
}

scheduler_directives() {
  cat <<END
#SBATCH --job-name=$(job_name)
#SBATCH --nodes=$nodes
#SBATCH --exclusive
#SBATCH --time=$(h_m_s "$limit")
#SBATCH --no-requeue
#SBATCH --output=$run.out
END
  # Without it the tasks are all CPUs of the nodes, which are all this job's.
  [ "$opt_tasks_per_node" = all ] || say "#SBATCH --ntasks-per-node=$opt_tasks_per_node"
  [ -z "${opt_partition-}" ] || say "#SBATCH --partition=$opt_partition"
  [ -z "${opt_account-}" ] || say "#SBATCH --account=$opt_account"
  [ -z "${opt_constraint-}" ] || say "#SBATCH --constraint=$opt_constraint"
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

END
}

# sbatch itself refuses what can never run.
scheduler_check() {
  :
}

# --parsable prints "42" or "42;cluster".
scheduler_submit() {
  if [ -n "$2" ]; then
    set -- "$1" --dependency="afterany:$2"
  else
    set -- "$1"
  fi
  script=$1
  shift
  printed=$(sbatch --parsable "$@" "$script") || return 1
  say "${printed%%;*}"
}

# squeue forgets a job some minutes after its end; then accounting knows, where it is on.
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

# Without a step of its own a job has one line.
slurm_history() {
  found=$(sacct -n -X -P -j "$1" -o State 2>/dev/null) && [ -n "$found" ] ||
    found=$(scontrol -o show job "$1" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p')
  say "${found:-FORGOTTEN}"
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
  *) say "ended ${1%% *}" ;;
  esac
}

scheduler_cancel() {
  scancel "$1"
}

scheduler_cancel_words() {
  say "scancel $1"
}
