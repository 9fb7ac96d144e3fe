#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# servet-job under a real OpenPBS: what is refused and what that leaves, starting on four nodes, and what becomes of
# jobs that do not end well. About four minutes.
# shellcheck disable=SC2317 # functions are called through others
# shellcheck source=tests/cluster/openpbs_common.sh
. "$1/tests/cluster/openpbs_common.sh"
some='--tasks-per-node 1 --message-size 1M --only layers,curves,distance --budget 30'
few='--tasks-per-node 1 --message-size 64K --only layers --budget 5 --time 2'

# --- what is refused ------------------------------------------------------------------------------

# shellcheck disable=SC2086 # words
run servet_job --nodes 2 $few --name kept --wait
same "two nodes are measured" "$status $(cat servet-kept/job/n2-64K.state)" "0 done"
before=$(find servet-kept -type f -exec md5sum {} + | sort)

# is_refused STATUS PATTERN WORD...: and nothing has changed.
is_refused() {
  expected=$1 pattern=$2
  shift 2
  run servet_job --name kept "$@"
  holds "refused: $*" "$status $err" "$expected $pattern"
  same "a refused request submits nothing: $*" "$(find servet-kept -type f -exec md5sum {} + | sort)" "$before"
}
is_refused 1 "*--nodes: 9 were requested, but 4 of 4 usable nodes have 1 or more CPUs*" --nodes 2,9
is_refused 1 "*n2-32M was not submitted: qsub: Unknown queue*" --nodes 2 --queue nosuch
is_refused 1 "*qsub: Unknown resource Resource_List.foo*" --nodes 2 --extra '-l foo=1'
is_refused 2 "*--only accepts *, not 'layer'*" --nodes 2 --only layer
is_refused 1 "*cannot install into /proc*" --nodes 2 --install --prefix /proc
pbs_qmgr 'set node h4 state = offline'
is_refused 1 "*--nodes: 4 were requested, but 3 of 3 usable nodes*" --nodes 4 --tasks-per-node 1
pbs_qmgr 'set node h4 state = free'

run servet_job --nodes 2 --tasks-per-node 1 --constraint host=h9 --name never --wait
holds "a job that can never run is deleted" "$status $err" "1 *can never run and was withdrawn (Can Never Run: *"

# --- what is requested ----------------------------------------------------------------------------

pbs_qmgr 'set server scheduling = false'
# shellcheck disable=SC2086 # words
run servet_job --nodes 2,3 $few --name chosen --extra '-l place=scatter:exclhost'
same "two jobs are submitted" "$status" 0
record=$(pbs qstat -f -w "$(job_of servet-chosen n2-64K)")
holds "each node is requested as a chunk" "$record" "*Resource_List.select = 2:ncpus=1:mpiprocs=1*"
holds "--extra overrides other requests" "$record" "*Resource_List.place = scatter:exclhost*"
holds "the first job is released" "$record" "*job_state = Q*"
holds "output of the first job is readable by others" "$record" "*umask = 22*"
record=$(pbs qstat -f -w "$(job_of servet-chosen n3-64K)")
holds "the second job waits for the first" "$record" "*depend = *afterany:$(job_of servet-chosen n2-64K)*"
holds "output of the second job is readable by others" "$record" "*umask = 22*"
pbs qdel "$(job_of servet-chosen n3-64K)" "$(job_of servet-chosen n2-64K)"
pbs_qmgr 'set server scheduling = true'

# --- starting -------------------------------------------------------------------------------------

# Daemons of Open MPI have to find the agent on their nodes, and live on.
for turn in 1 2 3 4; do
  # shellcheck disable=SC2086 # words
  run servet_job --nodes 4 $few --exclusive no --name again --wait
  same "ranks start on four nodes, turn $turn" "$status" 0
  [ "$status" -eq 0 ] || printf '%s\n' "$err" | sed 's/^/# /'
done
clean "the start leaves no files" "$(find servet-again "$folder/home" -name '*.private*' -o -name '*.start' -o -name at-work -o -name '.servet*')"

# shellcheck disable=SC2086 # words
run servet_job --nodes 2 $few --mpi-args '--mca nosuch' --name wrong --wait
holds "a failed start ends the job at once with a reason" "$status $err" \
  "1 *cannot start one process on each node, 2 in all (status *"

# --- without --wait -------------------------------------------------------------------------------

# shellcheck disable=SC2086 # words
run servet_job --nodes 2,3 $few --name alone --install --force --prefix "$folder/private"
same "submitted" "$status" 0
ok "the last job installs" wait_until 60 test -f "$folder/private/share/servet/alone/profile.json"
rm -rf "$folder/private"
# shellcheck disable=SC2086 # words
run servet_job --resume --name alone --install --force --prefix "$folder/private"
same "with nothing left, --resume --install installs the profile" \
  "$status $(find "$folder/private" -path '*/alone/profile.json')" "0 $folder/private/share/servet/alone/profile.json"
same "installed files are readable by others" "$(find "$folder/private" ! -type l ! -perm -o=r)" ""

# --- two jobs in one folder -----------------------------------------------------------------------

# shellcheck disable=SC2086 # words
begin one --nodes 2 $some --time 3 --name one --wait
ok "a job has first results" wait_until 60 knows_layers servet-one n2-1M
second=$(cd servet-one/job && pbs qsub -f n2-1M.sh)
ok "a second job in its folder ends at once" wait_until 60 forgotten "$second"
holds "the log of the second job says why" "$(cat servet-one/job/n2-1M.log)" \
  "*job $second ends: job $(job_of servet-one n2-1M) is measuring in this folder*"

# --- qdel -----------------------------------------------------------------------------------------

# The one that is measuring.
before=$(knows_layers servet-one n2-1M || :)
hosts=$(cat servet-one/job/n2-1M.nodes)
pbs qdel "$(job_of servet-one n2-1M)"
end one 1
says one "not measured: n2-1M; results so far are kept in $PWD/servet-one"
says one "was terminated ("
for host in $(pbs_nodes); do
  ok "no process of the deleted job runs on $host" wait_until 60 is_quiet "$host"
done
ok "PBS forgets the deleted job" wait_until 60 forgotten "$(job_of servet-one n2-1M)"
run servet_job --resume --name one --wait --budget 15
same "--resume measures the rest" "$status $(cat servet-one/job/n2-1M.state)" "0 done"
same "--resume uses the same nodes" "$(cat servet-one/job/n2-1M.nodes)" "$hosts"
same "--resume keeps earlier results" "$(get layers.1.latency_us servet-one)" "$before"
same "--resume adds the missing results" "$(get network.distance_ratio.count servet-one)" 1

# --- a node that is lost --------------------------------------------------------------------------

# shellcheck disable=SC2086 # words
begin lost --nodes 2 $some --time 3 --name lost --wait
ok "a job has first results before its node is lost" wait_until 60 knows_layers servet-lost n2-1M
lost=$(tail -n 1 servet-lost/job/n2-1M.nodes)
crash_host "$lost"
end lost 1
says lost "not measured: n2-1M"
run servet_job --resume --name lost --wait --budget 15
same "--resume continues on other nodes" "$status $(cat servet-lost/job/n2-1M.state)" "0 done"
holds "the change of nodes is reported" "$err" "*n2-1M began on $lost, which is not usable now: continuing on other nodes*"
begin_mom "$lost" >/dev/null 2>&1
pbs_await free

# --- the time limit -------------------------------------------------------------------------------

# shellcheck disable=SC2086 # words
begin late --nodes 2 $some --time 1 --name late --wait
ok "a job has first results before its time limit" wait_until 60 knows_layers servet-late n2-1M
stop_ranks "$(head -n 1 servet-late/job/n2-1M.nodes)"
end late 1
says late "was terminated (*walltime * exceeded limit 60)"
holds "the state file has the time limit" "$(cat servet-late/job/n2-1M.state)" "ended *walltime * exceeded limit 60"
run servet_job --resume --name late --wait --time 3 --budget 15
same "--resume with more time measures the rest" "$status $(cat servet-late/job/n2-1M.state)" "0 done"

# --- inside a job ---------------------------------------------------------------------------------

cat >inside.sh <<END
#!/bin/sh
#PBS -l select=2:ncpus=1:mpiprocs=1 -l place=scatter:excl
#PBS -l walltime=0:2:0
#PBS -j oe
cd "$PWD" && HOME="$folder/home" SERVET_POLL=1 sh "$build/drivers/servet-job" $few --name inside >inside.log 2>&1
echo "status \$?" >>inside.log
END
pbs qsub -f "$PWD/inside.sh" >/dev/null
ok "servet-job runs inside a job" wait_until 60 grep status inside.log
same "inside a job the measurement starts at once" "$(tail -n 1 inside.log) $(cat servet-inside/job/n2-64K.state)" "status 0 done"
same "inside a job all its nodes are measured" "$(get network.nodes servet-inside)" 2

# --- nothing stays --------------------------------------------------------------------------------

gone=$SERVET_CLUSTER
cluster_end
clean "no namespace and no mount is left" "$(find /run/netns -name "servet-${gone##*/}-*" && grep -e "$gone" -e "$folder" /proc/mounts)"
echo "# $(($(date +%s) - began)) s"
done_testing
