# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Launches one process on the first node. Every launcher has these functions:

# Sets $rank to its position in the search of --launcher auto, lowest first; leaves it if it cannot be requested.
launcher_rank() {
  :
}

# Succeeds if `--launcher auto` may choose it under the chosen scheduler.
launcher_serves() {
  return 1
}

# Succeeds if it is on PATH.
launcher_found() {
  :
}

# Prints the function `launch` of a job script. It runs its arguments as $tasks processes on each of $nodes nodes; ranks
# ascend node by node. Processes are not bound: they choose their cores themselves.
launcher_text() {
  cat <<'END'
launch() {
  exec "$@"
}
END
}

# Prints the files that `launch` leaves, as words of the job script, with a blank before each.
launcher_litter() {
  :
}

# Prints a hint for the case that each process is alone in its MPI job.
launcher_hint() {
  :
}
