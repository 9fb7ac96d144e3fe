#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# servet-job --classes under a real Slurm: each class of unlike nodes in a job of its own, on nodes that have its
# feature, and a host finds its own class.
# shellcheck disable=SC2034 # for slurm.sh
slurm_features='h0=bigmem h1=bigmem,ib h2=bigmem,ib h3=ib,skylake h4=ib,icelake h5=icelake'
# shellcheck source=tests/cluster/slurm_common.sh
. "$1/tests/cluster/slurm_common.sh"

# on RUN: the nodes of its job.
on() {
  sed -n 's/^job [0-9]* on //p' "servet-neptune/job/$1.log" | tr ' ' '\n' | sort | paste -s -d ' ' - | sed 's/^ *//'
}

# class_on HOST: the node class that programs find there.
class_on() {
  in_host "$1" "$build/servet" get class.name "$PWD/servet-neptune/profile.json" 2>&1
}

run servet_job --nodes 2 --tasks-per-node 1 --classes 'fat=bigmem,thin=skylake|icelake' --constraint ib \
  --only node,layers --budget 10 --time 3 --name neptune --wait
same "jobs of both classes end well" "$status $(cat servet-neptune/job/*.state | paste -s -d ' ' -)" "0 done done"
[ "$status" -eq 0 ] || printf '%s\n' "$out" "$err" | sed 's/^/# /'
same "one class has the nodes with its feature and that of all" "$(on n2-32M.fat)" "h1 h2"
same "the other class has those with one of two features, and that of all" "$(on n2-32M.thin)" "h3 h4"
# Nodes that others disturb may measure unlike those of their class: they are class NAME-2.
holds "hosts of one class find that" "$(class_on h1) $(class_on h2)" "fat* fat*"
holds "hosts of the other class find that" "$(class_on h3) $(class_on h4)" "thin* thin*"
holds "a host that was not measured is like both, and gets no answer" "$(class_on h5)" "*h5 is not listed*name a node class"

# h5 has one of the two features, but not that of all.
constraint=$(sed -n 's/^#SBATCH --constraint=//p' servet-neptune/job/n2-32M.thin.sh)
run on_login sbatch --test-only --nodes 2 --constraint "$constraint" --wrap true
same "Slurm has two nodes for a class ($constraint)" "$status" 0
run on_login sbatch --test-only --nodes 3 --constraint "$constraint" --wrap true
ok "but not a third one, which lacks the feature of all" [ "$status" -ne 0 ]
done_testing
