#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# In a ring of messages each pair goes at its own pace: one host whose cable is slower in one direction, by too
# little to be called slow, does not slow the others down. It would if each waited for what it receives before it
# sends on: then all messages took as long as those of that host, which is 2.75 MB/s.
# shellcheck disable=SC2317 # functions are called through others
# shellcheck source=tests/cluster/common.sh
. "$1/tests/cluster/common.sh"

# own_paces: four of five pairs at 5 MB/s and one at 2.75 have 4.3 MB/s, of which headers take 5 %.
own_paces() {
  for distance in 1 2; do
    value=$(fact "network.distance.$distance.bandwidth" 2>&1) || :
    awk "BEGIN { exit !(\"$value\" + 0 >= 3.4e6 && \"$value\" + 0 <= 4.7e6) }" ||
      offence "network.distance.$distance.bandwidth" "distance $distance: $value B/s"
  done
}

cluster_begin
cluster_hosts 5
cluster_star 40mbit
tc -n "$(namespace_of h2)" qdisc del dev switch root
shape h2 switch 22mbit
measure 1 --only distance --message-size 512K
unless_disturbed "a host with a slower cable does not slow others down" own_paces
done_testing
