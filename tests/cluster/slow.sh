#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Slow nodes and links are named with their factors, and the ratios are those of the sound rest.
# shellcheck disable=SC2317 # functions are called through others
# shellcheck source=tests/cluster/common.sh
. "$1/tests/cluster/common.sh"

# is_about KEY TRUTH: within a fifth.
is_about() {
  value=$(fact "$1" 2>&1) || :
  awk "BEGIN { exit !(\"$value\" + 0 >= 0.8 * $2 && \"$value\" + 0 <= 1.2 * $2) }" ||
    offence "$1" "$1 is $value, not $2"
}

# A ring of the others has no message of the slow host: 4 would be left, and 2.2 with its message among five.
slow_host() {
  is_about network.slowness.4 4
  for host in 1 2 3 5; do
    is_about "network.slowness.$host" 1
  done
  far_off network.distance_ratio 1 1
  far_off network.access_ratio 1 2
}

# On one of six neighbours the message takes four times as long: with it, distance 1 had 1.5 times the mean of 2 and 3,
# which then were 0.67.
slow_way() {
  [ "$(fact network.slow_links.count)" = 1 ] || offence network.slow_links.count "$(fact network.slow_links.count) slow links"
  [ "$(fact network.slow_links.1.from) $(fact network.slow_links.1.to)" = '1 2' ] ||
    offence network.slow_links.1.factor "between $(fact network.slow_links.1.from) and $(fact network.slow_links.1.to)"
  is_about network.slow_links.1.factor 4
  far_off network.distance_ratio 1 1 1
  far_off network.access_ratio 1 2
}

# reshape HOST DEVICE RATE: in place of the rate that it has.
reshape() {
  tc -n "$(namespace_of "$1")" qdisc del dev "$2" root
  shape "$@"
}

# slow_down FROM TO RATE: packets of one host to another have a rate of their own.
slow_down() (
  on="-n $(namespace_of "$1")"
  # shellcheck disable=SC2086 # two words
  {
    tc $on class add dev switch parent 1: classid 1:2 htb rate "$3" burst "$burst" cburst "$burst" quantum 1514
    tc $on filter add dev switch parent 1: protocol ip prio 2 u32 match ip dst "$(address_of "$2")/32" flowid 1:2
  }
)

cluster_begin
cluster_hosts 5
cluster_star 20mbit
reshape h3 switch 5mbit
reshape switch h3 5mbit
measure 2 --only layers,distance,access --message-size 256K
unless_disturbed "a host with a slow interface is named, and is in no ring" slow_host
cluster_end

cluster_begin
cluster_hosts 6
cluster_star 20mbit
slow_down h1 h2 5mbit
slow_down h2 h1 5mbit
measure 2 --only layers,distance,access --message-size 256K
unless_disturbed "a slow link is named, and its messages are in no mean" slow_way
run "$servet" show "$folder/measured/profile.json"
holds "the report says so" "$(printf '%s' "$out" | tr -s ' \n' ' ')" \
  '*! slow link between h1 and h2: *bandwidth loss is that of the others*'
done_testing
