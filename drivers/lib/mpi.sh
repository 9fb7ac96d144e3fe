# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What mpirun and mpiexec have in common.
# shellcheck disable=SC2154 # settings come from choose.sh

# The function `launch` with command $1.
mpi_text() {
  # shellcheck disable=SC2086 # words separated by blanks
  words=$(set -f && quote_words ${opt_mpi_args-})
  case $opt_scheduler in
  pbs | torque) mpi_hosts_text "$1" ;;
  *) mpi_plain_text "$1" ;;
  esac
}

# Open MPI and the others (MPICH, Intel MPI) know which nodes a job of Slurm has.
mpi_plain_text() {
  cat <<END
launch() {
  case \$($1 --version 2>&1) in
  *'Open MPI'* | *OpenRTE* | *PRRTE*) set -- --map-by "ppr:\$tasks:node" --bind-to none ${words:+$words }"\$@" ;;
  *) set -- -ppn "\$tasks" ${words:+$words }"\$@" ;;
  esac
  exec $1 -n \$((nodes * tasks)) "\$@"
}
END
}

# Under PBS only an MPI library that was built for it knows the nodes, and may start processes there;
# else they are listed, and started by PBS's own remote shell, where there is one, or by ssh.
mpi_hosts_text() {
  cat <<'END'
# In place of ssh: runs a command on a node of this job. A path without blanks, for mpirun.
agent() {
  agent=${TMPDIR:-/tmp}/servet-agent.$$
  cat >"$agent" <<AGENT
#!/bin/sh
host=\$1
shift
exec $(command -v pbs_tmrsh) "\$host" /bin/sh -c "\$*"
AGENT
  chmod +x "$agent"
  echo "$agent"
}

knows_nodes() {
  [ -n "${SLURM_JOB_ID-}" ] || { ompi_info; prte_info; } 2>/dev/null | grep -q ': tm '
}

# A node listed without a number of slots has as many as cores.
launch_open_mpi() {
  if ! knows_nodes; then
    job_nodes | sed "s/\$/ slots=$tasks/" >"$run.hosts"
    ! command -v pbs_tmrsh >/dev/null ||
      set -- --mca plm_rsh_agent "$(agent)" --mca plm_rsh_no_tree_spawn 1 "$@"
    set -- --hostfile "$run.hosts" "$@"
  fi
END
  cat <<END
  exec $1 -n \$((nodes * tasks)) --map-by "ppr:\$tasks:node" --bind-to none "\$@"
}

launch_hydra() {
  job_nodes | sed "s/\\\$/:\$tasks/" >"\$run.hosts"
  ! command -v pbs_tmrsh >/dev/null || set -- -launcher rsh -launcher-exec "\$(agent)" "\$@"
  exec $1 -n \$((nodes * tasks)) -ppn "\$tasks" -f "\$run.hosts" "\$@"
}

launch() {
  case \$($1 --version 2>&1) in
  *'Open MPI'* | *OpenRTE* | *PRRTE*) launch_open_mpi ${words:+$words }"\$@" ;;
  *) launch_hydra ${words:+$words }"\$@" ;;
  esac
}
END
}
