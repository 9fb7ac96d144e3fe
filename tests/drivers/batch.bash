# SPDX-License-Identifier: BSD-3-Clause
# Common parts of the tests of servet-job: a machine with nothing on PATH but plain tools, fakes of batch systems and
# MPI, and a tree of Servet's with spaces in its name. `load batch`, and in setup `make_machine`.
#
# SOURCE_ROOT: the source tree.

# shellcheck source=tests/bats.bash
. "$SOURCE_ROOT/tests/bats.bash"

make_machine() {
  root=$BATS_TEST_TMPDIR
  tree="$root/a tree"
  bin=$root/bin
  export FAKE=$root/weather FAKE_HOME=$SOURCE_ROOT/tests/drivers/fakes
  export HOME=$root/home SERVET_POLL=0.2
  unset XDG_DATA_HOME XDG_STATE_HOME SERVET_PROFILE LD_LIBRARY_PATH PBS_CONF_FILE
  unset SLURM_JOB_ID PBS_JOBID PBS_NODEFILE OMPI_MCA_plm_rsh_agent
  unset OPAL_PREFIX PRTE_PREFIX PMIX_PREFIX I_MPI_ROOT FI_PROVIDER_PATH UCX_MODULE_DIR
  export PBS_CONF_FILE=$root/pbs.conf
  mkdir -p "$tree/share" "$bin" "$FAKE" "$HOME" "$root/work"
  touch "$FAKE/log"
  cp -r "$SOURCE_ROOT/drivers" "$tree/"
  cp -r "$SOURCE_ROOT/share/modulefile" "$tree/share/"
  local tools
  mapfile -t tools < <(type -P sh env awk cat chmod cmp cp cut df dirname grep head kill ln ls mkdir mv paste rm sed seq \
    setsid sleep sort sync tail touch tr uname wc)
  ln -s "${tools[@]}" "$bin"
  fake servet "$tree" servet
  fake servet-mpi "$tree" servet-mpi
  fake mpirun "$bin" mpirun
  cd "$root/work" || return
  note_lines
}

# at_night SCHEDULER: leaves a test to the night that each commit does under that scheduler.
at_night() {
  [ -n "${SERVET_THOROUGH-}" ] || skip "each commit does it under $1: at night only"
}

# fake FILE FOLDER NAME...: tests/drivers/fakes/FILE.sh under these names.
fake() {
  local file=$FAKE_HOME/$1.sh folder=$2 name
  shift 2
  for name; do
    printf '#!/bin/sh\n. "%s"\n' "$file" >"$folder/$name"
  done
  chmod +x "${@/#/$folder/}"
}

with_slurm() {
  fake slurm "$bin" sbatch squeue sacct scontrol scancel sinfo
}

# PBS's programs are not on PATH: its file says where they lie.
with_pbs() {
  pbs_bin=$root/pbs/bin
  mkdir -p "$pbs_bin"
  echo "PBS_EXEC=$root/pbs" >"$PBS_CONF_FILE"
  fake pbs "$pbs_bin" qsub qstat qdel qrls pbsnodes pbs_tmrsh mpiexec
}

with_torque() {
  export FAKE_PBS=torque
  rm -f "$PBS_CONF_FILE"
  fake pbs "$bin" qsub qstat qdel qrls pbsnodes
}

# servet_job WORD...: calls it; $status, $output (stdout) and $stderr tell what came.
servet_job() {
  status=0 stderr=''
  output=$(PATH=$bin ${sh-sh} "$tree/drivers/servet-job" "$@" 2>"$root/stderr" </dev/null 3>&-) || status=$?
  read_file stderr "$root/stderr"
}

# begins WORD...: servet-job in the background, as $waiter.
# shellcheck disable=SC2034 # read by the tests
begins() {
  (PATH=$bin exec sh "$tree/drivers/servet-job" "$@" >"$root/stdout" 2>"$root/stderr" </dev/null 3>&-) &
  waiter=$!
}

# waiter_says PATTERN: on stderr, so far.
waiter_says() {
  grep -qe "$1" "$root/stderr" || {
    cat "$root/stderr"
    return 1
  }
}

# succeeds WORD...: it must.
succeeds() {
  servet_job "$@"
  [ "$status" -eq 0 ] || {
    echo "status $status: $output $stderr"
    return 1
  }
}

# fails STATUS PATTERN WORD...: it must, with one line on stderr that matches.
# shellcheck disable=SC2053 # a pattern indeed
fails() {
  local expected=$1 pattern=$2
  shift 2
  servet_job "$@"
  if [ "$status" -eq "$expected" ] && [[ $stderr == "servet: servet-job: "* && $stderr != *$'\n'* && $stderr == $pattern ]]; then
    return
  fi
  echo "status $status: $stderr"
  return 1
}

# job_is NUMBER STATE: the fake's state of that job begins so.
job_is() {
  local state
  read_file state "$FAKE/jobs/$1/state" && [[ $state == "$2"* ]]
}

# eventually COMMAND...: within a minute.
eventually() {
  local try
  for try in {1..1200}; do
    ! "$@" 2>/dev/null || return 0
    sleep 0.05
  done
  echo "not in time ($try tries): $*"
  return 1
}

# completions WORD...: what servet-job's completion offers for the last word, one a line.
completions() {
  chmod +x "$tree/drivers/servet-job"
  bash -c '
    . "$1"
    COMP_WORDS=("$2" "${@:3}") COMP_CWORD=$(($# - 2))
    _servet
    printf "%s\n" "${COMPREPLY[@]}"' - "$SOURCE_ROOT/share/completions/servet" "$tree/drivers/servet-job" "$@"
}

# said PATTERN: stderr matches.
# shellcheck disable=SC2053 # a pattern indeed
said() {
  [[ $stderr == $1 ]] || {
    echo "stderr: $stderr"
    return 1
  }
}

logged() {
  grep -qe "$1" "$FAKE/log"
}

# Jobs and waiters that a test leaves end with it.
end_jobs() {
  local folder
  name_lines
  rm -f "$FAKE/hold" "$FAKE/stay"
  for folder in "$FAKE"/jobs/*; do
    [ ! -d "$folder" ] || echo 'CANCELLED None' >"$FAKE/kill.${folder##*/}"
  done
}
