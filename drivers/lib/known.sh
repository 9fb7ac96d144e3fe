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

# The names of kind $1 that have a rank, the lowest first.
names_of() {
  for file in "$lib/$1"-*.sh; do
    name=${file##*/"$1"-}
    name=${name%.sh}
    ("load_$1" "$name" && say "$("$1_rank") $name")
  done | awk 'NF == 2' | sort -n | cut -d ' ' -f 2 | paste -s -d ' ' -
}

schedulers=$(names_of scheduler)
launchers=$(names_of launcher)

# Succeeds if word $1 is one of the following words.
is_one_of() {
  wanted=$1
  shift
  for word; do
    [ "$word" != "$wanted" ] || return 0
  done
  return 1
}

# Joins words: "a, b or c".
alternatives() {
  text=$1
  while [ $# -gt 2 ]; do
    shift
    text="$text, $1"
  done
  say "$text or $2"
}

# shellcheck disable=SC2086 # names
scheduler_words=$(alternatives auto $schedulers)
# shellcheck disable=SC2086 # names
launcher_words=$(alternatives auto $launchers)
