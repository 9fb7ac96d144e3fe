# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Common functions of the launchers of MPI libraries, whose own files have launcher_rank and launcher_found.

launcher_serves() {
  :
}

# Prints the folder of the agent, which the job removes at its end.
launcher_litter() {
  # shellcheck disable=SC2016 # expanded in the script
  [ -z "$(scheduler_remote_text)" ] || printf ' "$private"'
}

mpi_hint() {
  say "does $1 belong to the MPI library that servet-mpi was built with?"
}

# Prints the function `launch`, which starts MPI programs with command $1.
mpi_text() {
  # shellcheck disable=SC2086 # words separated by blanks
  words=$(set -f && quote_words ${opt_mpi_args-})
  cut_off_text
  if [ -n "$(scheduler_remote_text)" ]; then
    mpi_hosts_text "$1"
  else
    mpi_plain_text "$1"
  fi
}

cut_off_text() {
  cat <<'END'
# A daemon of Open MPI that is cut off from mpirun notices within half a minute, not after eight minutes, and ends its processes.
export OMPI_MCA_oob_tcp_keepalive_time=10 OMPI_MCA_oob_tcp_keepalive_intvl=5 OMPI_MCA_oob_tcp_keepalive_probes=4

END
}

# Open MPI and the others (MPICH, Intel MPI) know the nodes of the job.
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

# Only an MPI library that was built for the scheduler knows the nodes and may start processes there. For other
# libraries, the script lists the nodes, and starts processes by the scheduler's remote shell, or else by ssh.
mpi_hosts_text() {
  scheduler_remote_text
  cat <<'END'
# All nodes must see the agent, under a path without blanks for mpirun, and nobody else may write to its folder.
case $PWD in
*[[:blank:]]*) private=$HOME/.servet-$(job_id) ;;
*) private=$PWD/$run.private ;;
esac

# In place of ssh: runs a command on a node of this job.
agent() {
  rm -rf "$private" && mkdir -m 700 "$private" || return 1
  cat >"$private/agent" <<AGENT
#!/bin/sh
host=\$1
shift
exec $(remote_shell) "\$host" /bin/sh -c "\$*"
AGENT
  chmod 700 "$private/agent" && echo "$private/agent"
}

# Options are given as variables, because each version reads its own and ignores others. Daemons must stay attached,
# because the scheduler kills background processes that a task leaves behind; therefore all must be started at once.
tell_open_mpi() {
  OMPI_MCA_plm_rsh_agent=$(agent) || return 1
  OMPI_MCA_plm_rsh_no_tree_spawn=1
  OMPI_MCA_plm_rsh_num_concurrent=$nodes
  OMPI_MCA_orte_leave_session_attached=1
  PRTE_MCA_plm_ssh_agent=$OMPI_MCA_plm_rsh_agent
  PRTE_MCA_plm_ssh_no_tree_spawn=1
  PRTE_MCA_plm_ssh_num_concurrent=$nodes
  PRTE_MCA_prte_leave_session_attached=1
  export OMPI_MCA_plm_rsh_agent OMPI_MCA_plm_rsh_no_tree_spawn OMPI_MCA_plm_rsh_num_concurrent \
    OMPI_MCA_orte_leave_session_attached PRTE_MCA_plm_ssh_agent PRTE_MCA_plm_ssh_no_tree_spawn \
    PRTE_MCA_plm_ssh_num_concurrent PRTE_MCA_prte_leave_session_attached
}

# A node listed without a number of slots has one slot for each core.
launch_open_mpi() {
  if ! knows_nodes; then
    job_nodes | sed "s/\$/ slots=$tasks/" >"$run.hosts"
    ! remote_shell >/dev/null || tell_open_mpi || exit 1
    set -- --hostfile "$run.hosts" "$@"
  fi
END
  cat <<END
  exec $1 -n \$((nodes * tasks)) --map-by "ppr:\$tasks:node" --bind-to none "\$@"
}

launch_hydra() {
  job_nodes | sed "s/\\\$/:\$tasks/" >"\$run.hosts"
  if remote_shell >/dev/null; then
    agent=\$(agent) || exit 1
    set -- -launcher rsh -launcher-exec "\$agent" "\$@"
  fi
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
