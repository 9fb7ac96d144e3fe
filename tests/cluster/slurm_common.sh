# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What all tests of servet-job on a virtual cluster with Slurm begin with: six hosts, where users call it on
# h0. Usage of each: TEST.sh SOURCE_ROOT BUILD_ROOT
set -eu
root=$1 build=$2
# shellcheck source=tests/tap.sh
. "$root/tests/tap.sh"
cluster_tools=$root/tests/cluster
# shellcheck source=tests/cluster/hosts.sh
. "$cluster_tools/hosts.sh"
# shellcheck source=tests/cluster/links.sh
. "$cluster_tools/links.sh"
# shellcheck source=tests/cluster/slurm.sh
. "$cluster_tools/slurm.sh"

for reason in "$(cluster_lacks)" "$(cluster_lacks_mpi)" "$(slurm_lacks)"; do
  [ -z "$reason" ] || { echo "1..0 # SKIP $reason" && exit 0; }
done
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'cluster_end; rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
export HOME="$folder/home" SERVET_POLL=0.5 shell=sh
unset XDG_DATA_HOME XDG_STATE_HOME SERVET_PROFILE
mkdir "$HOME" "$folder/work"
cd "$folder/work"

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

# Ranks share cores and give way while they wait.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
# shellcheck disable=SC2119 # its name
cluster_begin
guard
cluster_hosts 6
cluster_star 400mbit
slurm_begin
number=0

# --- calling servet-job ---------------------------------------------------------------------------

# on_login COMMAND...: as a user does; ends within four minutes.
on_login() {
  in_host h0 timeout -k 5 240 "$@"
}

# servet_job WORD...
servet_job() {
  # shellcheck disable=SC2086 # "busybox sh" is two words
  on_login $shell "$build/drivers/servet-job" "$@"
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

# await SECONDS COMMAND...: until it succeeds.
await() {
  tries=$(($1 * 5))
  shift
  until "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 0.2
  done
}

# What run $2 of output $1 has found out until now.
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

# What Slurm says became of a job.
end_of() {
  in_host h0 scontrol -o show job "$1" | sed 's/.* JobState=\([A-Z_]*\) .*/\1/'
}

# Whether nothing of a job is left on a host.
is_quiet() {
  ! ip netns pids "$(namespace_of "$1")" | xargs -r ps -o args= -p | grep -e servet-mpi -e orted -e mpirun -e slurmstepd
}
