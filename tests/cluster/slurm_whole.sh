#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The whole way under a real Slurm, from installing Servet to a program that is placed by it. About a minute.
# All nodes are alike, as those of a cluster: each has the first core.
# shellcheck disable=SC2034 # for slurm.sh
slurm_cores=$(sed -n 's/^Cpus_allowed_list:[[:blank:]]*\([0-9]*\).*/\1/p' /proc/self/status)
# shellcheck source=tests/cluster/slurm_common.sh
. "$1/tests/cluster/slurm_common.sh"
# shellcheck source=tests/cluster/whole.sh
. "$cluster_tools/whole.sh"
reason=$(whole_lacks)
[ -z "$reason" ] || { echo "1..0 # SKIP $reason" && exit 0; }
# shellcheck disable=SC2034 # for whole.sh
user_owns=root began=$(date +%s)

whole_install
whole_measure
whole_program
{
  cat <<END
#!/bin/sh
#SBATCH --nodes=2 --exclusive --time=2
END
  # shellcheck disable=SC2016 # expanded in the job
  whole_job 'scontrol show hostnames "$SLURM_JOB_NODELIST"' ''
} >program.sh
run on_login sbatch program.sh
ok "the job that runs the placed program ends" wait_until 60 grep status where.out
whole_check
done_testing
