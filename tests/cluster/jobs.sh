# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Common parts of the tests of servet-job on any batch system: calling it in the background as `servet_job`, its jobs,
# and their remnants. $folder is the test's own.
# shellcheck disable=SC2154 # of the readers

# Even where this test is killed no daemon, mount or namespace of it stays.
guard() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  setsid sh -c '
    cluster_tools=$1
    . "$cluster_tools/hosts.sh"
    while [ -d "$SERVET_CLUSTER" ] && [ -e "/proc/$2" ]; do sleep 1; done
    cluster_sweep
    rm -rf "$3"' sh "$cluster_tools" $$ "$folder" </dev/null >/dev/null 2>&1 3>&- &
}

# begin NAME WORD...: in the background; what it prints goes to files of that name.
begin() {
  called=$1
  shift
  servet_job "$@" >"$folder/$called.out" 2>"$folder/$called.err" </dev/null &
}

# end NAME STATUS: the one that was begun last ends so.
end() {
  status=0
  wait $! || status=$?
  same "$1: status" "$status" "$2"
  [ "$status" -eq "$2" ] || sed 's/^/# /' "$folder/$1.err"
}

# says NAME PATTERN: on stderr.
says() {
  holds "$1: $2" "$(cat "$folder/$1.err")" "*$2*"
}

# get KEY FOLDER
get() {
  "$build/servet" get "$1" "$2/profile.json"
}

# --- jobs -----------------------------------------------------------------------------------------

# The results of run $2 of output $1 until now.
progress_of() {
  echo "$1/runs/$2"/unfinished-*/progress.json
}

knows_layers() {
  "$build/servet" get layers.1.latency_us "$(progress_of "$@")"
}

# The number of the job of run $2 of output $1.
job_of() {
  cat "$1/job/$2.id"
}

# stop_ranks HOST: they stand still until they are killed.
stop_ranks() {
  # shellcheck disable=SC2046 # numbers
  kill -s STOP $(ip netns pids "$(namespace_of "$1")" | xargs ps -o pid=,comm= -p | awk '/servet-mpi/ { print $1 }')
}

# Is true if nothing of a job is left on a host.
is_quiet() {
  ! ip netns pids "$(namespace_of "$1")" | xargs -r ps -o args= -p | grep -e servet-mpi -e orted -e mpirun -e slurmstepd
}
