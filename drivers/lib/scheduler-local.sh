# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# This machine, without a batch system. Every scheduler has these functions:
# shellcheck disable=SC2154 # settings come from choose.sh

# Whether it is here.
scheduler_found() {
  :
}

# What it calls the cluster.
scheduler_cluster() {
  uname -n
}

# Launchers to look for, the best first.
scheduler_launchers() {
  say mpirun mpiexec
}

# Whether this is a job already, which then measures at once.
scheduler_inside() {
  return 1
}

# The number of nodes that need not be given; nothing where it must.
scheduler_nodes_here() {
  say 1
}

# The lines of a job script that ask for what run $run needs.
scheduler_directives() {
  :
}

# The functions job_id and job_nodes of a job script.
scheduler_text() {
  cat <<'END'
job_id() {
  echo "$$@$(uname -n)"
}

job_nodes() {
  uname -n
}

END
}

# Exits where run $run can never start.
scheduler_check() {
  [ "$nodes" -eq 1 ] ||
    usage_error "--nodes: '$nodes' is not 1, and no batch system is here (neither Slurm nor PBS)"
}

# Submits script $1, to begin when job $2 (may be "") has ended, and prints the job's id. The folder
# is that of the script; nothing of the job's own output is printed.
scheduler_submit() {
  (
    trap '' HUP
    while [ -n "$2" ] && kill -0 "${2%%@*}" 2>/dev/null; do
      sleep 1
    done
    exec sh "$1"
  ) >"${1%.sh}.out" 2>&1 </dev/null &
  say "$!@$(uname -n)"
}

# Prints "waiting WHY", "running", "ended HOW", "never WHY" (it cannot start) or "unknown" (ask again)
# about job $1.
scheduler_state() {
  if [ "${1#*@}" != "$(uname -n)" ]; then
    say unknown
  elif is_alive "${1%%@*}"; then
    say running
  else
    say 'ended without a word'
  fi
}

# A zombie has ended, though nobody has asked how.
is_alive() {
  kill -0 "$1" 2>/dev/null && [ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null)" != Z ]
}

# Ends job $1.
scheduler_cancel() {
  kill -TERM "${1%%@*}"
}

# How a user ends job $1.
scheduler_cancel_words() {
  say "kill ${1%%@*}"
}
