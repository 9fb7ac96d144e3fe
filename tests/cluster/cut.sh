#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A cable that is cut for ever: the job ends within a minute on both sides of the cut, and nothing of it
# runs on, neither ranks nor the launcher's daemons.
# shellcheck disable=SC2317 # functions are called through others
# shellcheck source=tests/cluster/common.sh
. "$1/tests/cluster/common.sh"
place=$folder/place
profile=$place/profile.json

has_layers() {
  "$servet" get layers.count "$profile"
}

is_quiet() {
  [ -z "$(processes h0)$(processes h1)$(processes h2)" ]
}

# The options that the scripts of servet-job give to Open MPI.
eval "$(grep '^export .*keepalive' "$root/drivers/lib/mpi.sh")"
ok "scripts tell the daemons when to give up" [ -n "${OMPI_MCA_oob_tcp_keepalive_time-}" ]

cluster_begin
cluster_hosts 3
cluster_star 100mbit

mpi_on h0:2,h1:1,h2:2 "$servet_mpi" measure -q --only layers,distance --message-size 16M -o "$place" \
  >"$folder/said" 2>&1 &
job=$!
wait_until 60 has_layers || :
ok "the job measures before the cable is cut" has_layers
ip -n "$(namespace_of h2)" link set dev switch down
began=$(date +%s)
status=0
wait "$job" || status=$?
wait_until $((60 - $(date +%s) + began)) is_quiet || :
ok "a job whose cable is cut fails" [ "$status" -ne 0 ]
for host in h0 h1 h2; do
  clean "no process of the job runs on $host after a minute" "$(processes "$host")"
done
done_testing
