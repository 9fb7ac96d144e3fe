#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet-job --status: what it says of each run and what to do next, under a fake of Slurm and without a batch system.
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

# says LINE...: --status prints these lines and nothing else, and changes no file.
says() {
  local before
  before=$(find "$out" -type f -exec md5sum {} + | sort)
  succeeds --status
  diff <(printf '%s\n' "$@") <(printf '%s\n' "$output")
  [ -z "$stderr" ]
  [ "$(find "$out" -type f -exec md5sum {} + | sort)" = "$before" ]
}

@test "without a measurement it says so" {
  fails 1 "*$out has no measurement *" --status
  mkdir -p "$out/job"
  fails 1 "*$out has no measurement *" --status
}

@test "it changes nothing: options that do are refused" {
  local option
  for option in --resume --install --wait --dry-run; do
    fails 2 '*--status changes nothing: *' --status "$option"
  done
}

@test "queued, running, finished and failed runs are listed, and missing results, and the next step" {
  local again="--output $out"
  echo 'PENDING Resources' >"$FAKE/hold"
  succeeds --nodes 2 --message-size 1M,2M,4M
  eventually job_is 1 'PENDING Resources'
  says 'n2-1M (job 1): queued: PENDING Resources' 'n2-2M (job 2): queued: PENDING Resources' \
    'n2-4M (job 3): queued: PENDING Resources' 'queued: n2-1M n2-2M n2-4M' \
    "missing in $out/profile.json: n2-1M n2-2M n2-4M" \
    "next: wait until the jobs have ended, then call servet-job --status $again again"
  touch "$FAKE/stay"
  rm "$FAKE/hold"
  eventually grep -q '^measuring' "$out/job/n2-1M.log" # and writes no more files
  says 'n2-1M (job 1): running on h1 h2' "n2-2M (job 2): queued: $(cat "$FAKE/jobs/2/state")" \
    "n2-4M (job 3): queued: $(cat "$FAKE/jobs/3/state")" 'queued: n2-2M n2-4M' 'running: n2-1M' \
    "missing in $out/profile.json: n2-1M n2-2M n2-4M" \
    "next: wait until the jobs have ended, then call servet-job --status $again again"
  touch "$FAKE/down"
  succeeds --status --scheduler slurm --name neptune
  [[ $output == 'n2-1M (job 1): unknown: the scheduler does not answer'*'next: try again when the scheduler answers' ]]
  rm "$FAKE/down"
  echo 'TIMEOUT None' >"$FAKE/kill.1"
  eventually job_is 2 RUNNING
  eventually grep -q ^measuring "$out/job/n2-2M.log"
  echo 3 >"$FAKE/status"
  rm "$FAKE/stay"
  eventually job_is 3 FAILED
  printf 'done\n' >"$out/job/n2-4M.state"
  says 'n2-1M (job 1): was terminated (TIMEOUT)' \
    "n2-2M (job 2): failed with status 3, see $out/job/n2-2M.log" 'n2-4M (job 3): finished' 'finished: n2-4M' \
    'failed: n2-1M n2-2M' "missing in $out/profile.json: n2-1M n2-2M" "next: servet-job --resume $again submits what is missing"
}

@test "once all runs are finished, the profile is to be installed if it is fit for use" {
  local prefix=$root/pre
  succeeds --nodes 2 --wait
  says 'n2-32M (job 1): finished' 'finished: n2-32M' "next: servet-job --install --output $out"
  echo 'not fit for use: noise of 40 %; measure again when the node is idle' >"$FAKE/unfit"
  says 'n2-32M (job 1): finished' 'finished: n2-32M' "next: $(cat "$FAKE/unfit")"
  rm "$FAKE/unfit"
  succeeds --install --prefix "$prefix"
  SERVET_PREFIX=$prefix says 'n2-32M (job 1): finished' 'finished: n2-32M' \
    "next: nothing; the profile is installed as $prefix/share/servet/neptune/profile.json"
}

@test "a job that can never run is to be ended" {
  echo 'PENDING PartitionTimeLimit' >"$FAKE/hold"
  succeeds --nodes 2
  eventually job_is 1 'PENDING PartitionTimeLimit'
  says 'n2-32M (job 1): can never run (PartitionTimeLimit): scancel 1 ends it' 'stuck: n2-32M' \
    "missing in $out/profile.json: n2-32M" \
    "next: end these jobs, then servet-job --resume --output $out with other options submits their runs"
}

@test "where the nodes do not share the folder, resuming is not the next step" {
  touch "$FAKE/apart"
  succeeds --nodes 2
  eventually job_is 1 FAILED
  succeeds --status
  [[ $output == "n2-32M (job 1): failed: node $(uname -n) does not see $out/job/n2-32M.first that job 1 wrote: "* ]]
  [[ $output == *$'\n'"next: the folder $out must be on a file system that all nodes share; pass --output" ]]
}

@test "runs of this machine are processes, also inside a job of a batch system" {
  touch "$FAKE/stay"
  SLURM_JOB_ID=77 SLURM_JOB_NODELIST=h1,h2 SLURM_JOB_NUM_NODES=2 begins
  eventually test -s "$out/job/n2-32M.nodes"
  succeeds --status
  [[ $output == "n2-32M (job "*"@$(uname -n)): running on h1 h2"$'\n'* ]]
  rm "$FAKE/stay"
  wait "$waiter"
}

@test "a run that was not submitted, and texts that a terminal would obey" {
  succeeds --nodes 2 --wait
  rm "$out/job/n2-32M.id" "$out/job/n2-32M.state"
  says 'n2-32M: not submitted' "missing in $out/profile.json: n2-32M" \
    "next: servet-job --resume --output $out submits what is missing"
  printf 'ended \033[2J\n' >"$out/job/n2-32M.state"
  succeeds --status
  [[ $output == 'n2-32M: was terminated (?[2J)'* ]]
}
