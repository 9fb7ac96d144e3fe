# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# The beginning of all tests of servet-job on a virtual cluster with OpenPBS: four nodes h1 to h4, and an ordinary user
# who calls it on h0. Usage of each: TEST.sh SOURCE_ROOT BUILD_ROOT, which everybody must be able to read
set -eu
root=$1 build=$2
# shellcheck source=tests/tap.sh
. "$root/tests/tap.sh"
# shellcheck source=tests/processes.sh
. "$root/tests/processes.sh"
cluster_tools=$root/tests/cluster
# shellcheck source=tests/cluster/hosts.sh
. "$cluster_tools/hosts.sh"
# shellcheck source=tests/cluster/links.sh
. "$cluster_tools/links.sh"
# shellcheck source=tests/cluster/pbs.sh
. "$cluster_tools/pbs.sh"
# shellcheck source=tests/cluster/jobs.sh
. "$cluster_tools/jobs.sh"

for reason in "$(cluster_lacks)" "$(cluster_lacks_mpi)" "$(pbs_lacks)"; do
  [ -z "$reason" ] || { echo "1..0 # SKIP $reason" && exit 0; }
done

# Jobs of root are refused, and begin in the user's home.
user=servet-test
# Another test may add the user at the same time.
getent passwd "$user" >/dev/null || useradd --no-create-home --home-dir /var/lib/servet-test --shell /bin/bash "$user" ||
  getent passwd "$user" >/dev/null
home=$(getent passwd "$user" | cut -d : -f 6)
folder=$home/test.$$
trap 'cluster_end; rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM PIPE
mkdir -p "$folder/work" "$folder/home"
chown "$user" "$home" "$folder" "$folder"/*
cd "$folder/work"
runuser -u "$user" -- test -r "$build/drivers/servet-job" || {
  echo "1..0 # SKIP the user $user cannot read $build"
  exit 0
}
# shellcheck disable=SC2034 # for the tests
began=$(date +%s)

# shellcheck disable=SC2119 # its name
cluster_begin
guard
cluster_hosts 5
cluster_star 400mbit
pbs_begin >/dev/null 2>&1
number=0

# on_login COMMAND...: as the user does, whose PATH does not lead to PBS; ends within three minutes.
on_login() {
  in_host h0 runuser -u "$user" -- env -i HOME="$folder/home" USER="$user" LOGNAME="$user" SHELL=/bin/bash \
    PATH=/usr/local/bin:/usr/bin:/bin SERVET_POLL=1 OMPI_MCA_mpi_yield_when_idle=1 timeout -k 5 180 "$@"
}

# servet_job WORD...
servet_job() {
  on_login sh "${servet_job:-$build/drivers/servet-job}" "$@"
}

# pbs COMMAND WORD...
pbs() {
  command=$1
  shift
  on_login "$pbs_exec/bin/$command" "$@"
}

# Is true if the server has forgotten a job.
forgotten() {
  ! pbs qstat "$1"
}
