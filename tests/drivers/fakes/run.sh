#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How the fake batch systems run a job: run.sh SYSTEM ID, in a session of its own. Folder $FAKE/jobs/ID has
# script, nodes, after (a job to wait for, or empty), output, folder (to start in), and the state this
# writes. It waits while $FAKE/hold exists, whose line is its state, and for the other job. Once $FAKE/kill.ID
# exists it is killed, without a chance to say anything, and gets the line in that file as its state.
set -u
system=$1
id=$2
here=$FAKE/jobs/$id

become() {
  echo "$*" >"$here/state.new"
  mv "$here/state.new" "$here/state"
}

if_killed() {
  [ -e "$FAKE/kill.$id" ]
}

is_over() {
  case $(cat "$FAKE/jobs/$1/state") in
  PENDING* | RUNNING* | Q* | H* | R*) return 1 ;;
  esac
}

nodes_of() {
  seq -f 'h%g' "$(cat "$here/nodes")"
}

# Slurm passes the environment on and starts in the folder of sbatch.
start_slurm() {
  cd "$(cat "$here/folder")" || exit 1
  SLURM_JOB_ID=$id SLURM_JOB_NODELIST=$(nodes_of | paste -sd ,) SLURM_JOB_NUM_NODES=$(cat "$here/nodes") \
    exec setsid "$here/script"
}

# PBS does neither, and nobody else may read what is written.
start_pbs() {
  nodes_of | sed p >"$here/nodefile"
  umask 077
  cd "$HOME" || exit 1
  exec env -i HOME="$HOME" PATH=/usr/bin:/bin FAKE="$FAKE" PBS_JOBID="$id.pbs" PBS_NODEFILE="$here/nodefile" \
    OMP_NUM_THREADS=2 TMPDIR=/tmp setsid "$here/script"
}

ended_slurm() {
  if [ "$1" -eq 0 ]; then
    echo COMPLETED None
  else
    echo FAILED NonZeroExitCode
  fi
}

ended_pbs() {
  echo "F $1"
}

while [ -e "$FAKE/hold" ] || { after=$(cat "$here/after") && [ -n "$after" ] && ! is_over "$after"; }; do
  [ ! -e "$FAKE/hold" ] || become "$(cat "$FAKE/hold")"
  if if_killed; then
    become "$(cat "$FAKE/kill.$id")"
    exit
  fi
  sleep 0.1
done
case $system in
slurm) become RUNNING None ;;
pbs) become R ;;
esac
chmod +x "$here/script"
output=$(cat "$here/output")
("start_$system") >"$output" 2>&1 </dev/null &
child=$!
while kill -0 "$child" 2>/dev/null; do
  if if_killed; then
    kill -s KILL -- "-$child"
    become "$(cat "$FAKE/kill.$id")"
    exit
  fi
  sleep 0.1
done
status=0
wait "$child" || status=$?
become "$("ended_$system" "$status")"
