# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# The beginning of all tests of servet-job on a virtual cluster with Slurm: six hosts, where users call it on h0. Usage
# of each: TEST.sh SOURCE_ROOT BUILD_ROOT
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
# shellcheck source=tests/cluster/slurm.sh
. "$cluster_tools/slurm.sh"
# shellcheck source=tests/cluster/jobs.sh
. "$cluster_tools/jobs.sh"

for reason in "$(cluster_lacks)" "$(cluster_lacks_mpi)" "$(slurm_lacks)"; do
  [ -z "$reason" ] || { echo "1..0 # SKIP $reason" && exit 0; }
done
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'cluster_end; rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM PIPE
export HOME="$folder/home" SERVET_POLL=0.5 shell=sh
unset XDG_DATA_HOME XDG_STATE_HOME SERVET_PROFILE
mkdir "$HOME" "$folder/work"
cd "$folder/work"

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
  on_login $shell "${servet_job:-$build/drivers/servet-job}" "$@"
}

# The end of a job as Slurm reports it.
end_of() {
  in_host h0 scontrol -o show job "$1" | sed 's/.* JobState=\([A-Z_]*\) .*/\1/'
}
