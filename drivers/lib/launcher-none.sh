# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# One process on the first node. Every launcher has these functions:

# Its place among those that --launcher auto looks for, the lowest first; nothing where nobody may ask for it.
launcher_rank() {
  :
}

# Whether auto may take it under the scheduler that was chosen.
launcher_serves() {
  return 1
}

# Whether it is on PATH.
launcher_found() {
  :
}

# The function `launch` of a job script: becomes $tasks processes of its words on each of $nodes nodes, those of a
# node one after the other in the order of ranks. Processes are not bound: they choose their cores themselves.
launcher_text() {
  cat <<'END'
launch() {
  exec "$@"
}
END
}

# What `launch` leaves behind, as words of the job script, with a blank before each.
launcher_litter() {
  :
}

# What to do where each process takes itself for the only one.
launcher_hint() {
  :
}
