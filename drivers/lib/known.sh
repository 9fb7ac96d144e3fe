# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Lists the schedulers and launchers. Each is a file scheduler-NAME.sh or launcher-NAME.sh beside this
# one. scheduler-local.sh and launcher-none.sh describe the functions of such a file.
# shellcheck disable=SC2034,SC2154 # for the other files; lib comes from servet-job

# The scheduler of processes on this machine: of runs inside a job, and of servet-job itself, which may hold a lock.
local_scheduler=local

load_scheduler() {
  # shellcheck source=drivers/lib/scheduler-slurm.sh
  . "$lib/scheduler-$1.sh"
}

load_launcher() {
  # shellcheck source=drivers/lib/launcher-mpirun.sh
  . "$lib/launcher-$1.sh"
}

# Sets $names to the names of kind $1 that have a rank, the lowest first.
find_names() {
  ranked=''
  for file in "$lib/$1"-*.sh; do
    name=${file##*/"$1"-}
    name=${name%.sh}
    rank=''
    "load_$1" "$name"
    "$1_rank"
    [ -z "$rank" ] || ranked="$ranked $rank:$name"
  done
  names=''
  while [ -n "$ranked" ]; do
    first=''
    for entry in $ranked; do
      [ -n "$first" ] && [ "${entry%%:*}" -ge "${first%%:*}" ] || first=$entry
    done
    names="${names:+$names }${first#*:}"
    others=''
    for entry in $ranked; do
      [ "$entry" = "$first" ] || others="$others $entry"
    done
    ranked=$others
  done
}

find_names scheduler
schedulers=$names
find_names launcher
launchers=$names

# Succeeds if word $1 is one of the following words.
is_one_of() {
  wanted=$1
  shift
  for word; do
    [ "$word" != "$wanted" ] || return 0
  done
  return 1
}

# Sets $text to the joined words: "a, b or c".
alternatives() {
  text=$1
  while [ $# -gt 2 ]; do
    shift
    text="$text, $1"
  done
  text="$text or $2"
}

# shellcheck disable=SC2086 # names
alternatives auto $schedulers
scheduler_words=$text
# shellcheck disable=SC2086 # names
alternatives auto $launchers
launcher_words=$text
