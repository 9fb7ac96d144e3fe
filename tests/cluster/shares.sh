#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# If the uplink of a host carries more than one process can send, processes do not slow each other down until they fill
# it.
# shellcheck source=tests/cluster/common.sh
. "$1/tests/cluster/common.sh"
starter=$cluster_tools/own_share.sh

cluster_begin
cluster_hosts 3
cluster_shares 60mbit 2 4
measure 4 --only access --message-size 1M
near network.access_ratio 1 1 1.5 2
cluster_end

cluster_begin
cluster_hosts 2
cluster_shares 40mbit 3 5
measure 5 --only access --message-size 512K
near network.access_ratio 1 1 1 1.333 1.667
done_testing
