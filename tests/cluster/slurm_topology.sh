#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Slurm reads the topology.conf that `servet export` writes: every node is under its switch. Usage:
# slurm_topology.sh SOURCE_ROOT BUILD_ROOT
set -eu
root=$1 build=$(realpath "$2")
# shellcheck source=tests/tap.sh
. "$root/tests/tap.sh"
cluster_tools=$root/tests/cluster
# shellcheck source=tests/cluster/hosts.sh
. "$cluster_tools/hosts.sh"
# shellcheck source=tests/cluster/links.sh
. "$cluster_tools/links.sh"
# shellcheck source=tests/cluster/slurm.sh
. "$cluster_tools/slurm.sh"

for reason in "$(cluster_lacks)" "$(slurm_lacks)"; do
  [ -z "$reason" ] || { echo "1..0 # SKIP $reason" && exit 0; }
done
trap cluster_end EXIT
trap 'exit 1' HUP INT TERM PIPE

# The nodes of the profile besides h0 have no daemon: Slurm knows them, and that suffices.
cluster_begin
cluster_hosts 1
cluster_star 400mbit
slurm=$(slurm_folder)
mkdir "$slurm" "$slurm/state"
export SLURM_CONF="$slurm/slurm.conf"
{
  slurm_conf
  echo 'TopologyPlugin=topology/tree'
  echo "NodeName=h[1-7,10] NodeAddr=$(address_of h0) State=DOWN"
} >"$SLURM_CONF"
"$build/servet" export --format slurm-topology "$root/tests/data/profiles/leaves.json" >"$slurm/topology.conf"
begin_munge "$slurm"
in_host h0 slurmctld -i
run in_host h0 scontrol show topology
same "Slurm reads the switches that were measured" \
  "$(printf '%s\n' "$out" | sed 's/  *$//; s/ LinkSpeed=[0-9]*//' | sort)" \
  'SwitchName=leaf1 Level=0 Nodes=h[0-2]
SwitchName=leaf2 Level=0 Nodes=h[3-4]
SwitchName=leaf3 Level=0 Nodes=h5
SwitchName=switch1 Level=1 Nodes=h[0-5] Switches=leaf[1-3]
SwitchName=top Level=2 Nodes=h[0-7,10] Switches=switch1,unmeasured
SwitchName=unmeasured Level=0 Nodes=h[6-7,10]'
run grep -i -e 'error.*\(switch\|topolog\)' -e 'lack access' "$slurm/slurmctld.log"
same "Slurm has nothing against them" "$out" ''
done_testing
