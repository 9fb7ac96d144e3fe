#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Hosts at leaf switches with slower cables between these: layers within a host, a leaf and the whole.
# shellcheck disable=SC2317 # functions are called through others
# shellcheck source=tests/cluster/common.sh
. "$1/tests/cluster/common.sh"

# other_layers GROUPS...: those layers that are not these, each with blanks between its groups.
other_layers() {
  [ "$(fact layers.count)" -eq $# ] || offence layers.1.latency_us "there are $(fact layers.count) layers, not $#"
  layer=0
  for groups; do
    layer=$((layer + 1))
    found=$(fact "layers.$layer.groups" 2>&1 | tr '\n' ' ' | sed 's/ $//')
    [ "$found" = "$groups" ] || offence "layers.$layer.latency_us" "layer $layer joins $found, not $groups"
  done
}

layers_are() {
  unless_disturbed "$# layers, each with its groups" other_layers "$@"
}

cluster_begin
cluster_hosts 6
cluster_leaves 100mbit 50mbit 3 3
measure 2 --only layers
layers_are "0:0-1 1:0-1 2:0-1 3:0-1 4:0-1 5:0-1" "0-2:0-1 3-5:0-1" "0-5:0-1"
cluster_end

# Three leaves of different sizes, one process on each host.
cluster_begin
cluster_hosts 7
cluster_leaves 200mbit 60mbit 3 2 2
measure 1 --only layers
layers_are "0-2:0 3-4:0 5-6:0" "0-6:0"
done_testing
