# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Slurm's own launcher.
# shellcheck disable=SC2154 # settings come from choose.sh

has_agent() {
  return 1
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
