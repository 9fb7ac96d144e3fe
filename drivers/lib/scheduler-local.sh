# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs jobs on this machine, without a batch system. Every scheduler has these functions:

# Sets $rank to its position in the search of --scheduler auto, lowest first. This scheduler is always available.
scheduler_rank() {
  rank=99
}

# Prints further names that select it.
scheduler_aliases() {
  :
}

# Succeeds if it is available.
scheduler_found() {
  :
}

# Prints the name of the cluster according to the scheduler.
scheduler_cluster() {
  uname -n
}

# Succeeds if this process runs inside a job, which then measures immediately.
scheduler_inside() {
  return 1
}

# Prints the default number of nodes; nothing if it must be given.
scheduler_nodes_here() {
  say 1
}

# Prints the names of nodes that can be requested by name; nothing if they are not known.
scheduler_nodes() {
  :
}

# Prints the PATH of jobs, in which programs of the batch system must not hide programs of MPI.
scheduler_path() {
  say "$PATH"
}

# Prints the lines of a job script that request the resources of run $run, on nodes $same if given.
scheduler_directives() {
  :
}

# Prints the functions job_id, job_nodes and job_lives (true if job $1 is running) of a job script.
scheduler_text() {
  cat <<'END'
job_id() {
  echo "$$@$(uname -n)"
}

job_nodes() {
  uname -n
}

# A zombie has ended, although its status was not read.
job_lives() {
  [ "${1#*@}" = "$(uname -n)" ] && kill -0 "${1%%@*}" 2>/dev/null &&
    ! grep -q '^State:[[:blank:]]*Z' "/proc/${1%%@*}/status" 2>/dev/null
}

END
}

# Prints two functions of a job script, for MPI libraries that may not know the nodes of a job: knows_nodes (true if
# Open MPI does), and remote_shell, which prints a program that is called as PROGRAM NODE COMMAND, and fails if there is
# only ssh.
scheduler_remote_text() {
  :
}

# Exits if run $run can never start.
scheduler_check() {
  [ "$nodes" -eq 1 ] ||
    usage_error "--nodes must be 1, not '$nodes': no batch system was found here, so only this node can be measured"
}

# Succeeds if it is a batch system: jobs have time limits, may be refused, and can be held until all are
# accepted.
scheduler_is_batch() {
  return 1
}

# Submits script $1 of run $run and prints the job's id. The job begins when job $2 has ended; "": immediately; "hold":
# when it is released. The output of the job goes to the output folder and is not printed.
scheduler_submit() {
  (
    trap '' HUP
    while [ -n "$2" ] && kill -0 "${2%%@*}" 2>/dev/null; do
      sleep 1
    done
    exec sh "$1"
  ) >"$run.out" 2>&1 </dev/null &
  say "$!@$(uname -n)"
}

# Releases job $1, which was submitted with "hold".
scheduler_release() {
  :
}

# Prints "waiting WHY", "running", "ended HOW", "never WHY" (it cannot start) or "unknown" (poll again)
# for job $1. HOW is "status S" if the script ended by itself, "" if not known.
scheduler_state() {
  if [ "${1#*@}" != "$(uname -n)" ]; then
    say unknown
  elif is_alive "${1%%@*}"; then
    say running
  else
    say 'ended '
  fi
}

is_alive() {
  kill -0 "$1" 2>/dev/null && ! is_zombie "$1"
}

# Prints the message of the scheduler about the end of run $run in file $1, if it adds one to the output.
scheduler_last_words() {
  :
}

# Ends job $1.
scheduler_cancel() {
  kill -TERM "${1%%@*}"
}

# Prints the command by which a user ends job $1.
scheduler_cancel_words() {
  say "kill ${1%%@*}"
}
