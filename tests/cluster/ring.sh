#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On a ring of hosts that pass messages on, messages of all hosts to the one i farther share each cable
# with i - 1 others.
# shellcheck source=tests/cluster/common.sh
. "$1/tests/cluster/common.sh"

cluster_begin
cluster_hosts 8
cluster_ring 100mbit
measure 1 --only distance --message-size 2M
near network.distance_ratio 1 2 3 4
cluster_end

# Another rate, an odd number, processes that have nothing to do.
cluster_begin
cluster_hosts 7
cluster_ring 60mbit
measure 2 --only distance --message-size 512K
near network.distance_ratio 1 2 3
cluster_end

cluster_begin
cluster_hosts 2
cluster_ring 200mbit
measure 1 --only distance --message-size 1M
near network.distance_ratio 1
done_testing
