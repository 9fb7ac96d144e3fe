# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# This machine, without a batch system. Every scheduler has these functions:
# shellcheck disable=SC2154 # settings come from choose.sh

# Its position in the search of --scheduler auto, lowest first. This one is always available.
scheduler_rank() {
  say 99
}

# Names of other schedulers that also select it.
scheduler_aliases() {
  :
}

# Succeeds if it is available.
scheduler_found() {
  :
}

# The name of the cluster according to the scheduler.
scheduler_cluster() {
  uname -n
}

# Succeeds if this process runs inside a job, which then measures at once.
scheduler_inside() {
  return 1
}

# The default number of nodes; empty if it must be given.
scheduler_nodes_here() {
  say 1
}

# The names of nodes that can be requested by name; empty if not known.
scheduler_nodes() {
  :
}

# The PATH of jobs, in which programs of the batch system must not hide those of MPI.
scheduler_path() {
  say "$PATH"
}

# The lines of a job script that request the resources of run $run, on nodes $same if given.
scheduler_directives() {
  :
}

# The functions job_id, job_nodes and job_lives (true if job $1 is running) of a job script.
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

# Some MPI libraries may not know the nodes of a job. For these, the functions knows_nodes (true if Open MPI does) and
# remote_shell of a job script, which prints a program that is called as PROGRAM NODE COMMAND and fails if there is only
# ssh.
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

# Submits script $1 of run $run, to begin when job $2 has ended (or at once: "", or when it is released: "hold"), and
# prints the job's id. The folder is that of the output; nothing from there is printed.
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

# The message of the scheduler on the end of run $run in file $1, if it adds one to the output.
scheduler_last_words() {
  :
}

# Ends job $1.
scheduler_cancel() {
  kill -TERM "${1%%@*}"
}

# How a user ends job $1.
scheduler_cancel_words() {
  say "kill ${1%%@*}"
}
