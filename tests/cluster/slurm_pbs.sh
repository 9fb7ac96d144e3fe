#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# servet-job through the qsub, qstat and qdel that Slurm has in the manner of Torque.
# shellcheck source=tests/cluster/slurm_common.sh
. "$1/tests/cluster/slurm_common.sh"
reason=$(torque_lacks)
[ -z "$reason" ] || { echo "1..0 # SKIP $reason" && exit 0; }

begin whole --scheduler pbs --nodes 2,4 --tasks-per-node 1 --message-size 64K --only layers,distance --budget 20 \
  --time 3 --name whole --wait --install --force
wait_until 60 test -s servet-whole/job/n2-64K.id || :
holds "the script has directives of Torque" "$(cat servet-whole/job/n2-64K.sh)" "*#PBS -l nodes=2:ppn=1*"
run servet_job --scheduler pbs --nodes 2 --name whole --output elsewhere
holds "a second call is refused with the job of the first" "$status $err" \
  "1 *is already being measured: job $(job_of servet-whole n2-64K),*"
end whole 0
same "all sizes are measured" "$(cat servet-whole/job/*.state)" "$(printf 'done\ndone')"
holds "a job runs on as many nodes as requested" "$(cat servet-whole/job/n4-64K.log)" "job * on h0 h1 h2 h3 *"
same "output that Slurm adds is in the job's folder" "$(ls servet-whole/job/*.out servet-whole/job/*.sh.* 2>/dev/null)" \
  "$(printf '%s\n' servet-whole/job/n2-64K.out servet-whole/job/n4-64K.out)"
same "all results are in one profile" "$("$build/servet" get network.other_distance.1.1.nodes)" 2

begin deleted --scheduler pbs --nodes 2 --tasks-per-node 1 --only layers,curves --budget 30 --time 3 \
  --name deleted --wait
ok "a job has first results" wait_until 60 knows_layers servet-deleted n2-32M
in_host h0 qdel "$(job_of servet-deleted n2-32M)"
end deleted 1
says deleted "not measured: n2-32M"
run servet_job --resume --name deleted --wait --budget 10
same "--resume measures the rest" "$status $(cat servet-deleted/job/n2-32M.state)" "0 done"

run servet_job --scheduler pbs --nodes 9 --tasks-per-node 1 --name many
holds "more nodes than are usable are refused" "$status $err" "1 *--nodes: 9 were requested, but 6 of 6 usable nodes have 1 or more CPUs"

# A test like this one, killed as soon as Slurm is up.
# shellcheck disable=SC2016 # expanded by the inner shell
sh -c '. "$1/tests/cluster/slurm_common.sh"; echo $$ >"$3"; kill -s KILL $$' sh "$root" "$build" "$folder/killed" \
  2>/dev/null || :
killed=$(cat "$folder/killed")
# shellcheck disable=SC2317 # called through ok
is_gone() {
  [ ! -e "$cluster_folders/$killed" ] && ! ls /run/netns/"servet-$killed-"*
}
ok "a killed test leaves nothing behind" wait_until 60 is_gone
done_testing
