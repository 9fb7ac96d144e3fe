# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Links between the hosts of hosts.sh. Rates are those of tc: 100mbit is 12.5 MB/s in each direction. A device has the
# name of the host or switch at its other end.

# Small enough that the rate limits messages of some kilobytes, large enough for a packet.
burst=4k
# Packets in a queue: more than all connections together have in flight, so that none is dropped, as in networks
# of clusters.
queue=20000
in_flight=1048576

# --- single links ---------------------------------------------------------------------------------

# lay_link A B [RATE]: a cable between two hosts or switches; without a rate as fast as it may be.
lay_link() {
  lay_cable "$1" "$2" "$2" "$1" "${3:-}"
}

# lay_cable A DEVICE_OF_A B DEVICE_OF_B [RATE]
lay_cable() {
  ip link add "$2" netns "$(namespace_of "$1")" type veth peer name "$4" netns "$(namespace_of "$3")"
  finish_end "$1" "$2" "${5:-}"
  finish_end "$3" "$4" "${5:-}"
}

# finish_end HOST DEVICE [RATE]
finish_end() {
  ip -n "$(namespace_of "$1")" link set dev "$2" gso_max_segs 1 txqueuelen "$queue" up
  [ -z "$3" ] || shape "$1" "$2" "$3"
}

# shape HOST DEVICE RATE: limits the rate of packets that leave the host there. Packets without data, of at most 63
# bytes, go first: acknowledgements that queue behind data arrive in bunches, as then do the packets that they allow, and
# half of the rate is lost.
shape() (
  on="-n $(namespace_of "$1")"
  # shellcheck disable=SC2086 # two words
  {
    tc $on qdisc replace dev "$2" root handle 1: htb default 1 direct_qlen "$queue"
    tc $on class replace dev "$2" parent 1: classid 1:1 htb rate "$3" burst "$burst" cburst "$burst" quantum 1514
    tc $on filter replace dev "$2" parent 1: protocol ip prio 1 u32 match u16 0 0xffc0 at 2 flowid 1:
  }
  echo "$3" >"$SERVET_CLUSTER/rate.$1.$2"
)

# cut_link A B: packets from either end are lost from now on, without an error.
cut_link() (
  for end in "$1 $2" "$2 $1"; do
    tc -n "$(namespace_of "${end% *}")" qdisc replace dev "${end#* }" root pfifo limit 0
  done
)

# repair_link A B: restores a link that was cut.
repair_link() {
  shape "$1" "$2" "$(cat "$SERVET_CLUSTER/rate.$1.$2")"
  shape "$2" "$1" "$(cat "$SERVET_CLUSTER/rate.$2.$1")"
}

# --- parts of networks ----------------------------------------------------------------------------

# give_address HOST DEVICE [ADDRESS]
give_address() {
  ip -n "$(namespace_of "$1")" address add "${3:-$(address_of "$1")}/24" dev "$2" noprefixroute
}

# Sets the bytes that a connection of each host may have in flight to a constant: without losses, congestion control of
# TCP only makes times differ from run to run.
bound_connections() (
  for host in $(cluster_list); do
    nsenter --net="/run/netns/$(namespace_of "$host")" sh -c "
      cd /proc/sys/net/ipv4
      echo 4096 65536 $in_flight >tcp_wmem
      echo reno >tcp_congestion_control
      echo 0 >tcp_slow_start_after_idle"
  done
)

# make_switch NAME: a bridge in a namespace of its own.
make_switch() {
  make_network "$1"
  ip -n "$(namespace_of "$1")" link add bridge type bridge
  ip -n "$(namespace_of "$1")" link set dev bridge up
}

# plug_in HOST SWITCH [RATE]
plug_in() {
  lay_link "$1" "$2" "${3:-}"
  ip -n "$(namespace_of "$2")" link set dev "$1" master bridge
}

# join_switches A B RATE
join_switches() {
  plug_in "$1" "$2" "$3"
  ip -n "$(namespace_of "$1")" link set dev "$2" master bridge
}

# --- networks -------------------------------------------------------------------------------------

# cluster_ring RATE: each host forwards packets for others. They take the shortest path, and to the opposite host that
# through higher numbers: at distance i, i messages share each cable.
cluster_ring() (
  count=$(cluster_list | wc -l)
  for host in $(cluster_list); do
    lay_loop "$host"
    [ "$host" = h0 ] || lay_link "h$(($(number_of "$host") - 1))" "$host" "$1"
  done
  [ "$count" -le 2 ] || lay_link "h$((count - 1))" h0 "$1"
  for host in $(cluster_list); do
    route_ring "$host" "$count"
  done
  bound_connections
)

# An address on no link: on a cable from the host to itself, because Open MPI refuses the address of lo.
lay_loop() (
  namespace=$(namespace_of "$1")
  ip -n "$namespace" link add own type veth peer name loop
  ip -n "$namespace" link set dev own up
  ip -n "$namespace" link set dev loop up
  give_address "$1" own
)

# route_ring HOST COUNT
route_ring() (
  me=$(number_of "$1")
  for distance in $(seq 1 $(($2 - 1))); do
    step=1
    [ $((2 * distance)) -le "$2" ] || step=$(($2 - 1))
    to=h$(((me + distance) % $2)) by=h$(((me + step) % $2))
    ip -n "$(namespace_of "$1")" route add "$(address_of "$to")" via "$(address_of "$by")" dev "$by" onlink
  done
)

# cluster_star RATE: all hosts on one switch with unlimited bandwidth; the cables limit the rate.
cluster_star() (
  make_switch switch
  for host in $(cluster_list); do
    plug_into_net "$host" switch "$1"
  done
  bound_connections
)

# plug_into_net HOST SWITCH RATE: the host reaches all others through it.
plug_into_net() {
  plug_in "$1" "$2" "$3"
  give_address "$1" "$2"
  ip -n "$(namespace_of "$1")" route add 10.77.0.0/24 dev "$2"
}

# cluster_leaves RATE SLOWER HOSTS...: a switch for each number of hosts, with cables of that rate, and
# slower ones from each of them to a switch above; h0 begins at the first one.
cluster_leaves() (
  rate=$1 slower=$2
  shift 2
  make_switch spine
  first=0 leaf=0
  for hosts; do
    make_switch "leaf$leaf"
    join_switches "leaf$leaf" spine "$slower"
    for number in $(seq $first $((first + hosts - 1))); do
      plug_into_net "h$number" "leaf$leaf" "$rate"
    done
    first=$((first + hosts)) leaf=$((leaf + 1))
  done
  bound_connections
)

# cluster_shares RATE TIMES PROCESSES: a star in which each of PROCESSES processes of a host has a cable of its own, of
# RATE, to the host's switch, whose uplink carries TIMES the rate. A process takes its cable by starting through
# own_share.sh.
cluster_shares() (
  make_switch switch
  for host in $(cluster_list); do
    make_switch "nic-$host"
    join_switches "nic-$host" switch "$(many_times "$2" "$1")"
    for share in $(seq 0 $(($3 - 1))); do
      give_share "$host" "$share" "$1"
    done
  done
  bound_connections
)

# many_times NUMBER RATE
many_times() {
  printf '%s%s\n' $(($1 * ${2%%[a-z]*})) "${2##*[0-9]}"
}

# give_share HOST SHARE RATE: without arp_ignore any of the cables would answer for all of them.
give_share() (
  namespace=$(namespace_of "$1")
  lay_cable "$1" "share$2" "nic-$1" "share$2" "$3"
  ip -n "$(namespace_of "nic-$1")" link set dev "share$2" master bridge
  give_address "$1" "share$2" "10.77.$2.$(($(number_of "$1") + 1))"
  ip -n "$namespace" route add "10.77.$2.0/24" dev "share$2"
  nsenter --net="/run/netns/$namespace" sh -c 'echo 1 >/proc/sys/net/ipv4/conf/all/arp_ignore'
)
