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

job_is() {
  [[ $(cat "$FAKE/jobs/$1/state") == "$2"* ]]
}

@test "submit, and be gone" {
  succeeds --nodes 2 --tasks-per-node 2
  [ "$output" = "job 1.h0 submitted: n2-32M, output in $out" ]
  eventually job_is 1 'F 0'
  [ "$(cat "$out/job/n2-32M.state")" = "done" ]
  grep -qx 'job 1.pbs on h1 h2 ' "$out/job/n2-32M.log"
  logged '^qsub -f n2-32M.sh$'
}

@test "all CPUs: as many as so many nodes have" {
  succeeds --nodes 2 --dry-run
  [[ $output == *'-l select=2:ncpus=8:mpiprocs=8'*'place=scatter:excl'* ]]
  succeeds --nodes 3 --dry-run
  [[ $output == *'-l select=3:ncpus=4:mpiprocs=4'* ]]
}

@test "what can never run is not submitted, for qsub would take it" {
  fails 1 '*--nodes: 3 were asked for, and 2 of 4 usable nodes have 8 or more CPUs' --nodes 3 --tasks-per-node 8
  fails 1 '*--nodes: 5 were asked for, and 4 of 4 usable nodes*' --nodes 2,5
  [ "$(grep -c ^qsub "$FAKE/log")" -eq 0 ]
  [ ! -e "$out/job/lock" ]
}

@test "where pbsnodes does not tell, a job that can never run is withdrawn" {
  rm "$bin/pbsnodes"
  servet_job --nodes 5 --tasks-per-node 1 --wait
  [ "$status" -eq 1 ]
  said '*n5-32M (job 1.h0) can never run and was withdrawn (Can Never Run: Not enough total nodes available)*'
  logged '^qdel 1.h0$'
}

@test "a hostfile for an MPI library that does not know PBS, and PBS's remote shell" {
  succeeds --nodes 2 --tasks-per-node 3 --wait
  logged '^mpirun -n 6 --map-by ppr:3:node --bind-to none --hostfile n2-32M.hosts .*/servet-mpi measure'
  [ "$(paste -sd , "$out/job/n2-32M.hosts")" = 'h1 slots=3,h2 slots=3' ]
  printf '#!/bin/sh\necho "on $*"\n' >"$bin/pbs_tmrsh"
  chmod +x "$bin/pbs_tmrsh"
  succeeds --nodes 2 --tasks-per-node 3 --wait
  logged ' --hostfile n2-32M.hosts --mca plm_rsh_agent /tmp/servet-agent.[0-9]* --mca plm_rsh_no_tree_spawn 1 '
  local agent
  agent=$(grep -o '/tmp/servet-agent\.[0-9]*' "$FAKE/log")
  [ "$("$agent" h2 echo '"a  b"')" = 'on h2 /bin/sh -c echo "a  b"' ]
  rm "$agent"
  printf '#!/bin/sh\necho " MCA plm: tm (MCA v2.1.0)"\n' >"$bin/ompi_info"
  chmod +x "$bin/ompi_info"
  succeeds --nodes 2 --tasks-per-node 3 --wait
  [[ $(grep '^mpirun -n' "$FAKE/log" | tail -n 1) != *--hostfile* ]]
}

@test "others may read what the jobs write" {
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

@test "ends, with and without history: time limit, node lost, deleted" {
  local history row
  for history in no yes; do
    [ $history = no ] || touch "$FAKE/history"
    while read -r row; do
      rm -rf "$FAKE/jobs" "$FAKE"/kill.* "$out"
      touch "$FAKE/stay"
      begins --nodes 2 --wait
      eventually grep -q running "$out/job/n2-32M.state"
      echo "F ${row%% *}" >"$FAKE/kill.1"
      status=0
      wait "$waiter" || status=$?
      [ "$status" -eq 1 ]
      rm "$FAKE/stay"
      if [ $history = yes ]; then
        waiter_says "n2-32M (job 1.h0) was ended from outside (${row#* })"
      else
        waiter_says "n2-32M (job 1.h0) was ended from outside (and forgotten)"
      fi
    done <<'END'
-29 time limit
-20 node lost
271 deleted
END
  done
  succeeds --resume --wait
  grep -qx '32M,resumed' "$out/profile.json"
}

@test "a server that is away for a while ends nothing" {
  touch "$FAKE/stay"
  begins --nodes 2 --wait
  eventually waiter_says 'n2-32M): running'
  touch "$FAKE/down"
  eventually waiter_says 'n2-32M): unknown'
  rm "$FAKE/down" "$FAKE/stay"
  wait "$waiter"
}

@test "one after the other, and the last installs" {
  touch "$FAKE/stay"
  succeeds --nodes 1,2 --message-size 1M,2M --install --prefix "$root/pre fix"
  eventually job_is 1 R
  job_is 2 Q
  rm "$FAKE/stay"
  eventually job_is 4 'F 0'
  logged '^qsub -f -W depend=afterany:3.h0 n2-2M.sh$'
  [ "$(grep -c new "$root/pre fix/share/servet/triton/profile.json")" -eq 4 ]
  [ "$(stat -c %a "$root/pre fix/share/servet/triton/profile.json")" = 644 ]
}

@test "the last job does not install half a measurement" {
  touch "$FAKE/stay"
  succeeds --nodes 1,2 --install --prefix "$root/pre fix"
  eventually grep -q running "$out/job/n1-32M.state"
  echo 'F -29' >"$FAKE/kill.1"
  eventually job_is 1 'F -29'
  rm "$FAKE/stay"
  eventually job_is 2 'F 1'
  grep -q 'n1-32M has not been measured' "$out/job/n2-32M.log"
  [ ! -e "$root/pre fix" ]
}

@test "what qsub refuses is said in one line" {
  fails 1 '*n2-32M was not submitted: qsub: Unknown queue*' --nodes 2 --queue nosuch
  fails 1 '*n2-32M was not submitted: qsub: Unknown resource: color*' --nodes 2 --constraint color=red
  fails 1 '*n2-32M was not submitted: qsub: directive error*' --nodes 2 --extra '# no comment'
}

@test "two at once: the second is refused with the job of the first" {
  touch "$FAKE/stay"
  succeeds --nodes 2
  fails 1 "*the cluster 'triton' is being measured already: job 1.h0, output in $out" --nodes 2 --output elsewhere
  touch "$FAKE/down"
  fails 1 "*is being measured already: job 1.h0, *" --nodes 2 --scheduler pbs --output elsewhere
  rm "$FAKE/stay" "$FAKE/down"
  eventually job_is 1 F
  succeeds --nodes 2 --output elsewhere
}

@test "inside a job: at once" {
  printf 'h1\nh1\nh2\nh2\n' >"$root/nodefile"
  PBS_JOBID=7.h0 PBS_NODEFILE=$root/nodefile succeeds --scheduler pbs --tasks-per-node 2
  grep -qx 'job 7.h0 on h1 h2 ' "$out/job/n2-32M.log"
  [ "$(grep -c ^qsub "$FAKE/log")" -eq 0 ]
}

@test "PBS's own folder counts before PATH" {
  mkdir -p "$root/pbs/bin"
  mv "$bin/qsub" "$bin/qstat" "$bin/pbsnodes" "$bin/qdel" "$root/pbs/bin/"
  echo "PBS_EXEC=$root/pbs" >"$PBS_CONF_FILE"
  local name
  for name in qsub qstat pbsnodes qdel; do
    printf '#!/bin/sh\necho "Unknown option: version" >&2\nexit 2\n' >"$bin/$name"
    chmod +x "$bin/$name"
  done
  succeeds --nodes 2 --wait
  [ "$(cat "$out/job/n2-32M.state")" = "done" ]
}

@test "Torque: found by its version, also where PBS is asked for; old requests" {
  export FAKE_PBS=torque
  succeeds --scheduler pbs --nodes 3 --wait
  grep -qx '#PBS -l nodes=3:ppn=4' "$out/job/n3-32M.sh"
  logged '^qsub -j oe -o n3-32M.out n3-32M.sh$'
  echo 3 >"$FAKE/status"
  servet_job --nodes 2 --wait
  [ "$status" -eq 1 ]
  said '*n2-32M (job 2.h0) failed with status 3*'
  rm "$FAKE/status"
  touch "$FAKE/stay"
  begins --nodes 2 --wait
  eventually grep -q running "$out/job/n2-32M.state"
  echo 'F 271' >"$FAKE/kill.3"
  status=0
  wait "$waiter" || status=$?
  [ "$status" -eq 1 ]
  waiter_says '(job 3.h0) was ended from outside (deleted)'
}
