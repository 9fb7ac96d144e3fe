#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# At a switch, processes of a host share its cable, and all hosts are as far from each other.
# shellcheck source=tests/cluster/common.sh
. "$1/tests/cluster/common.sh"

cluster_begin
cluster_hosts 4
cluster_star 60mbit
measure 4 --only distance,access --message-size 512K
near network.distance_ratio 1 1
near network.access_ratio 1 2 3 4
cluster_end

# Enough hosts for as many processes in all each time, and more of them on one host than on the others. The
# rate is one that two cores can keep up with on five hosts.
cluster_begin
cluster_hosts 5
cluster_star 60mbit
measure h0:3,h1:2,h2:2,h3:2,h4:2 --only access --message-size 512K
near network.access_ratio 1 2
cluster_end

# One host has no network.
cluster_begin
cluster_hosts 1
cluster_star 60mbit
measure 2 --only distance,access
run fact network.distance_ratio.1
same "one host has no distance ratios" "$status $err" "1 servet: network.distance_ratio.1: not measured"
done_testing
