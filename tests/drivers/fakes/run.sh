#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How the fake batch systems run a job: run.sh SYSTEM ID, in a session of its own. Folder $FAKE/jobs/ID has
# script, nodes, after (a job to wait for, or empty), output, folder (to start in), and the state this
# writes. It waits while $FAKE/hold exists, whose line is its state, while held exists, and for the other job. Once
# $FAKE/kill.ID exists it is killed and gets the line in that file as its state: under Slurm without a chance to say
# anything, under PBS with one, except where its node is lost.
set -u
system=$1
id=$2
here=$FAKE/jobs/$id

become() {
  echo "$*" >"$here/state.new"
  mv "$here/state.new" "$here/state"
}

# A file that a test writes or removes meanwhile is not read before it is whole.
if_killed() {
  [ -s "$FAKE/kill.$id" ]
}

show_hold() {
  [ ! -e "$here/held" ] || return 0
  { read -r held <"$FAKE/hold"; } 2>/dev/null || return 0
  [ -z "$held" ] || become "$held"
}

is_over() {
  read -r state <"$FAKE/jobs/$1/state"
  case $state in
  PENDING* | RUNNING* | Q* | H* | R*) return 1 ;;
  esac
}

nodes_of() {
  # shellcheck disable=SC2046 # names
  if [ -e "$here/hosts" ]; then
    printf '%s\n' $(cat "$here/hosts")
  else
    seq -f 'h%g' "$(cat "$here/nodes")"
  fi
}

# While $FAKE/apart exists the nodes have a file system of their own, and its folder $FAKE/hosts/disk instead of the output.
set_apart() {
  [ -e "$FAKE/apart" ] || return 0
  sed "s|^output=.*|output='$FAKE/hosts/disk'|" "$here/script" >"$here/script.new"
  mv "$here/script.new" "$here/script"
}

# Slurm passes the environment on and starts in the folder of sbatch.
start_slurm() {
  cd "$(cat "$here/folder")" || exit 1
  SLURM_JOB_ID=$id SLURM_JOB_NODELIST=$(nodes_of | paste -sd ,) SLURM_JOB_NUM_NODES=$(cat "$here/nodes") \
    exec setsid "$here/script"
}

# PBS does neither, and nobody else may read what is written. A login shell starts the script, and may print.
start_pbs() {
  echo "welcome to h1"
  nodes_of | sed p >"$here/nodefile"
  first=$FAKE/hosts/$(nodes_of | head -n 1)/tmp
  mkdir -p "$first"
  umask 077
  cd "$HOME" || exit 1
  exec env -i HOME="$HOME" PATH=/usr/bin:/bin FAKE="$FAKE" FAKE_HOME="$FAKE_HOME" PBS_CONF_FILE="$PBS_CONF_FILE" \
    PBS_JOBID="$id.h0" PBS_NODEFILE="$here/nodefile" OMP_NUM_THREADS=2 TMPDIR="$first" setsid "$here/script"
}

# The job may not have its session yet.
await_session() {
  until kill -s 0 -- "-$child" 2>/dev/null || ! kill -0 "$child" 2>/dev/null; do
    sleep 0.05
  done
}

kill_slurm() {
  kill -s KILL -- "-$child"
}

# TERM to every process at once, and KILL to those that are there some seconds later.
kill_pbs() {
  case $(cat "$FAKE/kill.$id") in
  'F -29') echo '=>> PBS: job killed: walltime 77 exceeded limit 60' >>"$here/printed" ;;
  esac
  case $(cat "$FAKE/kill.$id") in
  'F -20') ;;
  *)
    kill -s TERM -- "-$child"
    for _ in $(seq 100); do
      kill -0 "$child" 2>/dev/null || break
      sleep 0.05
    done
    ;;
  esac
  kill -s KILL -- "-$child"
}

# PBS copies what was printed when the job has ended, for the user's eyes only unless told otherwise.
end_pbs() {
  become E
  sleep 0.1
  (umask "$(cat "$here/umask")" && rm -f "$output" && cat "$here/printed" >"$output")
}

end_slurm() {
  :
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

read -r after <"$here/after"
while [ -e "$FAKE/hold" ] || [ -e "$here/held" ] || { [ -n "$after" ] && ! is_over "$after"; }; do
  show_hold
  if if_killed; then
    become "$(cat "$FAKE/kill.$id")"
    exit
  fi
  sleep 0.05
done
case $system in
slurm) become RUNNING None ;;
pbs) become R ;;
esac
set_apart
chmod +x "$here/script"
output=$(cat "$here/output")
case $system in
slurm) [ -e "$FAKE/apart" ] && printed=/dev/null || printed=$output ;;
pbs) printed=$here/printed ;;
esac
("start_$system") >"$printed" 2>&1 </dev/null &
child=$!
while kill -0 "$child" 2>/dev/null; do
  if if_killed; then
    await_session
    "kill_$system" 2>/dev/null
    "end_$system"
    become "$(cat "$FAKE/kill.$id")"
    exit
  fi
  sleep 0.05
done
status=0
wait "$child" || status=$?
"end_$system"
become "$("ended_$system" "$status")"
