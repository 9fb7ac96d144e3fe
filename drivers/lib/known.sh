# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Lists the schedulers and launchers. Each is a file scheduler-NAME.sh or launcher-NAME.sh beside this
# one. scheduler-local.sh and launcher-none.sh describe the functions of such a file.

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

# Puts name $name of rank $rank into $ranked, RANK:NAME in ascending order.
insert_name() {
  before='' behind=''
  for entry in $ranked; do
    if [ "${entry%%:*}" -le "$rank" ]; then
      before="$before $entry"
    else
      behind="$behind $entry"
    fi
  done
  ranked="$before $rank:$name$behind"
}

# Sets $names to the names of kind $1 that have a rank, the lowest first.
find_names() {
  ranked='' names=''
  for file in "$lib/$1"-*.sh; do
    name=${file##*/"$1"-}
    name=${name%.sh}
    rank=''
    "load_$1" "$name"
    "$1_rank"
    [ -z "$rank" ] || insert_name
  done
  for entry in $ranked; do
    names="${names:+$names }${entry#*:}"
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
