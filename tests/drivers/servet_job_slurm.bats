#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The life of jobs under Slurm: a fake of its commands that refuses what the real ones refuse, and that runs jobs.
#
# SOURCE_ROOT: the source tree.

# shellcheck disable=SC2154 # set in batch.bash
load batch

setup() {
  make_machine
  with_slurm
  out="$root/work/servet-neptune"
}

teardown() {
  end_jobs
}

@test "jobs are submitted without waiting, named as the cluster is in Slurm, and the earlier profile stays" {
  succeeds --nodes 2
  [ "$output" = "job 1 submitted: n2-32M, output in $out" ]
  [ -z "$stderr" ]
  eventually job_is 1 COMPLETED
  [ "$(cat "$out/job/n2-32M.state")" = "done" ]
  [ "$(cat "$out/job/n2-32M.id")" = 1 ]
  grep -qx '32M,new' "$out/profile.json"
  grep -qx 'job 1 on h1 h2 ' "$out/job/n2-32M.log"
  [ -z "$(find "$out/job" -name 'at-work*')" ]
  cp "$out/profile.json" before
  succeeds --nodes 2
  eventually job_is 2 COMPLETED
  cmp before "$out/profile.json.1"
  [ ! -e "$out/job/old" ]
}

@test "the allocation requests all processes" {
  succeeds --nodes 2 --tasks-per-node 3 --wait
  logged '^mpirun -n 6 --map-by ppr:3:node --bind-to none .*/servet-mpi measure --message-size 32M --budget 1620 -o '
  fake mpirun "$bin" srun
  succeeds --nodes 2 --tasks-per-node 3 --launcher srun --mpi-args --mpi=pmix --wait
  logged '^srun --nodes=2 --ntasks=6 --ntasks-per-node=3 --distribution=block --cpu-bind=none --mpi=pmix .*/servet-mpi'
  FAKE_MPI=hydra succeeds --nodes 2 --tasks-per-node 3 --wait
  logged '^mpirun -n 6 -ppn 3 .*/servet-mpi'
}

@test "several numbers of nodes and sizes are measured one after the other into one profile" {
  touch "$FAKE/stay"
  succeeds --nodes 2,4 --message-size 32M,1G
  [ "$(wc -l <<<"$output")" -eq 4 ]
  eventually job_is 1 RUNNING
  job_is 2 PENDING
  job_is 3 PENDING
  job_is 4 PENDING
  rm "$FAKE/stay"
  eventually job_is 4 COMPLETED
  [ "$(grep new "$out/profile.json" | paste -sd ' ')" = "32M,new 1G,new 32M,new 1G,new" ]
  [ "$(sort "$FAKE"/jobs/*/nodes | paste -sd ' ')" = "2 2 4 4" ]
}

@test "a job's log has warnings, fitness and the path of the report, which is a file of its own" {
  succeeds --nodes 2 --wait
  diff - <(sed 's/ *$//' "$out/job/n2-32M.log") <<END
job 1 on h1 h2
measuring up to 32M
warning: node h2 is slower than the others: memory
Communication of 4 processes on 2 nodes
fit for use
report: $out/job/n2-32M.report
END
  [ "$(wc -l <"$out/job/n2-32M.report")" -eq 6 ]
  echo 3 >"$FAKE/status"
  servet_job --nodes 2 --wait
  [ "$status" -eq 1 ]
  [ "$(tail -n 1 "$out/job/n2-32M.log")" = 'measuring up to 32M' ]
}

@test "--wait shows states and progress until the jobs end" {
  echo 'PENDING Resources' >"$FAKE/hold"
  begins --nodes 2 --wait
  eventually waiter_says 'job 1 (n2-32M): waiting PENDING Resources'
  touch "$FAKE/stay"
  rm "$FAKE/hold"
  eventually waiter_says 'job 1 (n2-32M): running'
  eventually waiter_says '^measuring up to 32M$'
  rm "$FAKE/stay"
  wait "$waiter"
  [ "$(cat "$out/job/n2-32M.state")" = "done" ]
  [ "$(grep -c '^measuring' "$root/stderr")" -eq 1 ]
}

@test "a failed job is reported with status and log, and --resume submits only it" {
  echo 3 >"$FAKE/status"
  servet_job --nodes 2 --message-size 1M,2M --wait
  [ "$status" -eq 1 ]
  said "*n2-1M (job 1) failed with status 3, see $out/job/n2-1M.log*"
  said "*not measured: n2-1M n2-2M; results so far are kept in $out*"
  rm "$FAKE/status"
  succeeds --resume --output servet-neptune --wait
  [ "$(grep -c submitted <<<"$output")" -eq 2 ]
  logged 'measure --message-size 1M --budget 1620 --resume -o '
  succeeds --resume --wait
  said '*nothing is left to measure*'
  [ -z "$output" ]
}

# A state of several words; at night those of one word, too, which other tests have.
@test "after a time limit, lost node or cancellation results are kept and the job is resumed" {
  local why
  for why in ${SERVET_THOROUGH:+TIMEOUT NODE_FAIL} 'CANCELLED by 1000'; do
    rm -rf "$FAKE/jobs" "$FAKE"/kill.* "$out"
    touch "$FAKE/stay"
    begins --nodes 2 --message-size 1M,2M --wait
    eventually job_is 1 'RUNNING'
    eventually test -s "$out/job/n2-1M.nodes" # it measures
    echo "$why None" >"$FAKE/kill.1"
    eventually job_is 2 'RUNNING'
    rm "$FAKE/stay"
    status=0
    wait "$waiter" || status=$?
    [ "$status" -eq 1 ]
    waiter_says "n2-1M (job 1) was terminated (${why%% *})"
    waiter_says "not measured: n2-1M; "
    [ "$(grep -c ,new "$out/profile.json")" -eq 1 ]
    succeeds --resume --time 60 --wait
    [ "$output" = "job 3 submitted: n2-1M, output in $out" ]
    [ "$(grep -c '^2M,new$' "$out/profile.json")" -eq 1 ]
    grep -qx '1M,resumed' "$out/profile.json"
  done
}

@test "the end of a job that squeue lacks comes from accounting or the job's state file" {
  echo 3 >"$FAKE/status"
  touch "$FAKE/forget"
  servet_job --nodes 2 --wait
  [ "$status" -eq 1 ]
  said '*failed with status 3*'
  rm "$FAKE/status"
  touch "$FAKE/stay" "$FAKE/accounting"
  begins --resume --wait
  eventually job_is 2 RUNNING
  echo 'TIMEOUT None' >"$FAKE/kill.2"
  status=0
  wait "$waiter" || status=$?
  [ "$status" -eq 1 ]
  waiter_says 'was terminated (TIMEOUT)'
}

# A job has written the file by which its folder is known to be shared.
has_begun() {
  find . -name '*.first' | grep -q .
}

@test "without accounting an unknown job has ended" {
  touch "$FAKE/forget" "$FAKE/stay"
  begins --nodes 2 --wait
  eventually has_begun
  echo 'TIMEOUT None' >"$FAKE/kill.1"
  status=0
  wait "$waiter" || status=$?
  [ "$status" -eq 1 ]
  waiter_says 'was terminated (for an unknown reason)'
}

@test "jobs continue while slurmctld does not respond" {
  touch "$FAKE/stay"
  begins --nodes 2 --scheduler slurm --name neptune --wait
  eventually waiter_says 'n2-32M): running'
  touch "$FAKE/down"
  eventually waiter_says 'n2-32M): unknown'
  rm "$FAKE/down" "$FAKE/stay"
  wait "$waiter"
}

@test "a job that can never run is cancelled" {
  echo 'PENDING PartitionTimeLimit' >"$FAKE/hold"
  servet_job --nodes 2 --wait
  [ "$status" -eq 1 ]
  said '*n2-32M (job 1) can never run and was withdrawn (PartitionTimeLimit)*'
  logged '^scancel 1$'
}

@test "a refusal by sbatch is reported in one line and changes no file" {
  fails 1 "*n2-32M was not submitted: *unrecognized option '--gpus'*" --nodes 2 --extra --gpus
  [ ! -e "$out/job/lock" ]
  fails 2 "*--exclusive: 'no' needs a number of --tasks-per-node under Slurm*" --nodes 2 --exclusive no
  succeeds --nodes 2 --partition bench --extra --mem=0 --wait
  local before
  before=$(find "$out" -type f -exec md5sum {} + | sort)
  fails 1 '*n2-32M was not submitted: *Invalid partition name*' --nodes 2 --partition nosuch
  [ "$(find "$out" -type f -exec md5sum {} + | sort)" = "$before" ]
}

@test "more nodes than are usable are not requested, although sbatch accepts them" {
  fails 1 '*--nodes: 7 were requested, but 4 nodes are usable (1 drained, 1 idle[*])' --nodes 7
  fails 1 '*--nodes: 4 were requested, but 3 nodes are usable in bench (1 drained)' --nodes 2,4 --partition bench
  [ "$(grep -c ^sbatch "$FAKE/log")" -eq 0 ]
  rm "$bin/sinfo"
  servet_job --nodes 7 --wait
  [ "$status" -eq 1 ]
  said '*n7-32M (job 1) can never run and was withdrawn (PartitionNodeLimit)*'
}

@test "a node whose state is not known to be usable is not requested, and the message has its state" {
  printf '#!/bin/sh\nprintf "%%s\\n" %s\n' \
    '"h1 bench inval" "h2 bench unheard-of" "h3 bench idle*" "h4 bench mixed\$" "h5 bench powering_down"' >"$bin/sinfo"
  fails 1 '*--nodes: 3 were requested, but 0 nodes are usable in bench (1 idle[*], 1 inval, 1 mixed$, 1 powering_down, 1 unheard-of)' \
    --nodes 3 --partition bench
  printf '#!/bin/sh\nprintf "%%s\\n" %s\n' \
    '"h1 bench allocated" "h2 bench blocked" "h3 bench idle~" "h4 bench mixed-" "h5 bench planned#" "h6 bench completing"' >"$bin/sinfo"
  fails 1 '*--nodes: 7 were requested, but 6 nodes are usable in bench' --nodes 7 --partition bench
}

@test "where no node is usable nothing is submitted" {
  printf '#!/bin/sh\necho "h1 debug* inval"\n' >"$bin/sinfo"
  fails 1 '*--nodes: 1 were requested, but 0 nodes are usable (1 inval)' --nodes 1
}

@test "what sbatch prints and a job logs reaches the terminal without characters that it obeys" {
  printf 'new \033]0;title\007 \302\233 \342\200\256 caf\303\251\n' >"$FAKE/shout"
  succeeds --nodes 2 --wait
  said $'*new ?]0;title? ? ? caf\303\251*'
  printf 'failed \033[2J\n' >"$FAKE/broken"
  servet_job --nodes 2 --wait
  [ "$status" -eq 1 ]
  said '*failed ?[2J*'
}

@test "SERVET_POLL is checked before anything is submitted" {
  local value
  for value in soon -1 0 0.0 1.2.3 . 1e3; do
    SERVET_POLL=$value fails 2 "*SERVET_POLL must be a number of seconds above 0, not *" --nodes 2 --wait
  done
  [ "$(grep -c ^sbatch "$FAKE/log")" -eq 0 ]
}

@test "nodes that differ: jobs of each class run on nodes with its feature, one after the other into one profile" {
  succeeds --nodes 1,2 --classes 'fat=bigmem,thin=skylake|icelake' --constraint ib --wait
  [ "$(sed 's/.*submitted: \([^,]*\),.*/\1/' <<<"$output" | paste -sd ' ')" = \
    'n1-32M.fat n2-32M.fat n1-32M.thin n2-32M.thin' ]
  grep -qx '#SBATCH --constraint=ib&bigmem' "$out/job/n2-32M.fat.sh"
  grep -qx '#SBATCH --constraint=ib&(skylake|icelake)' "$out/job/n1-32M.thin.sh"
  grep -qx '#SBATCH --nodes=2' "$out/job/n2-32M.thin.sh"
  logged '^servet-mpi measure --message-size 32M .*/runs/n2-32M.fat'
  [ "$(grep '^merge' "$FAKE/log" | paste -sd ' ')" = \
    'merge --class fat merge --class fat merge --class thin merge --class thin' ]
  [ "$(grep -c '^32M,new$' "$out/profile.json")" -eq 4 ]
}

@test "nodes that differ: --resume submits the remaining jobs, each with its feature" {
  succeeds --nodes 2 --classes fat=bigmem,thin=skylake --wait
  echo 'failed 3' >"$out/job/n2-32M.thin.state"
  succeeds --resume --wait
  [ "$output" = "job 3 submitted: n2-32M.thin, output in $out" ]
  grep -qx '#SBATCH --constraint=skylake' "$out/job/n2-32M.thin.sh"
  succeeds --resume --install --prefix "$root/pre fix"
  [ -d "$root/pre fix/share/servet/neptune/raw/n2-32M.fat" ]
  [ -f "$root/pre fix/share/servet/neptune/job/n2-32M.thin.log" ]
}

@test "nodes that differ: refused inside a job, whose nodes are given" {
  export SLURM_JOB_ID=77 SLURM_JOB_NODELIST=h1,h2 SLURM_JOB_NUM_NODES=2
  fails 2 '*--classes needs a batch system that chooses the nodes of each job*' --classes fat=bigmem
}

@test "shared nodes are requested without exclusive use" {
  succeeds --nodes 2 --exclusive no --tasks-per-node 2 --dry-run
  [[ $output != *--exclusive* && $output == *$'\n#SBATCH --ntasks-per-node=2\n'* ]]
}

@test "--resume requests the nodes on which a run began, unless they are unavailable or any are accepted" {
  succeeds --nodes 2 --wait
  echo 'failed 3' >"$out/job/n2-32M.state"
  printf 'h2\nh4\n' >"$out/job/n2-32M.nodes"
  mkdir "$out/runs/n2-32M/unfinished-mpi.x"
  succeeds --resume --any-nodes --dry-run
  [[ $output != *--nodelist* ]]
  echo h4 >"$FAKE/lost"
  succeeds --resume --dry-run
  said '*n2-32M began on h4, which is not usable now: continuing on other nodes'
  [[ $output != *--nodelist* ]]
  rm "$FAKE/lost"
  succeeds --resume --wait
  logged '^sbatch --parsable --hold .*/n2-32M.sh$'
  grep -qx '#SBATCH --nodelist=h2,h4' "$out/job/n2-32M.sh"
  grep -qx 'job 2 on h2 h4 ' "$out/job/n2-32M.log"
}

@test "with nothing left, --resume --install installs without --wait" {
  succeeds --nodes 2 --wait
  succeeds --resume --install --prefix "$root/pre fix"
  [[ $output == *"installed: $root/pre fix/share/servet/neptune/profile.json"* ]]
}

@test "an output folder that the nodes do not share is the cause that is named, not a reason to resume" {
  local must='the folder '$out' must be on a file system that all nodes share; pass --output' folder
  touch "$FAKE/apart"
  for folder in "$FAKE/nowhere" "$FAKE/hosts/disk/job"; do
    mkdir -p "$folder"
    servet_job --nodes 2 --wait
    [ "$status" -eq 1 ]
    said "*: n2-32M (job *) failed: node $(uname -n) does not see $out/job/n2-32M.first that job * wrote: $must*"
    said "*: not measured: n2-32M: $must"
    [[ $stderr != *--resume* ]]
  done
  rm "$FAKE/apart"
  succeeds --resume --wait
}

# The minute is made some seconds.
@test "a node that does not see the output folder of the first one is named" {
  touch "$FAKE/apart"
  succeeds --nodes 2 --tasks-per-node 1 --dry-run
  mkdir -p "$out/job"
  sed 's/^limit=.*/limit=2/' <<<"$output" >"$out/job/n2-32M.sh"
  SLURM_JOB_ID=7 SLURM_JOB_NODELIST=h1,h2 PATH=$bin sh "$out/job/n2-32M.sh" 3>&- || status=$?
  [ "$status" -eq 143 ]
  grep -q ": node $(uname -n) does not see $out/job/n2-32M.first.apart that node $(uname -n) wrote: the folder $out must be on a file system that all nodes share; pass --output$" \
    "$out/job/n2-32M.log"
  rm "$FAKE/apart"
  echo 7 >"$out/job/n2-32M.id"
  succeeds --status
  [[ $output == "n2-32M (job 7): failed: node $(uname -n) does not see "*"next: the folder $out must be "* ]]
}

@test "--resume reports the end of jobs that were not waited for" {
  touch "$FAKE/stay"
  succeeds --nodes 2
  eventually grep -q '^measuring' "$out/job/n2-32M.log"
  echo 'TIMEOUT None' >"$FAKE/kill.1"
  eventually job_is 1 TIMEOUT
  rm "$FAKE/stay"
  succeeds --resume --wait
  said '*n2-32M (job 1) was terminated (TIMEOUT)*'
}

@test "a second call at the same time is refused and names the job of the first" {
  touch "$FAKE/stay"
  succeeds --nodes 2,4
  fails 1 "*the cluster 'neptune' is already being measured: job 1, output in $out" --nodes 2
  fails 1 "*is already being measured: job 1, output in $out" --nodes 2 --output elsewhere
  fails 1 "*is already being measured: job 1, *" --nodes 2 --name triton --output servet-neptune
  fails 1 "*is already being measured: job 1, *" --resume
  rm "$FAKE/stay"
  eventually job_is 2 COMPLETED
  succeeds --nodes 2
}

@test "the lock of killed jobs or of a killed driver is released" {
  touch "$FAKE/stay"
  succeeds --nodes 2
  eventually job_is 1 RUNNING
  echo 'NODE_FAIL None' >"$FAKE/kill.1"
  eventually job_is 1 NODE_FAIL
  succeeds --nodes 2 --output elsewhere
  rm "$FAKE/stay"
  eventually job_is 2 COMPLETED
  printf 'local\n999999999@%s:none\n%s\n' "$(uname -n)" "$out" >"$out/job/lock"
  succeeds --nodes 2 --wait
  [ ! -e "$out/job/lock" ]
  # A process of another host may live: nobody here can tell.
  printf 'local\n1@elsewhere:none\n%s\n' "$out" >"$out/job/lock"
  fails 1 '*is already being measured: job 1@elsewhere, *' --nodes 2
}

@test "one of many calls at the same time obtains the lock" {
  touch "$FAKE/stay"
  local i
  for i in 1 2 3 4 5; do
    (PATH=$bin sh "$tree/drivers/servet-job" --nodes 2 --output "out$i" >"$root/stdout.$i" 2>&1 </dev/null 3>&-) &
  done
  wait
  [ "$(cat "$root"/stdout.* | grep -c submitted)" -eq 1 ]
  [ "$(cat "$root"/stdout.* | grep -c 'is already being measured')" -eq 4 ]
  [ "$(find "$FAKE/jobs" -name script | wc -l)" -eq 1 ]
}

# Each commit sends SIGTERM to a driver that has its processes here (servet_job_install.bats).
@test "signals end the waiting but not the jobs" {
  local signal
  for signal in 2 ${SERVET_THOROUGH:+15}; do
    rm -rf "$FAKE/jobs" "$out"
    touch "$FAKE/stay"
    (PATH=$bin exec env --default-signal=INT sh "$tree/drivers/servet-job" --nodes 2 --wait \
      >"$root/stdout" 2>"$root/stderr" </dev/null 3>&-) &
    waiter=$!
    eventually waiter_says 'n2-32M): running'
    kill -"$signal" "$waiter"
    status=0
    wait "$waiter" || status=$?
    [ "$status" -eq $((128 + signal)) ]
    waiter_says 'the jobs continue; scancel 1 ends one of them'
    waiter_says "servet-job --resume --output $out"
    job_is 1 RUNNING
    fails 1 '*is already being measured: job 1, *' --resume
    rm "$FAKE/stay"
    eventually job_is 1 COMPLETED
    succeeds --resume
    said '*nothing is left to measure*'
  done
}

@test "inside an allocation the measurement starts at once on its nodes, without a job" {
  export SLURM_JOB_ID=77 SLURM_JOB_NODELIST=h1,h2 SLURM_JOB_NUM_NODES=2
  succeeds --tasks-per-node 1
  grep -qx 'job 77 on h1 h2 ' "$out/job/n2-32M.log"
  logged '^mpirun -n 2 '
  [ "$(grep -c '^sbatch' "$FAKE/log")" -eq 0 ]
  fails 1 '*--nodes: 4 were requested, but this job has 2*' --nodes 4
  cp -r "$out" before
  succeeds --nodes 1,2
  [ "$(grep -c ,new "$out/profile.json")" -ge 2 ]
  cmp before/profile.json "$out/profile.json.1"
  diff -r before/runs "$out/runs.1"
  [ ! -e "$out/job/old" ]
}

@test "what finds programs, libraries and a relocated MPI is written into the job's script" {
  export LD_LIBRARY_PATH="/opt/it's/lib"
  I_MPI_ROOT=/opt/impi succeeds --nodes 2 --dry-run
  [[ $output == *"I_MPI_ROOT='/opt/impi'"$'\n'"export PATH LD_LIBRARY_PATH I_MPI_ROOT"* ]]
  succeeds --nodes 2 --dry-run
  [[ $output == *"LD_LIBRARY_PATH='/opt/it'\\''s/lib'"$'\n'"export PATH LD_LIBRARY_PATH"* ]]
}

@test "Slurm's own qsub is not used where sbatch works" {
  with_torque
  succeeds --nodes 2 --dry-run
  [[ $output == *'#SBATCH'* ]]
  touch "$FAKE/down"
  rm "$bin/qsub"
  fails 2 '*no batch system was found here*' --nodes 2
}

# A file system of 1 MiB on which something takes all but the last KiB.
@test "a full disk is reported, and the measurement is resumed once there is space" {
  [ "$(id -u)" -eq 0 ] || skip "only root may mount"
  mkdir "$root/small"
  mount -t tmpfs -o size=1m tmpfs "$root/small" 2>/dev/null || skip "no tmpfs here"
  full_disk_story || status=failed
  end_jobs
  umount -l "$root/small"
  [ "$status" != failed ]
}

full_disk_story() {
  touch "$FAKE/stay"
  begins --nodes 2 --output "$root/small/out" --wait
  eventually grep -q running "$root/small/out/job/n2-32M.state" || return 1
  dd if=/dev/zero of="$root/small/filler" bs=4k 2>/dev/null
  rm "$FAKE/stay"
  status=0
  wait "$waiter" || status=$?
  [ "$status" -eq 1 ] && waiter_says 'not measured: n2-32M' || return 1
  dd if=/dev/zero of="$root/small/rest" bs=1k 2>/dev/null # what the lock took
  fails 1 "*cannot write $root/small/out*is the disk full? 0 KiB are free*" --resume --output "$root/small/out" ||
    return 1
  rm "$root/small/filler" "$root/small/rest"
  succeeds --resume --output "$root/small/out" --wait && [ -s "$root/small/out/profile.json" ]
}
