# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Torque, and Slurm's qsub: like PBS, but with the older syntax to request nodes.
# shellcheck source=drivers/lib/scheduler-pbs.sh
. "$lib/scheduler-pbs.sh"

scheduler_rank() {
  rank=30
}

# Users of Torque call it PBS.
scheduler_aliases() {
  say pbs
}

# Slurm's qsub does not support --version.
scheduler_found() {
  case $(pbs qsub --version 2>&1) in
  *pbs_version*) return 1 ;;
  *Version:* | *'Unknown option'* | *Slurm* | *perl*) return 0 ;;
  *) return 1 ;;
  esac
}

scheduler_inside() {
  [ -n "${PBS_JOBID-}${SLURM_JOB_ID-}" ]
}

# Torque and Slurm's qsub interpret names differently.
scheduler_nodes() {
  :
}

# If a resource is requested twice, the last request counts.
scheduler_directives() {
  cpus=$(pbs_cpus)
  wanted=$(features :)
  cat <<END
#PBS -N $(job_name)
#PBS -l nodes=$nodes:ppn=${cpus:-1}${wanted:+:$wanted}
#PBS -l walltime=$(h_m_s "$limit")
#PBS -r n
#PBS -j oe
#PBS -o $run.out
END
  [ -z "${opt_partition-}" ] || say "#PBS -q $opt_partition"
  [ -z "${opt_account-}" ] || say "#PBS -A $opt_account"
  [ -z "${opt_extra-}" ] || say "#PBS $opt_extra"
}

# Slurm has no file with a list of nodes.
scheduler_text() {
  cat <<'END'
job_id() {
  echo "${PBS_JOBID:-$SLURM_JOB_ID}"
}

job_nodes() {
  if [ -r "${PBS_NODEFILE-}" ]; then
    sort -u "$PBS_NODEFILE"
  else
    scontrol show hostnames "$SLURM_JOB_NODELIST"
  fi
}

END
  pbs_lives_text
}

# Slurm passes its nodes to MPI libraries.
scheduler_remote_text() {
  # shellcheck disable=SC2016 # expanded in the script
  pbs_remote_text '[ -n "${SLURM_JOB_ID-}" ] || '
}

# Slurm's qsub follows most directives of the script, but not those for output.
scheduler_submit() {
  case $2 in
  '') pbs qsub -j oe -o "$run.out" "$1" ;;
  hold) pbs qsub -h -j oe -o "$run.out" "$1" ;;
  *) pbs qsub -j oe -o "$run.out" -W "depend=afterany:$2" "$1" ;;
  esac
}

# Slurm's qstat does not report a status.
pbs_end() {
  case $1 in
  271 | 265) say 'deleted' ;;
  '') ;;
  *) say "status $1" ;;
  esac
}

# Ended jobs stay in state C for a while. Slurm's qstat prints nothing for a forgotten job.
scheduler_state() {
  if found=$(pbs qstat -f "$1" 2>&1); then
    if [ -n "$found" ]; then
      pbs_state "$found"
    else
      say 'ended '
    fi
    return
  fi
  case $found in
  *'Unknown Job'*) say 'ended ' ;;
  *) say unknown ;;
  esac
}
