#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a command line in a host of the virtual cluster $SERVET_CLUSTER, as rsh does: agent.sh HOST WORD...
cluster_tools=${0%/*}
# shellcheck source=tests/cluster/hosts.sh
. "$cluster_tools/hosts.sh"
host=$1
shift
in_host "$host" sh -c "$*"
