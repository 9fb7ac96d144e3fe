# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# OpenPBS on the hosts of a virtual cluster (hosts.sh): server, scheduler and login on h0, which runs no jobs, and a
# pbs_mom on each other host. All that it has lies in the cluster's folder, and its daemons end with the hosts.
#
#     reason=$(pbs_lacks)           # nothing: it can be had
#     pbs_begin                     # after hosts and links
#     in_host h0 runuser -u USER -- /opt/pbs/bin/qsub job.sh
#
# PBS finds everything by /etc/pbs.conf and fixed paths: each host has these for itself, by mounts that only it
# sees. It refuses to run jobs of root.

# shellcheck disable=SC2154 # cluster_tools is the reader's
pbs_exec=${PBS_EXEC:-/opt/pbs}
pbs_home=/var/spool/pbs

# --- whether and why not --------------------------------------------------------------------------

# Why there can be no OpenPBS here, in one line; nothing where there can. It is no package of Debian: built from
# source, with the prefix /opt/pbs, and it keeps its jobs in PostgreSQL.
pbs_lacks() {
  for tool in "$pbs_exec/sbin/pbs_server.bin" "$pbs_exec/sbin/pbs_mom" "$pbs_exec/libexec/pbs_init.d" psql pg_config \
    taskset runuser; do
    command -v "$tool" >/dev/null 2>&1 || { echo "there is no program '$tool'" && return; }
  done
  getent passwd postgres >/dev/null || echo "there is no user 'postgres'"
}

# --- configuration --------------------------------------------------------------------------------

# pbs_folder HOST: what is there for that host alone.
pbs_folder() {
  printf '%s\n' "$SERVET_CLUSTER/pbs.$1"
}

pbs_conf() {
  case $1 in
    h0) server=1 mom=0 ;;
    *) server=0 mom=1 ;;
  esac
  cat <<END
PBS_EXEC=$pbs_exec
PBS_HOME=$pbs_home
PBS_SERVER=h0
PBS_START_SERVER=$server
PBS_START_SCHED=$server
PBS_START_COMM=$server
PBS_START_MOM=$mom
PBS_CORE_LIMIT=unlimited
PBS_SCP=/usr/bin/scp
END
}

# Folders that the mounts hide must exist outside of the hosts, too; nothing is written there.
pbs_prepare() {
  mine=$(pbs_folder "$1")
  mkdir -p "$pbs_home" /var/run/postgresql "$mine/home" "$mine/tmp" "$mine/postgresql"
  [ -e /etc/pbs.conf ] || : >/etc/pbs.conf
  chmod 755 "$mine" "$mine/home"
  chmod 1777 "$mine/tmp"
  chown postgres "$mine/postgresql"
  pbs_conf "$1" >"$mine/pbs.conf"
  in_host "$1" mount --bind "$mine/pbs.conf" /etc/pbs.conf
  in_host "$1" mount --bind "$mine/home" "$pbs_home"
  in_host "$1" mount --bind "$mine/tmp" /var/tmp
  in_host "$1" mount --bind "$mine/postgresql" /var/run/postgresql
}

# --- beginning ------------------------------------------------------------------------------------

# A lost node's jobs are given up after five seconds.
pbs_begin() {
  chmod 755 "$SERVET_CLUSTER"
  for host in $(cluster_list); do
    pbs_prepare "$host"
  done
  in_host h0 "$pbs_exec/libexec/pbs_init.d" start
  for host in $(pbs_nodes); do
    begin_mom "$host"
    pbs_qmgr "create node $host"
  done
  pbs_qmgr 'set server node_fail_requeue = 5'
  pbs_await free
}

pbs_nodes() {
  cluster_list | grep -v '^h0$'
}

# All hosts see the same files: nothing need be copied with scp. Ranks of one host bind themselves to its cores,
# which must not be those of its neighbour: the cores of this machine go round, unless $pbs_cores says which every
# host has.
begin_mom() {
  in_host "$1" sh -c "[ -f $pbs_home/mom_priv/config ] || $pbs_exec/libexec/pbs_habitat"
  in_host "$1" sh -c "grep -q usecp $pbs_home/mom_priv/config || echo '\$usecp *:/ /' >>$pbs_home/mom_priv/config"
  in_host "$1" taskset -c "${pbs_cores:-$(core_of "$1")}" "$pbs_exec/libexec/pbs_init.d" start
}

pbs_qmgr() {
  in_host h0 "$pbs_exec/bin/qmgr" -c "$*"
}

# pbs_await STATE [HOST]: until that node, or all of them, are in it; fails after a minute.
pbs_await() {
  for _ in $(seq 1 120); do
    states=$(for host in ${2:-$(pbs_nodes)}; do pbs_node_state "$host"; done | sort -u)
    [ "$states" != "$1" ] || return 0
    sleep 0.5
  done
  in_host h0 "$pbs_exec/bin/pbsnodes" -a >&2
  return 1
}

pbs_node_state() {
  in_host h0 "$pbs_exec/bin/pbsnodes" "$1" 2>/dev/null | sed -n 's/^ *state = //p'
}

# crash_host HOST: all that runs there is gone at once; begin_mom boots it again.
crash_host() {
  # shellcheck disable=SC2046 # numbers
  kill -s KILL $(ip netns pids "$(namespace_of "$1")" | grep -v -x "$(cat "$SERVET_CLUSTER/$1.pid")")
}
