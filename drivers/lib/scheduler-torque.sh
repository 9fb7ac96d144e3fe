# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Torque, and the qsub that Slurm has beside sbatch: like PBS, but nodes are asked for in the old way.
# shellcheck disable=SC2154 # settings come from choose.sh
# shellcheck source=drivers/lib/scheduler-pbs.sh
. "$lib/scheduler-pbs.sh"

# Slurm's does not know --version.
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

pbs_request() {
  cpus=$(pbs_cpus)
  say "#PBS -l nodes=$nodes:ppn=${cpus:-1}${opt_constraint:+:$opt_constraint}"
}

# Slurm gives no list of nodes in a file.
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
}

# Slurm's heeds most of the script's directives, but not those about its output.
scheduler_submit() {
  if [ -n "$2" ]; then
    pbs qsub -j oe -o "${1%.sh}.out" -W "depend=afterany:$2" "$1"
  else
    pbs qsub -j oe -o "${1%.sh}.out" "$1"
  fi
}

# Slurm's does not tell a status.
pbs_end() {
  case $1 in
  271 | 265) say 'deleted' ;;
  '') say 'without a word' ;;
  *) say "status $1" ;;
  esac
}

# Ended jobs stay known in state C for a while. Slurm's qstat says nothing about one that has gone.
scheduler_state() {
  if found=$(pbs qstat -f "$1" 2>&1); then
    if [ -n "$found" ]; then
      pbs_state "$found"
    else
      say 'ended and forgotten'
    fi
    return
  fi
  case $found in
  *'Unknown Job'*) say 'ended and forgotten' ;;
  *) say unknown ;;
  esac
}
