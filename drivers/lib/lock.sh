# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Allows one measurement of a cluster at a time: two would disturb each other. A lock names the jobs that measure. It is
# valid until all of them have ended, so that nobody has to remove it.

locks_stay=''
output_lock=''
cluster_lock=''

# The text of a lock: scheduler, jobs as ID:RUN, and the output folder, which may have several lines.
lock_text() {
  say "$lock_scheduler"
  say "$lock_jobs"
  say "$opt_output"
}

# Takes two locks: the one in the output folder refuses a measurement under another name, the one of the cluster refuses
# a measurement into another folder.
take_locks() {
  lock_scheduler=$local_scheduler
  lock_jobs=$$@$(uname -n):none
  cluster_locks=${XDG_STATE_HOME:-${HOME-}/.local/state}/servet
  for folder in "$job" "$cluster_locks"; do
    reason=$(mkdir -p -- "$folder" 2>&1) || die "cannot create the folder $folder: $(of_tool "${folder%/*}" "$reason")"
  done
  take_lock "$job/lock"
  output_lock=$job/lock
  take_lock "$cluster_locks/$opt_name.lock"
  cluster_lock=$cluster_locks/$opt_name.lock
}

# Creates the lock as a link: that is atomic, even if several processes try.
take_lock() {
  lock=$1
  mine=$lock.$(uname -n).$$
  misses=0
  sweep_dead "${mine%."$$"}"
  write_file "$mine" lock_text
  until ln -- "$mine" "$lock" 2>/dev/null; do
    if refuse_live_lock; then
      drop_stale_lock
    fi
  done
  discard "$mine"
}

# Exits if the lock holds; fails if the lock cannot be read.
refuse_live_lock() {
  if ! holder=$(cat -- "$lock" 2>/dev/null); then
    miss
    return 1
  fi
  if live=$(live_job "$holder"); then
    discard "$mine"
    die "the cluster '$opt_name' is already being measured: job $live, output in" \
      "$(say "$holder" | sed 1,2d)"
  fi
}

# Called if the lock exists, but cannot be read or moved: perhaps another process has just removed or replaced it. Exits
# if that happens more than 3 times.
miss() {
  misses=$((misses + 1))
  [ "$misses" -gt 3 ] || return 0
  discard "$mine"
  die "cannot create the lock $lock: $(why_not "${lock%/*}")"
}

drop_stale_lock() {
  mv -- "$lock" "$mine.old" 2>/dev/null || {
    miss
    return
  }
  [ "$(cat -- "$mine.old" 2>/dev/null)" = "$holder" ] || ln -- "$mine.old" "$lock" 2>/dev/null || :
  discard "$mine.old"
}

# Prints the first job in the text of a lock that has not ended. If a scheduler does not respond, its jobs count as
# not ended.
live_job() {
  folder=$(say "$1" | sed 1,2d)/job
  scheduler=$(say "$1" | sed -n 1p)
  [ -f "$lib/scheduler-$scheduler.sh" ] || return 1
  load_scheduler "$scheduler"
  for entry in $(say "$1" | sed -n 2p); do
    case $(cat -- "$folder/${entry##*:}.state" 2>/dev/null) in
    done | failed* | ended*) continue ;;
    esac
    case $(scheduler_state "${entry%:*}") in
    ended*) ;;
    *)
      say "${entry%:*}"
      return
      ;;
    esac
  done
  return 1
}

# Adds job $1 of run $2 to the locks.
add_to_locks() {
  if [ "$locks_stay" ]; then
    lock_jobs="$lock_jobs $1:$2"
  else
    lock_scheduler=$submitted_to
    lock_jobs=$1:$2
    locks_stay=yes
  fi
  write_file "$output_lock" lock_text
  write_file "$cluster_lock" lock_text
}

# Removes the locks, unless submitted jobs hold them.
give_locks_back() {
  [ -z "$locks_stay" ] || return 0
  [ -z "$output_lock" ] || discard "$output_lock"
  [ -z "$cluster_lock" ] || discard "$cluster_lock"
}
