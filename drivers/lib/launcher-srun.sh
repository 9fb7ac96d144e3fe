# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Slurm's own launcher. launcher-none.sh describes each function.

# srun ranks last, because it needs a plugin that matches the MPI library; the library's own launchers always match.
launcher_rank() {
  rank=30
}

launcher_serves() {
  [ "$opt_scheduler" = slurm ]
}

launcher_found() {
  have srun
}

launcher_text() {
  # shellcheck disable=SC2086 # words separated by blanks
  words=$(set -f && quote_words ${opt_mpi_args-})
  cat <<END
launch() {
  exec srun --nodes="\$nodes" --ntasks=\$((nodes * tasks)) --ntasks-per-node="\$tasks" \\
    --distribution=block --cpu-bind=none ${words:+$words }"\$@"
}
END
}

launcher_litter() {
  :
}

launcher_hint() {
  say "srun needs --mpi-args --mpi=pmix (or pmi2); otherwise use another --launcher"
}
