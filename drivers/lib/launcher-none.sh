# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# One process on the first node. Every launcher has these functions:

# Its position in the search of --launcher auto, lowest first; empty if it cannot be requested.
launcher_rank() {
  :
}

# Succeeds if auto may use it under the chosen scheduler.
launcher_serves() {
  return 1
}

# Succeeds if it is on PATH.
launcher_found() {
  :
}

# The function `launch` of a job script: becomes $tasks processes of its words on each of $nodes nodes, those of a node
# one after the other in the order of ranks. Processes are not bound: they choose their cores themselves.
launcher_text() {
  cat <<'END'
launch() {
  exec "$@"
}
END
}

# Files that `launch` leaves, as words of the job script, with a blank before each.
launcher_litter() {
  :
}

# A hint if each process is alone in its MPI job.
launcher_hint() {
  :
}
