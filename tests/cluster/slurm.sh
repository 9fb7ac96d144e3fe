# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Slurm on the hosts of a virtual cluster (hosts.sh): slurmctld on h0, a slurmd on each. All that it has
# lies in the cluster's folder, and its daemons end with the hosts.
#
#     reason=$(slurm_lacks)         # nothing: it can be had
#     slurm_begin                   # after hosts and links
#     in_host h0 sbatch job.sh

# --- whether and why not --------------------------------------------------------------------------

# Why there can be no Slurm here, in one line; nothing where there can. Debian's packages are slurmctld,
# slurmd, slurm-client and munge.
slurm_lacks() {
  for tool in slurmctld slurmd sbatch munged mungekey taskset; do
    command -v "$tool" >/dev/null 2>&1 || { echo "there is no program '$tool'" && return; }
  done
}

# The same of its commands in the manner of Torque, Debian's package slurm-wlm-torque.
torque_lacks() {
  for tool in qsub qstat qdel pbsnodes; do
    command -v "$tool" >/dev/null 2>&1 || { echo "there is no program '$tool'" && return; }
  done
}

# --- configuration --------------------------------------------------------------------------------

slurm_folder() {
  printf '%s\n' "$SERVET_CLUSTER/slurm"
}

# A node has two cores for Slurm, whatever this machine has, or those of $slurm_node. Everything that waits does so
# briefly: a node that does not answer is lost after five seconds. $slurm_task_plugin is task/none if not set, and
# $slurm_features has words HOST=FEATURE[,FEATURE...].
slurm_conf() {
  slurm=$(slurm_folder)
  cat <<END
ClusterName=virtual
SlurmctldHost=h0($(address_of h0))
SlurmUser=root
SlurmdUser=root
AuthInfo=socket=$slurm/munge.socket
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool.%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=${slurm_task_plugin:-task/none}
MpiDefault=pmix
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=3
SlurmdTimeout=5
SchedulerParameters=batch_sched_delay=0,sched_interval=2,sched_min_interval=0,bf_interval=2
END
  for host in $(cluster_list); do
    echo "NodeName=$host NodeAddr=$(address_of "$host") ${slurm_node:-CPUs=2} State=UNKNOWN$(features_of "$host")"
  done
  echo "PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO"
}

features_of() {
  for pair in ${slurm_features-}; do
    [ "${pair%%=*}" != "$1" ] || printf ' Features=%s' "${pair#*=}"
  done
}

# --- beginning ------------------------------------------------------------------------------------

slurm_begin() {
  slurm=$(slurm_folder)
  mkdir "$slurm" "$slurm/state"
  export SLURM_CONF="$slurm/slurm.conf"
  slurm_conf >"$SLURM_CONF"
  printf '%s\n' CgroupPlugin=cgroup/v1 CgroupAutomount=no >"$slurm/cgroup.conf"
  # The steps of two hosts must not meet in one folder.
  echo "PMIxCliTmpDirBase=$SERVET_CLUSTER/local" >"$slurm/mpi.conf"
  begin_munge "$slurm"
  in_host h0 slurmctld -i
  for host in $(cluster_list); do
    begin_slurmd "$host"
  done
  slurm_await idle
}

begin_munge() {
  mungekey --create --keyfile="$1/munge.key"
  in_host h0 munged --force --key-file="$1/munge.key" --socket="$1/munge.socket" \
    --pid-file="$1/munged.pid" --log-file="$1/munged.log" --seed-file="$1/munged.seed"
}

# Ranks of one host bind themselves to its cores, which must not be those of its neighbour; unless
# $slurm_cores says which every host has. $slurm_preload is a library to preload, for slurmd and its children.
begin_slurmd() {
  in_host "$1" taskset -c "${slurm_cores:-$(core_of "$1")}" env LD_PRELOAD="${slurm_preload-}" slurmd -N "$1"
}

# kill_slurmd HOST: as if it had crashed.
kill_slurmd() {
  kill -s KILL "$(cat "$(slurm_folder)/slurmd.$1.pid")"
}

# slurm_await STATE [HOST]: until that node, or all of them, are in it; fails after a minute.
slurm_await() {
  for _ in $(seq 1 300); do
    [ "$(in_host h0 sinfo -h -N ${2:+-n "$2"} -o %T 2>/dev/null | sort -u)" != "$1" ] || return 0
    sleep 0.2
  done
  in_host h0 sinfo -N >&2
  return 1
}
