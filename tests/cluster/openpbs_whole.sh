#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The whole way under a real OpenPBS, from installing Servet to a program that is placed by it. About a minute.
# All nodes are alike, as those of a cluster: each has the first core.
# shellcheck disable=SC2034 # for pbs.sh
pbs_cores=$(sed -n 's/^Cpus_allowed_list:[[:blank:]]*\([0-9]*\).*/\1/p' /proc/self/status)
# shellcheck source=tests/cluster/openpbs_common.sh
. "$1/tests/cluster/openpbs_common.sh"
# shellcheck source=tests/cluster/whole.sh
. "$cluster_tools/whole.sh"
reason=$(whole_lacks)
[ -z "$reason" ] || { echo "1..0 # SKIP $reason" && exit 0; }
# shellcheck disable=SC2034 # for whole.sh
user_owns=$user

whole_install
whole_measure
whole_program

# This Open MPI does not know PBS: share/doc/cluster.md says what it needs.
# shellcheck disable=SC2016 # text of the job
knows_hosts='sed "s/\$/ slots=1/" hosts >slots
printf "%s\n" "#!/bin/sh" "host=\$1" shift "exec '"$pbs_exec"'/bin/pbs_tmrsh \"\$host\" /bin/sh -c \"\$*\"" >agent
chmod 700 agent
export OMPI_MCA_orte_default_hostfile=$PWD/slots OMPI_MCA_plm_rsh_agent=$PWD/agent OMPI_MCA_plm_rsh_no_tree_spawn=1 \
  OMPI_MCA_orte_leave_session_attached=1'
{
  cat <<END
#!/bin/sh
#PBS -N placed
#PBS -l select=2:ncpus=1:mpiprocs=1 -l place=scatter:excl
#PBS -l walltime=0:2:0
END
  # shellcheck disable=SC2016 # expanded in the job
  whole_job 'sort -u "$PBS_NODEFILE"' "$knows_hosts"
} >program.sh
pbs qsub -f "$PWD/program.sh" >/dev/null
ok "the job that runs the placed program ends" wait_until 60 grep status where.out
whole_check
done_testing
