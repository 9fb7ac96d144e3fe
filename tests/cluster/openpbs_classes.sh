#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# servet-job --classes under a real OpenPBS: each class of unlike nodes, told by a resource of the site, in a job of its
# own, and a host finds its own class. About two minutes. All nodes have the first core.
# shellcheck disable=SC2034 # for pbs.sh
pbs_cores=$(sed -n 's/^Cpus_allowed_list:[[:blank:]]*\([0-9]*\).*/\1/p' /proc/self/status)
# shellcheck source=tests/cluster/openpbs_common.sh
. "$1/tests/cluster/openpbs_common.sh"

# resource NAME TYPE VALUE HOST...: what an administrator tells PBS of these hosts.
resource() {
  name=$1 value=$3
  pbs_qmgr "create resource $name type=$2, flag=h"
  shift 3
  for host; do
    pbs_qmgr "set node $host resources_available.$name = $value"
  done
}

# on RUN: the nodes of its job.
on() {
  sed -n 's/^job [^ ]* on //p' "servet-neptune/job/$1.log" | tr ' ' '\n' | sort | paste -s -d ' ' - | sed 's/^ *//'
}

# class_on HOST: the node class that programs find there.
class_on() {
  in_host "$1" "$build/servet" get class.name "$PWD/servet-neptune/profile.json" 2>&1
}

resource model string fat h1 h2
for host in h3 h4; do
  pbs_qmgr "set node $host resources_available.model = thin"
done
resource ib boolean True h2 h3 h4
in_host h0 sh -c "sed -i 's/^resources: \"/&model, ib, /' $pbs_home/sched_priv/sched_config"
in_host h0 sh -c "kill -s HUP \$(cat $pbs_home/sched_priv/sched.lock)"

classes='fat=model=fat,thin=model=thin'
run servet_job --nodes 2 --tasks-per-node 1 --classes "$classes" --only node,layers --budget 10 --time 3 --name neptune --wait
same "jobs of both classes end well" "$status $(cat servet-neptune/job/*.state | paste -s -d ' ' -)" "0 done done"
[ "$status" -eq 0 ] || printf '%s\n' "$out" "$err" | sed 's/^/# /'
same "one class has the nodes with its resource" "$(on n2-32M.fat)" "h1 h2"
same "the other class has those with the other value" "$(on n2-32M.thin)" "h3 h4"
holds "hosts of one class find that" "$(class_on h1) $(class_on h2)" "fat* fat*"
holds "hosts of the other class find that" "$(class_on h3) $(class_on h4)" "thin* thin*"
holds "the login host is like both, and gets no answer" "$(class_on h0)" "*h0 is not listed*name a node class"

before=$(find servet-neptune -type f -exec md5sum {} + | sort)
run servet_job --nodes 3 --tasks-per-node 1 --classes "$classes" --name neptune
holds "more nodes than a class has are refused" "$status $err" \
  "1 *--nodes: 3 were requested, but 2 of 2 usable nodes with model=fat have 1 or more CPUs*"
same "that changes nothing" "$(find servet-neptune -type f -exec md5sum {} + | sort)" "$before"

run servet_job --nodes 1 --tasks-per-node 1 --classes "$classes" --constraint ib=True --only node --budget 5 --time 3 \
  --name neptune --wait
same "one node of each class is measured" "$status" 0
[ "$status" -eq 0 ] || printf '%s\n' "$out" "$err" | sed 's/^/# /'
same "a property of all is required of the nodes of a class, too" "$(on n1-32M.fat)" h2
done_testing
