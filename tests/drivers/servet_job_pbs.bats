#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The life of jobs under OpenPBS and Torque: a fake of their commands that refuses what the real ones refuse, and
# that runs jobs as they do: in $HOME, with another PATH, files for nobody else.
#
# SOURCE_ROOT: the source tree.

# shellcheck disable=SC2154 # set in batch.bash
load batch

setup() {
  make_machine
  with_pbs
  out="$root/work/servet-triton"
  export SERVET_NAME=triton
}

teardown() {
  end_jobs
}

@test "jobs are submitted without waiting" {
  succeeds --nodes 2 --tasks-per-node 2
  [ "$output" = "job 1.h0 submitted: n2-32M, output in $out" ]
  eventually job_is 1 'F 0'
  [ "$(cat "$out/job/n2-32M.state")" = "done" ]
  grep -qx 'job 1.h0 on h1 h2 ' "$out/job/n2-32M.log"
  logged "^qsub -f -h $out/job/new/n2-32M.sh$"
  logged '^qrls 1.h0$'
}

@test "by default all CPUs are requested that enough nodes have" {
  succeeds --nodes 2 --dry-run
  [[ $output == *'-l select=2:ncpus=8:mpiprocs=8'*'place=scatter:excl'* ]]
  succeeds --nodes 3 --dry-run
  [[ $output == *'-l select=3:ncpus=4:mpiprocs=4'* ]]
}

@test "a job that can never run is not submitted, although qsub accepts it" {
  fails 1 '*--nodes: 3 were requested, but 2 of 4 usable nodes have 8 or more CPUs (1 down)' --nodes 3 --tasks-per-node 8
  fails 1 '*--nodes: 5 were requested, but 4 of 4 usable nodes have 1 or more CPUs (1 down)' --nodes 2,5
  [ "$(grep -c ^qsub "$FAKE/log")" -eq 0 ]
  [ ! -e "$out/job/lock" ]
}

@test "a node whose state is not known to be usable is not requested, and the message has its state" {
  local state
  for state in unheard-of job-busy,Stale maintenance; do
    echo "h2 $state" >"$FAKE/odd"
    fails 1 "*--nodes: 4 were requested, but 3 of 3 usable nodes have * CPUs (1 down, 1 $state)" --nodes 4
  done
  echo 'h2 job-exclusive,resv-exclusive' >"$FAKE/odd"
  succeeds --nodes 4 --dry-run
}

@test "nodes that differ: each class has its own requests and numbers of nodes" {
  succeeds --nodes 2 --classes fat=model=fat,thin=model=thin --dry-run
  [[ $output == *'-l select=2:ncpus=8:mpiprocs=8:model=fat'*'-l select=2:ncpus=4:mpiprocs=4:model=thin'* ]]
  fails 1 '*--nodes: 3 were requested, but 2 of 2 usable nodes with model=thin have 1 or more CPUs (1 down)' \
    --nodes 3 --classes thin=model=thin
  fails 1 '*--nodes: 1 were requested, but 0 of 0 usable nodes with model=old have 1 or more CPUs' \
    --nodes 1 --classes old=model=old
  succeeds --nodes 1 --classes thin=model=thin --constraint mem=64gb --dry-run
  [[ $output == *'-l select=1:ncpus=4:mpiprocs=4:mem=64gb:model=thin'* ]]
}

@test "nodes that differ: all jobs write one profile" {
  at_night Slurm
  succeeds --nodes 2 --classes fat=model=fat,thin=model=thin --wait
  grep -qx 'job 1.h0 on h1 h2 ' servet-triton/job/n2-32M.fat.log
  grep -qx 'job 2.h0 on h3 h4 ' servet-triton/job/n2-32M.thin.log
  [ "$(grep '^merge' "$FAKE/log" | paste -sd ' ')" = 'merge --class fat merge --class thin' ]
}

@test "if pbsnodes lacks the information, a job that can never run is deleted" {
  rm "$pbs_bin/pbsnodes"
  servet_job --nodes 5 --tasks-per-node 1 --wait
  [ "$status" -eq 1 ]
  said '*n5-32M (job 1.h0) can never run and was withdrawn (Can Never Run: Not enough total nodes available)*'
  logged '^qdel 1.h0$'
}

@test "an MPI library without PBS support gets a hostfile and PBS's remote shell" {
  succeeds --nodes 2 --tasks-per-node 3 --wait
  logged '^mpirun -n 6 --map-by ppr:3:node --bind-to none --hostfile n2-32M.hosts .*/servet-mpi measure'
  [ "$(paste -sd , "$out/job/n2-32M.hosts")" = 'h1 slots=3,h2 slots=3' ]
  logged '^pbs_tmrsh h2 /bin/sh -c .*orted'
  [ "$(grep -c '^pbs_tmrsh h1' "$FAKE/log")" -eq 0 ]
  rm "$pbs_bin/pbs_tmrsh"
  : >"$FAKE/log"
  succeeds --nodes 2 --tasks-per-node 3 --wait
  logged '^mpirun .*--hostfile n2-32M.hosts '
  printf '#!/bin/sh\necho " MCA plm: tm (MCA v2.1.0)"\n' >"$bin/ompi_info"
  chmod +x "$bin/ompi_info"
  succeeds --nodes 2 --tasks-per-node 3 --wait
  [[ $(grep '^mpirun -n' "$FAKE/log" | tail -n 1) != *--hostfile* ]]
}

# block NUMBER: of the examples in the section on launchers.
block() {
  sed -n '/^## Launchers/,$p' "$SOURCE_ROOT/share/doc/cluster.md" | awk -v number="$1" '
    /^```/ { fences++; next }
    fences == 2 * number - 1'
}

# Here mpirun starts fewer daemons at once than there are hosts, as it does by default with more than 128.
@test "the guide's commands for an Open MPI without PBS start processes on all hosts" {
  block 1 | sed "s|/opt/pbs/bin|$pbs_bin|" >agent
  chmod +x agent
  printf 'h1\nh2\nh3\nh1\nh2\nh3\n' >"$root/nodefile"
  printf '#!/bin/sh\necho "$FAKE_HOSTS" >started\n' >program
  chmod +x program
  PBS_JOBID=7.h0 PBS_NODEFILE=$root/nodefile PATH=$bin:$PATH OMPI_MCA_plm_rsh_num_concurrent=1 sh -euc "$(block 2)" 3>&-
  [ "$(cat started)" = 'h1 h2 h3' ]
  [ "$(paste -sd , hosts)" = 'h1 slots=2,h2 slots=2,h3 slots=2' ]
  logged '^pbs_tmrsh h3 '
}

@test "files of the jobs are readable by others" {
  succeeds --nodes 2 --wait
  [ "$(stat -c %a "$out/profile.json" "$out/runs/n2-32M/raw" "$out/job/n2-32M.log" | paste -sd ' ')" = '644 755 644' ]
}

@test "--wait shows why a job waits" {
  echo 'H job held, too many failed attempts to run' >"$FAKE/hold"
  begins --nodes 2 --wait
  eventually waiter_says 'job 1.h0 (n2-32M): waiting held: job held, too many failed attempts to run'
  rm "$FAKE/hold"
  wait "$waiter"
}

@test "time limit, lost node and deletion are reported, with and without job history" {
  local history number known forgotten
  for history in no yes; do
    [ $history = no ] || touch "$FAKE/history"
    while IFS='|' read -r number known forgotten; do
      # Without history, a job that was deleted ends as one whose time is up.
      [ "$history $number" != 'no 271' ] || [ -n "${SERVET_THOROUGH-}" ] || continue
      rm -rf "$FAKE/jobs" "$FAKE"/kill.* "$out"
      touch "$FAKE/stay"
      begins --nodes 2 --wait
      eventually grep -q '^measuring' "$out/job/n2-32M.log"
      echo "F $number" >"$FAKE/kill.1"
      status=0
      wait "$waiter" || status=$?
      [ "$status" -eq 1 ]
      rm "$FAKE/stay"
      [ $history = yes ] || known=$forgotten
      waiter_says "n2-32M (job 1.h0) was terminated ($known)"
      [ "$(cat "$out/job/n2-32M.state")" = "ended $known" ]
      [ ! -e "$out/job/n2-32M.private" ] || [ "$number" = -20 ]
      [ ! -e "$out/job/at-work" ] || [ "$number" = -20 ]
    done <<'END'
-29|time limit: job killed: walltime 77 exceeded limit 60|told to end, status 143: job killed: walltime 77 exceeded limit 60
-20|node lost|for an unknown reason
271|deleted|told to end, status 143
END
  done
  succeeds --resume --wait
  grep -qx '32M,resumed' "$out/profile.json"
}

@test "--resume reports the end of jobs that were not waited for" {
  at_night Slurm
  touch "$FAKE/stay"
  succeeds --nodes 2
  eventually grep -q '^measuring' "$out/job/n2-32M.log"
  echo 'F -20' >"$FAKE/kill.1"
  eventually job_is 1 'F -20'
  rm "$FAKE/stay"
  touch "$FAKE/history"
  succeeds --resume --wait
  said '*n2-32M (job 1.h0) was terminated (node lost)*'
  [ "$(cat "$out/job/n2-32M.state")" = "done" ]
}

@test "jobs continue while the server does not respond" {
  at_night Slurm
  touch "$FAKE/stay"
  begins --nodes 2 --wait
  eventually waiter_says 'n2-32M): running'
  touch "$FAKE/down"
  eventually waiter_says 'n2-32M): unknown'
  rm "$FAKE/down" "$FAKE/stay"
  wait "$waiter"
}

@test "jobs run one after the other, and the last one installs" {
  touch "$FAKE/stay"
  succeeds --nodes 1,2 --message-size 1M,2M --install --prefix "$root/pre fix"
  eventually job_is 1 R
  job_is 2 Q
  rm "$FAKE/stay"
  eventually job_is 4 'F 0'
  logged '^qsub -f -W umask=022,depend=afterany:3.h0 .*/n2-2M.sh$'
  [ "$(grep -c new "$root/pre fix/share/servet/triton/profile.json")" -eq 4 ]
  [ "$(stat -c %a "$root/pre fix/share/servet/triton/profile.json")" = 644 ]
}

@test "the last job does not install an incomplete measurement" {
  touch "$FAKE/stay"
  succeeds --nodes 1,2 --install --prefix "$root/pre fix"
  eventually grep -q running "$out/job/n1-32M.state"
  echo 'F -29' >"$FAKE/kill.1"
  eventually job_is 1 'F -29'
  rm "$FAKE/stay"
  eventually job_is 2 'F 1'
  grep -q 'n1-32M is not measured yet' "$out/job/n2-32M.log"
  [ ! -e "$root/pre fix" ]
  # The run that is left is not the last of the list.
  succeeds --resume --install --prefix "$root/pre fix"
  eventually job_is 3 'F 0'
  [ "$(grep -c 32M, "$root/pre fix/share/servet/triton/profile.json")" -eq 2 ]
}

@test "with nothing left, --resume --install installs without --wait" {
  at_night Slurm
  succeeds --nodes 2 --wait
  succeeds --resume --install --prefix "$root/pre fix"
  [[ $output == *"installed: $root/pre fix/share/servet/triton/profile.json"* ]]
}

@test "output that PBS copies late is installed, readable by all" {
  succeeds --nodes 1,2 --wait --install --prefix "$root/pre fix"
  local file
  for file in "$root/pre fix/share/servet/triton/job"/n{1,2}-32M.out; do
    [ "$(stat -c %a "$file")" = 644 ]
    [ "$(cat "$file")" = 'welcome to h1' ]
  done
  [ "$(stat -c %a "$out"/job/n?-32M.out | sort -u)" = 644 ]
}

# folder_now: all that a request which is refused must leave alone.
folder_now() {
  (cd "$out" && find . -type f ! -name said -exec md5sum {} + | sort)
}

@test "a refused request changes no file, whatever the reason" {
  succeeds --nodes 1,2 --wait
  local before
  before=$(folder_now)
  fails 1 '*--nodes: 9 were requested, but 4 of 4 usable nodes*' --nodes 2,9
  fails 1 '*n2-32M was not submitted: qsub: Unknown queue*' --nodes 2 --queue nosuch
  fails 2 "*--only accepts node, layers, curves, access*, not 'layer' *" --nodes 2 --only curves,layer
  fails 1 '*cannot install into */pre fix/share/servet*' --nodes 2 --install --prefix /proc/version/pre\ fix
  touch "$FAKE/stubborn"
  fails 1 '*cannot release job 3.h0: qrls: Unauthorized Request*' --nodes 2
  fails 1 '*cannot release job 4.h0: qrls: Unauthorized Request*' --resume --nodes 3
  rm "$FAKE/stubborn"
  eventually job_is 4 'F 271'
  [ "$(folder_now)" = "$before" ]
  fails 1 '*was not submitted: *' --resume --nodes 4 --message-size 1M --extra '-q nosuch'
  [ ! -e "$out/job/lock" ]
  [ ! -e "$out/job/new" ]
}

@test "if the second of two jobs is refused, the first one is deleted" {
  printf '#!/bin/sh\n[ ! -e "$FAKE/jobs/1" ] || { echo "qsub: full" >&2; exit 1; }\n. "$FAKE_HOME/pbs.sh"\n' >"$pbs_bin/qsub"
  fails 1 '*n2-32M was not submitted: qsub: full*' --nodes 1,2
  eventually job_is 1 'F 271'
  [ ! -e "$out/job/n1-32M.sh" ]
  [ ! -e "$out/job/n1-32M.log" ]
}

@test "--extra overrides other requests, also on shared nodes" {
  succeeds --nodes 2 --extra '-l place=scatter:exclhost' --wait
  [ "$(cat "$FAKE/jobs/1/place")" = scatter:exclhost ]
  succeeds --nodes 2 --exclusive no --wait
  [ "$(cat "$FAKE/jobs/2/place")" = scatter ]
  SERVET_EXCLUSIVE=no succeeds --nodes 2 --dry-run
  [[ $output == *$'\n#PBS -l place=scatter\n'* ]]
}

@test "--resume requests the nodes on which a run began, unless they are unavailable or any are accepted" {
  at_night Slurm
  succeeds --nodes 2
  eventually job_is 1 'F 0'
  echo 'failed 3' >"$out/job/n2-32M.state"
  printf 'h2\nh4.cluster.org\n' >"$out/job/n2-32M.nodes"
  succeeds --resume --dry-run
  [[ $output == *'-l select=2:ncpus='* ]]
  mkdir "$out/runs/n2-32M/unfinished-mpi.x"
  succeeds --resume --any-nodes --dry-run
  [[ $output == *'-l select=2:ncpus='* ]]
  succeeds --resume --dry-run
  [[ $output == *'-l select=1:ncpus=4:mpiprocs=4:host=h2+1:ncpus=4:mpiprocs=4:host=h4'* ]] # the CPUs that both have
  echo h4 >"$FAKE/lost"
  succeeds --resume --dry-run
  said '*n2-32M began on h4.cluster.org, which is not usable now: continuing on other nodes'
  [[ $output == *'-l select=2:ncpus='* ]]
  rm "$FAKE/lost"
  succeeds --resume --tasks-per-node 4 --wait
  grep -qx 'job 2.h0 on h2 h4 ' "$out/job/n2-32M.log"
}

@test "a failed start ends the job at once, with a hint" {
  local hint file
  while IFS='|' read -r file hint; do
    rm -rf "$FAKE/jobs" "$out" "$FAKE"/{alone,namesake,broken}
    echo h1 >"$FAKE/$file"
    servet_job --nodes 2 --wait
    [ "$status" -eq 1 ]
    said "*cannot start one process on each node, 2 in all (status *): $hint*failed with status 1,*"
    [ ! -e "$out/runs" ]
  done <<'END'
alone|each process is alone in its MPI job: does mpirun belong to the MPI library that servet-mpi was built with?
namesake|they ran on 1 of 2 nodes, or several nodes have the same name
broken|does the launcher belong to the MPI library that servet-mpi was built with?
END
  rm -rf "$FAKE/jobs" "$out"
  echo 'mpirun has detected an attempt to run as root.' >"$FAKE/broken"
  servet_job --nodes 2 --wait
  [ "$status" -eq 1 ]
  said "* (status *): Open MPI refuses root: *failed with status 1,*"
}

# qsub hands no environment on.
@test "a relocated Open MPI starts in the job as in the shell" {
  mv "$bin/mpirun" "$bin/mpirun.real"
  cat >"$bin/mpirun" <<'END'
#!/bin/sh
[ -n "${OPAL_PREFIX-}" ] || { echo "mpirun: Error: unknown option \"$1\"" >&2; exit 1; }
exec mpirun.real "$@"
END
  chmod +x "$bin/mpirun"
  OPAL_PREFIX='/opt/hpc x' succeeds --nodes 2 --wait
}

# The minute is made a second.
@test "a start that hangs is terminated" {
  touch "$FAKE/stuck"
  succeeds --nodes 2 --tasks-per-node 1 --dry-run
  mkdir -p "$out/job"
  sed 's/^limit=.*/limit=1/' <<<"$output" >"$out/job/n2-32M.sh"
  printf 'h1\nh2\n' >"$root/nodefile"
  status=0
  PBS_JOBID=7.h0 PBS_NODEFILE=$root/nodefile sh "$out/job/n2-32M.sh" 3>&- || status=$?
  [ "$status" -eq 143 ]
  grep -q '^no answer within 1 s$' "$out/job/n2-32M.log"
  grep -q 'can the nodes reach each other?' "$out/job/n2-32M.log"
  [ "$(cat "$out/job/n2-32M.state")" = 'failed 143' ]
  [ ! -e "$out/job/n2-32M.private" ]
}

@test "an output folder that the nodes do not share is named as the job printed it" {
  at_night Slurm
  touch "$FAKE/apart"
  servet_job --nodes 2 --wait
  [ "$status" -eq 1 ]
  said "*n2-32M (job *) failed: node $(uname -n) does not see $FAKE/hosts/disk/job/n2-32M.sh that servet-job wrote: the folder *"
  [[ $stderr != *--resume* ]]
}

@test "a script submitted by hand into a folder in use ends at once" {
  touch "$FAKE/stay"
  succeeds --nodes 1,2
  eventually grep -q '^measuring' "$out/job/n1-32M.log"
  (cd "$out/job" && "$pbs_bin/qsub" -f n2-32M.sh)
  eventually job_is 3 'F 1'
  grep -qx 'job 3.h0 ends: job 1.h0 is measuring in this folder; wait until it has ended' "$out/job/n2-32M.log"
  [ "$(cat "$out/job/n1-32M.state")" = 'running 1.h0' ]
  rm "$FAKE/stay"
  eventually job_is 2 'F 0'
  # Remnants of a job that was killed block nobody.
  echo 99.h0 >"$out/job/at-work"
  succeeds --nodes 2 --wait
}

@test "with a blank in the output folder the launch agent is written to a path without one" {
  succeeds --nodes 2 --output "$root/a folder" --wait
  logged '^pbs_tmrsh h2 /bin/sh -c .*orted'
  [ -z "$(find "$HOME" -name '.servet-*')" ]
}

# A link of that name must not lead anywhere, and the file it is to be must not be there after the job.
@test "the launch agent is written through no link that was there before" {
  succeeds --nodes 2 --tasks-per-node 1 --dry-run
  mkdir -p "$out/job" "$root/mine"
  echo precious >"$root/mine/agent"
  chmod 600 "$root/mine/agent"
  ln -s "$root/mine" "$out/job/n2-32M.private"
  succeeds --nodes 2 --wait
  logged '^pbs_tmrsh h2 '
  [ "$(cat "$root/mine/agent")" = precious ]
  [ "$(stat -c %a "$root/mine/agent")" = 600 ]
  [ ! -L "$out/job/n2-32M.private" ]
  [ ! -e "$out/job/n2-32M.private" ]
}

@test "PBS's own mpiexec is not used as a launcher" {
  local PATH=$pbs_bin:$PATH
  bin="$pbs_bin:$bin" servet_job --nodes 2 --launcher mpiexec
  [ "$status" -eq 1 ]
  said '*mpiexec of an MPI library is not on PATH, and servet-mpi needs it*'
  fake mpirun "$bin" mpiexec
  bin="$pbs_bin:$bin" servet_job --nodes 2 --launcher mpiexec --wait
  [ "$status" -eq 0 ]
  logged '^mpiexec -n'
  rm "$bin/mpirun" "$bin/mpiexec"
  bin="$pbs_bin:$bin" servet_job --nodes 2
  [ "$status" -eq 1 ]
  said '*mpirun of an MPI library is not on PATH, and servet-mpi needs it*'
}

@test "a refusal by qsub is reported in one line" {
  fails 1 '*n2-32M was not submitted: qsub: Unknown queue*' --nodes 2 --queue nosuch
  fails 1 '*n2-32M was not submitted: qsub: Unknown resource: color*' --nodes 2 --constraint color=red
  fails 1 '*n2-32M was not submitted: qsub: directive error*' --nodes 2 --extra '# no comment'
}

@test "a second call at the same time is refused and names the job of the first" {
  at_night Slurm
  touch "$FAKE/stay"
  succeeds --nodes 2
  fails 1 "*the cluster 'triton' is already being measured: job 1.h0, output in $out" --nodes 2 --output elsewhere
  touch "$FAKE/down"
  fails 1 "*is already being measured: job 1.h0, *" --nodes 2 --scheduler pbs --output elsewhere
  rm "$FAKE/stay" "$FAKE/down"
  eventually job_is 1 F
  succeeds --nodes 2 --output elsewhere
}

@test "inside a job the measurement starts at once" {
  printf 'h1\nh1\nh2\nh2\n' >"$root/nodefile"
  PBS_JOBID=7.h0 PBS_NODEFILE=$root/nodefile succeeds --scheduler pbs --tasks-per-node 2
  grep -qx 'job 7.h0 on h1 h2 ' "$out/job/n2-32M.log"
  [ "$(grep -c ^qsub "$FAKE/log")" -eq 0 ]
}

@test "PBS's own folder is searched before PATH" {
  local name
  for name in qsub qstat pbsnodes qdel; do
    printf '#!/bin/sh\necho "Unknown option: version" >&2\nexit 2\n' >"$bin/$name"
    chmod +x "$bin/$name"
  done
  succeeds --nodes 2 --wait
  [ "$(cat "$out/job/n2-32M.state")" = "done" ]
}

@test "Torque is recognized by its version, also if PBS is requested, and gets requests in its format" {
  rm -r "$pbs_bin"
  with_torque
  succeeds --scheduler pbs --nodes 3 --wait
  grep -qx '#PBS -l nodes=3:ppn=4' "$out/job/n3-32M.sh"
  logged '^qsub -h -j oe -o n3-32M.out .*/n3-32M.sh$'
  echo 3 >"$FAKE/status"
  servet_job --nodes 2 --wait
  [ "$status" -eq 1 ]
  said '*n2-32M (job 2.h0) failed with status 3*'
  rm "$FAKE/status"
  touch "$FAKE/stay"
  begins --nodes 2 --wait
  eventually grep -q '^measuring' "$out/job/n2-32M.log"
  echo 'F 271' >"$FAKE/kill.3"
  status=0
  wait "$waiter" || status=$?
  [ "$status" -eq 1 ]
  waiter_says '(job 3.h0) was terminated (deleted)'
}
