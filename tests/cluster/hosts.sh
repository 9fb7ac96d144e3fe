# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# A virtual cluster on this machine: every host is a network namespace with a host name, shared memory
# and a temporary folder of its own; the file system and the process numbers are common to all.
# links.sh connects the hosts. A script that sources this file sets $cluster_tools to its folder:
#
#     cluster_tools=$root/tests/cluster
#     . "$cluster_tools/hosts.sh"
#     . "$cluster_tools/links.sh"
#     reason=$(cluster_lacks)       # empty: a cluster is possible
#     trap cluster_end EXIT
#     cluster_begin
#     cluster_hosts 8               # h0 .. h7
#     cluster_ring 100mbit
#     in_host h3 ping -c 1 h5
#     mpi_on "$(ranks_each 2)" servet-mpi measure
#
# All names begin with that of the cluster, so that several can exist at once. Remains of a cluster whose process was
# killed are removed when the next one begins.

# shellcheck disable=SC2154 # cluster_tools is the reader's
cluster_folders=/run/servet-cluster

# --- whether and why not --------------------------------------------------------------------------

# The reason why a virtual cluster is impossible here, in one line; empty if it is possible.
cluster_lacks() (
  if [ "$(id -u)" -ne 0 ]; then
    echo "network namespaces are root's"
    return
  fi
  for tool in ip tc nsenter unshare setsid; do
    command -v "$tool" >/dev/null 2>&1 || { echo "there is no program '$tool'" && return; }
  done
  if ! refused=$(cluster_trial 2>&1); then
    printf '%s\n' "$refused" | head -n 1
  fi
)

# Tries everything that a cluster needs of the kernel, in temporary namespaces; prints what is refused.
cluster_trial() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --net --uts --mount sh -c '
    try() { said=$("$@" 2>&1) || { echo "not allowed here: $* ($said)" | tr "\n" " "; exit 1; }; }
    try ip link add one type veth peer name other
    try ip link add switch type bridge
    try tc qdisc add dev one root handle 1: htb default 1
    try tc class add dev one parent 1: classid 1:1 htb rate 100mbit quantum 1514
    try tc filter add dev one parent 1: protocol ip u32 match u16 0 0xffc0 at 2 flowid 1:
    try mount -t tmpfs tmpfs /dev/shm
    try sh -c "echo 1 >/proc/sys/net/ipv4/ip_forward"
    try sh -c "echo h0 >/proc/sys/kernel/hostname"'
}

# The reason why MPI programs cannot run across the hosts; empty if they can.
cluster_lacks_mpi() {
  case $("${MPIEXEC:-mpiexec}" --version 2>/dev/null) in
    *"Open MPI) 4."* | *"OpenRTE) 4."*) ;;
    *) echo "only Open MPI 4 is known to start processes in them" ;;
  esac
}

# --- beginning and ending -------------------------------------------------------------------------

# Makes a cluster without hosts that is removed when this process ends. $SERVET_CLUSTER is its folder.
cluster_begin() {
  cluster_make $$
  process_mark $$ >"$SERVET_CLUSTER/owner.new"
  mv "$SERVET_CLUSTER/owner.new" "$SERVET_CLUSTER/owner" # others who sweep read all of it
}

# cluster_make NAME: makes a cluster that exists until it is ended.
cluster_make() {
  cluster_sweep
  export SERVET_CLUSTER="$cluster_folders/$1"
  mkdir -p "$cluster_folders"
  mkdir "$SERVET_CLUSTER" "$SERVET_CLUSTER/local"
}

# Number and start of a process, because numbers are reused.
process_mark() {
  cut -d ' ' -f 1,22 "/proc/$1/stat" 2>/dev/null
}

# Ends the clusters whose process has ended.
cluster_sweep() (
  for owner in "$cluster_folders"/*/owner; do
    [ ! -f "$owner" ] || [ "$(process_mark "$(cut -d ' ' -f 1 "$owner")")" = "$(cat "$owner")" ] ||
      cluster_remove "${owner%/owner}"
  done
)

# Ends this cluster, if it has begun: all processes in its hosts, then all that it is made of.
cluster_end() {
  [ -z "${SERVET_CLUSTER:-}" ] || cluster_remove "$SERVET_CLUSTER"
  unset SERVET_CLUSTER
}

cluster_remove() (
  for namespace in /run/netns/"servet-${1##*/}"-*; do
    [ -e "$namespace" ] || continue
    cluster_kill_all "${namespace##*/}"
    # Another cluster that begins may sweep the same remains.
    ip netns delete "${namespace##*/}" 2>/dev/null || [ ! -e "$namespace" ]
  done
  rm -rf "$1"
)

cluster_kill_all() (
  for process in $(ip netns pids "$1"); do
    kill -s KILL "$process" 2>/dev/null || :
  done
)

# --- hosts ----------------------------------------------------------------------------------------

# The network namespace of a host.
namespace_of() {
  printf 'servet-%s-%s\n' "${SERVET_CLUSTER##*/}" "$1"
}

# The number of a host, which is 0 for h0; and its address.
number_of() {
  printf '%s\n' "${1#h}"
}

address_of() {
  printf '10.77.0.%s\n' "$((${1#h} + 1))"
}

# The core of a host: the cores of this machine in turn.
core_of() {
  sed -n 's/^Cpus_allowed_list:[[:blank:]]*//p' /proc/self/status | tr ',' '\n' |
    awk -F - -v number="$(number_of "$1")" '
      { for (core = $1; core <= $NF; core++) cores[count++] = core }
      END { print cores[number % count] }'
}

# The names of all hosts.
cluster_list() {
  cut -d ' ' -f 2 "$SERVET_CLUSTER/hosts" | grep '^h'
}

# cluster_hosts N: makes hosts h0 .. h(N-1), 250 at most, which know each other's names.
cluster_hosts() (
  echo "127.0.0.1 localhost" >"$SERVET_CLUSTER/hosts"
  for serial in $(seq 0 $(($1 - 1))); do
    echo "$(address_of "h$serial") h$serial" >>"$SERVET_CLUSTER/hosts"
  done
  for host in $(cluster_list); do
    make_network "$host"
    hold_host "$host" >"$SERVET_CLUSTER/$host.pid"
  done
)

# A network namespace in which packets may come from anywhere and are passed on.
make_network() (
  namespace=$(namespace_of "$1")
  ip netns add "$namespace"
  ip -n "$namespace" link set lo up
  # shellcheck disable=SC2016 # expanded by the inner shell
  nsenter --net="/run/netns/$namespace" sh -c '
    cd /proc/sys/net/ipv4
    echo 1 >ip_forward
    for device in all default lo; do echo 0 >conf/$device/rp_filter; done'
)

# Starts the process that keeps a host's namespaces, which others enter; prints its number.
hold_host() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  nsenter --net="/run/netns/$(namespace_of "$1")" unshare --uts --mount sh -ec '
    echo "$1" >/proc/sys/kernel/hostname
    mount -t tmpfs tmpfs /dev/shm
    mount -t tmpfs tmpfs "$SERVET_CLUSTER/local"
    mount --bind "$SERVET_CLUSTER/hosts" /etc/hosts
    setsid sleep 1000000000 </dev/null >/dev/null 2>&1 3>&- &
    echo $!' sh "$1"
}

# in_host HOST COMMAND [ARGUMENT]...: runs a command there, in this folder; in the background, $! is its number.
in_host() (
  holder=$(cat "$SERVET_CLUSTER/$1.pid")
  shift
  export TMPDIR="$SERVET_CLUSTER/local"
  # shellcheck disable=SC2016 # expanded by the inner shell
  exec nsenter --target "$holder" --net --uts --mount sh -c 'cd "$0" && exec "$@"' "$PWD" "$@"
)

# Kills all processes of a host at once and cuts its links for good.
kill_host() {
  cluster_kill_all "$(namespace_of "$1")"
}

# --- MPI ------------------------------------------------------------------------------------------

# The environment that Open MPI needs for mpirun in a host.
cluster_mpi() {
  export OMPI_MCA_plm_rsh_agent="$cluster_tools/agent.sh"
  export OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,vader,self
  export OMPI_MCA_btl_tcp_if_include=10.77.0.0/24 OMPI_MCA_oob_tcp_if_include=10.77.0.0/24
}

# ranks_each N [HOST]...: all hosts (or those) with N ranks each, as mpi_on wants them.
ranks_each() (
  each=$1
  shift
  # shellcheck disable=SC2046 # names
  [ $# -gt 0 ] || set -- $(cluster_list)
  printf "%s:$each\n" "$@" | paste -s -d , -
)

# mpi_on HOST:RANKS,... PROGRAM [ARGUMENT]...: runs it as mpirun in the first of the hosts does.
mpi_on() (
  hosts=$1
  shift
  ranks=$(printf '%s\n' "$hosts" | tr ',' '\n' | awk -F : '{ sum += $2 } END { print sum }')
  cluster_mpi
  in_host "${hosts%%:*}" sh "$cluster_tools/../mpi/launch.sh" "$ranks" --host "$hosts" "$@"
)
