# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# One measurement of a cluster at a time: two would disturb each other. A lock says who measures; it
# holds as long as one of the jobs it names has not ended, so that nobody need remove it.
# shellcheck disable=SC2154 # settings come from choose.sh

locks_stay=''
output_lock=''
cluster_lock=''

# What a lock says: scheduler, jobs as ID:RUN, and the output folder, which may be of several lines.
lock_text() {
  say "$lock_scheduler"
  say "$lock_jobs"
  say "$opt_output"
}

# One in the output folder, for two names, and one for the cluster, for two folders.
take_locks() {
  lock_scheduler=$local_scheduler
  lock_jobs=$$@$(uname -n):none
  cluster_locks=${XDG_STATE_HOME:-${HOME-}/.local/state}/servet
  mkdir -p -- "$job" 2>/dev/null || die "cannot create the folder $job"
  mkdir -p -- "$cluster_locks" 2>/dev/null || die "cannot create the folder $cluster_locks"
  take_lock "$job/lock"
  output_lock=$job/lock
  take_lock "$cluster_locks/$opt_name.lock"
  cluster_lock=$cluster_locks/$opt_name.lock
}

# A link is made or not, whoever else tries, and never half written.
take_lock() {
  lock=$1
  misses=0
  write_file "$lock.$$" lock_text
  until ln -- "$lock.$$" "$lock" 2>/dev/null; do
    refuse_live_lock
    drop_stale_lock
  done
  rm -f -- "$lock.$$"
}

refuse_live_lock() {
  if ! holder=$(cat -- "$lock" 2>/dev/null); then
    misses=$((misses + 1))
    [ "$misses" -gt 3 ] || return 0
    rm -f -- "$lock.$$"
    die "cannot create the lock $lock"
  fi
  if live=$(live_job "$holder"); then
    rm -f -- "$lock.$$"
    die "the cluster '$opt_name' is already being measured: job $live, output in" \
      "$(say "$holder" | sed 1,2d)"
  fi
}

# Somebody may have been faster, and the lock be gone or a new one.
drop_stale_lock() {
  mv -- "$lock" "$lock.$$.old" 2>/dev/null || return 0
  [ "$(cat -- "$lock.$$.old")" = "$holder" ] || ln -- "$lock.$$.old" "$lock" 2>/dev/null || :
  rm -f -- "$lock.$$.old"
}

# The first job of a lock's text that has not ended. A scheduler that cannot be asked does not say so.
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

# Job $1 of run $2 is one of those that hold the locks.
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

# Locks of jobs that have not ended stay.
give_locks_back() {
  [ -z "$locks_stay" ] || return 0
  [ -z "$output_lock" ] || rm -f -- "$output_lock"
  [ -z "$cluster_lock" ] || rm -f -- "$cluster_lock"
}
