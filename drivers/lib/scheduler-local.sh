# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# This machine, without a batch system. Every scheduler has these functions:
# shellcheck disable=SC2154 # settings come from choose.sh

# Its place among those that --scheduler auto asks, the lowest first. This one is always here.
scheduler_rank() {
  say 99
}

# The names of other schedulers by which it may be meant, too.
scheduler_aliases() {
  :
}

# Whether it is here.
scheduler_found() {
  :
}

# What it calls the cluster.
scheduler_cluster() {
  uname -n
}

# Whether this is a job already, which then measures at once.
scheduler_inside() {
  return 1
}

# The number of nodes that need not be given; nothing where it must.
scheduler_nodes_here() {
  say 1
}

# The names of nodes that can be asked for one by one; nothing where that is not known.
scheduler_nodes() {
  :
}

# The PATH of jobs: nothing of the batch system may hide what belongs to MPI.
scheduler_path() {
  say "$PATH"
}

# The lines of a job script that ask for what run $run needs, on nodes $same if there are any.
scheduler_directives() {
  :
}

# The functions job_id, job_nodes and job_lives (whether job $1 is running) of a job script.
scheduler_text() {
  cat <<'END'
job_id() {
  echo "$$@$(uname -n)"
}

job_nodes() {
  uname -n
}

job_lives() {
  [ "${1#*@}" = "$(uname -n)" ] && kill -0 "${1%%@*}" 2>/dev/null
}

END
}

# Where MPI libraries may not know the nodes of a job, the functions knows_nodes (whether Open MPI does) and remote_shell
# of a job script, which prints a program that is called as PROGRAM NODE COMMAND; it fails where there is none but ssh.
scheduler_remote_text() {
  :
}

# Exits where run $run can never start.
scheduler_check() {
  [ "$nodes" -eq 1 ] ||
    usage_error "--nodes: '$nodes' is not 1, and no batch system is here"
}

# Whether it is a batch system: jobs have time limits, may be refused, and can be kept from beginning until all are
# accepted.
scheduler_is_batch() {
  return 1
}

# Submits script $1 of run $run, to begin when job $2 has ended (or at once: "", or when it is released:
# "hold"), and prints the job's id. The folder is that of the output; nothing of that is printed.
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

# Lets job $1 begin that was submitted with "hold".
scheduler_release() {
  :
}

# Prints "waiting WHY", "running", "ended HOW", "never WHY" (it cannot start) or "unknown" (ask again)
# about job $1. HOW is "status S" where the script ended by itself, "" where nobody knows.
scheduler_state() {
  if [ "${1#*@}" != "$(uname -n)" ]; then
    say unknown
  elif is_alive "${1%%@*}"; then
    say running
  else
    say 'ended '
  fi
}

# A zombie has ended, though nobody has asked how.
is_alive() {
  kill -0 "$1" 2>/dev/null && [ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null)" != Z ]
}

# What the scheduler has written about the end of run $run into file $1, where it adds to its output.
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
