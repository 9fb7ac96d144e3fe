#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# servet-job under a real Slurm: from one command to a profile that programs find, and what becomes of jobs
# that do not end well.
# shellcheck source=tests/cluster/slurm_common.sh
. "$1/tests/cluster/slurm_common.sh"

# Slurm takes up to a minute and a half to enforce a limit: this job stands still meanwhile, on hosts of its own.
begin late --nodes 2 --tasks-per-node 1 --only layers,curves --time 1 --name late --extra --nodelist=h4,h5 --wait
late=$!
ok "a job has first results" wait_until 60 knows_layers servet-late n2-32M
ok "its ranks are stopped until its time limit" stop_ranks h4

# --- to the end -----------------------------------------------------------------------------------

shell=dash
begin whole --nodes 2,4 --tasks-per-node 1 --message-size 64K,256K --only layers,distance --budget 20 --time 3 \
  --wait --install --force
wait_until 60 test -s servet-virtual/job/n2-64K.id || :
first=$(job_of servet-virtual n2-64K)
run servet_job --nodes 2 --output elsewhere
same "a second call for the same cluster is refused" "$status" 1
holds "the refusal names the job of the first" "$err" "*'virtual' is already being measured: job $first, output in $PWD/servet-virtual"
run servet_job --nodes 2 --name other --output servet-virtual
holds "a second call for the same output folder is refused" "$status $err" "1 *is already being measured: job $first,*"
wait "$!" || :
same "two numbers of nodes and two sizes of messages are measured" "$(cat servet-virtual/job/*.state)" "$(printf 'done\ndone\ndone\ndone')"
holds "the profile is installed" "$(cat "$folder/whole.out")" "*installed: $HOME/.local/share/servet/virtual/profile.json"
holds "a job runs on as many nodes as requested" "$(cat servet-virtual/job/n4-64K.log)" "job * on h0 h1 h2 h3 *"
same "the profile has all nodes" "$("$build/servet" get network.nodes)" 4
for fact in 'distance.1.nodes 4' 'distance.bytes 262144' 'other_distance.count 3' 'other_distance.1.1.nodes 4' \
  'other_distance.1.bytes 65536' 'other_distance.2.1.nodes 2' 'other_distance.2.bytes 262144' \
  'other_distance.3.1.nodes 2' 'other_distance.3.bytes 65536'; do
  same "the profile has every measurement: $fact" "$("$build/servet" get "network.${fact% *}")" "${fact#* }"
done
ratio=$("$build/servet" get network.distance_ratio.2 | awk '{ print int($1 * 1000000 + 0.5) }')
for query in "$build"/tests/cluster/query_*; do
  [ ! -x "$query" ] || [ -d "$query" ] || same "${query##*/} finds and reads it" "$("$query")" \
    "$(printf '%s\n' "$HOME/.local/share/servet/profile.json" "$ratio" 4 4 2 2)"
done

# --- scancel --------------------------------------------------------------------------------------

shell='busybox sh'
begin cancelled --nodes 2 --tasks-per-node 1 --only layers,curves,distance --message-size 1M --budget 30 --time 3 \
  --name cancelled --wait
ok "a job has first results before it is cancelled" wait_until 60 knows_layers servet-cancelled n2-1M
before=$(knows_layers servet-cancelled n2-1M || :)
in_host h0 scancel "$(job_of servet-cancelled n2-1M)"
end cancelled 1
says cancelled "not measured: n2-1M; results so far are kept in $PWD/servet-cancelled"
ok "no process of the cancelled job runs on" wait_until 60 is_quiet h1
shell='sh'
run servet_job --resume --name cancelled --wait --budget 20
same "--resume measures the rest of the cancelled job" "$status $(cat servet-cancelled/job/n2-1M.state)" "0 done"
same "--resume keeps earlier results" "$(get layers.1.latency_us servet-cancelled)" "$before"
holds "--resume requests the same nodes" "$(cat servet-cancelled/job/n2-1M.sh)" \
  "*#SBATCH --nodelist=$(paste -s -d , servet-cancelled/job/n2-1M.nodes)*"
same "--resume adds the missing results" "$(get network.distance_ratio.count servet-cancelled)" 1

# --- a node that is lost --------------------------------------------------------------------------

begin lost --nodes 2 --tasks-per-node 1 --only layers,curves,distance --message-size 1M --budget 30 --time 3 \
  --name lost --wait
ok "a job has first results before its node is lost" wait_until 60 knows_layers servet-lost n2-1M
stop_ranks h0
kill_slurmd h1
end lost 1
says lost "not measured: n2-1M"
same "Slurm reports the lost node" "$(end_of "$(job_of servet-lost n2-1M)")" NODE_FAIL
run servet_job --resume --name lost --wait --budget 20
same "--resume continues on another node" "$status $(cat servet-lost/job/n2-1M.state)" "0 done"
holds "all is measured on the new nodes" "$(grep '^job' servet-lost/job/n2-1M.log)" "*job * on h[02] h[23] *"
same "the results are in the profile" "$(get network.distance_ratio.count servet-lost)" 1
begin_slurmd h1
ok "the lost node returns" slurm_await idle h1

# --- a full disk ----------------------------------------------------------------------------------

# A disk of h0; other nodes see a folder in its place, for mpirun begins there, with the file that they look for.
small=$folder/small
mkdir -p "$small/out/job"
touch "$small/out/job/n2-32M.first"
in_host h0 mount -t tmpfs -o size=256k tmpfs "$small"
on_small() {
  in_host h0 sh -c "cd '$small' && $*"
}
begin full --nodes 2 --tasks-per-node 1 --only layers,curves --budget 20 --time 3 --name full \
  --extra --nodelist=h0,h1 --output "$small/out" --wait
ok "a job has first results before the disk is full" \
  wait_until 60 on_small "'$build/servet' get layers.1.latency_us out/runs/*/unfinished-*/progress.json"
on_small 'dd if=/dev/zero of=filler bs=1k 2>/dev/null' || :
end full 1
says full "not measured: n2-32M"
on_small 'rm filler'
run servet_job --resume --name full --output "$small/out" --wait
same "with space on the disk, --resume measures the rest" "$status $(on_small 'cat out/job/n2-32M.state')" "0 done"
ok "the results after a full disk are in the profile" in_host h0 "$build/servet" get layers.1.time_us.1024 "$small/out/profile.json"

# --- a folder that nodes do not share ---------------------------------------------------------------

# Hosts with a disk of their own at this place.
apart=$folder/apart
mkdir "$apart"
set_apart() {
  in_host "$1" mount -t tmpfs -o size=1m tmpfs "$apart"
}

# apart_job NAME WHO: a job on h1 and h2 ends, since WHO does not see the folder.
apart_job() {
  begin "$1" --nodes 2 --tasks-per-node 1 --only layers --budget 20 --time 3 --name apart --output "$apart/out" --wait \
    --extra --nodelist=h1,h2
  end "$1" 1
  says "$1" "failed: $2 wrote: the folder $apart/out must be on a file system that all nodes share; pass --output"
  clean "$1: nobody advises to resume" "$(grep -e --resume "$folder/$1.err")"
}
set_apart h2
apart_job second "node h2 does not see $apart/out/job/n2-32M.first that node h1"
set_apart h1
apart_job both "node h0 does not see $apart/out/job/n2-32M.first that job [0-9]*"
in_host h1 mkdir -p "$apart/out/job"
apart_job other "node h0 does not see $apart/out/job/n2-32M.first that job [0-9]*"

# --- inside a job ---------------------------------------------------------------------------------

run on_login salloc -N 2 sh "$build/drivers/servet-job" --tasks-per-node 1 --only layers --budget 10 --name inside
same "inside a job the measurement starts at once" "$status $(cat servet-inside/job/n2-32M.state)" "0 done"
same "inside a job no job is submitted" "$(in_host h0 squeue -h -t all -n servet_inside)" ""
same "inside a job all its nodes are measured" "$(get network.nodes servet-inside)" 2
run on_login salloc -N 2 sh "$build/drivers/servet-job" --nodes 3 --only layers --name inside
holds "inside a job more nodes are refused" "$status $err" "1*--nodes: 3 were requested, but this job has 2*"

# --- Slurm's own launcher ---------------------------------------------------------------------------

begin srun --launcher srun --nodes 2 --tasks-per-node 2 --message-size 64K --only layers,distance --budget 20 --time 3 \
  --name srun --wait
end srun 0
same "srun starts all ranks of the job as one" \
  "$(get network.nodes servet-srun) $(get network.ranks servet-srun)" "2 4"

begin alone --launcher srun --mpi-args --mpi=none --nodes 2 --tasks-per-node 1 --only layers --budget 20 --time 3 \
  --name alone --wait
end alone 1
says alone "cannot start one process on each node, 2 in all (status [0-9]*): "

run servet_job --nodes 7 --tasks-per-node 1 --name seven
holds "more nodes than are usable are refused" "$status $err" "1 *--nodes: 7 were requested, but 6 nodes are usable"

# --- placements -----------------------------------------------------------------------------------

"$build/servet" map -n 4 --nodes h2,h1 --format slurm >"$folder/hosts"
run on_login env SLURM_HOSTFILE="$folder/hosts" srun -l -n 4 --distribution=arbitrary hostname
same "srun accepts what servet map writes" "$(printf '%s\n' "$out" | sort | sed 's/.*: //')" "$(grep '^h' "$folder/hosts")"

# --- the time limit -------------------------------------------------------------------------------

wait "$late" || :
says late "not measured: n2-32M"
says late "n2-32M (job [0-9]*) was terminated (TIMEOUT"
holds "the state file has the time limit" "$(cat servet-late/job/n2-32M.state)" "ended TIMEOUT*"
same "Slurm reports the time limit" "$(end_of "$(job_of servet-late n2-32M)")" TIMEOUT
ok "results before the time limit are kept" knows_layers servet-late n2-32M
run servet_job --resume --name late --wait --time 3 --budget 20
same "--resume with more time measures the rest" "$status $(cat servet-late/job/n2-32M.state)" "0 done"

# --- nothing stays --------------------------------------------------------------------------------

gone=$SERVET_CLUSTER
# shellcheck disable=SC2046 # numbers
processes=$(printf '%s,' $(cat "$gone"/slurm/*.pid "$gone"/*.pid))
cluster_end
clean "no daemon of the cluster runs on" "$(ps -o stat=,args= -p "${processes%,}" | grep -v '^Z')"
clean "no namespace and no mount is left" "$(find /run/netns -name "servet-${gone##*/}-*" && grep -e "$gone" -e "$folder" /proc/mounts)"
done_testing
