/* SPDX-License-Identifier: BSD-3-Clause */
/* CPU quotas of control groups, from files as kernels and container engines leave them. */
#include "test.h"

#include "core/quota.h"
#include "folder.h"

static const char version_2[] =
    "22 1 0:21 / /proc rw - proc proc rw\n"
    "30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";

TEST_EACH(make_folder, remove_folder)

TEST(a_job_has_its_own)
{
    put_file("proc/self/cgroup", "0::/slurm/job_12/step_0\n");
    put_file("proc/self/mountinfo", version_2);
    put_file("sys/fs/cgroup/slurm/job_12/step_0/cpu.max", "max 100000\n");
    put_file("sys/fs/cgroup/slurm/job_12/cpu.max", "250000 100000\n");
    put_file("sys/fs/cgroup/slurm/cpu.max", "1600000 100000\n");
    assert_true(srv_cpu_quota(folder) == 2.5);
}

/* A container sees its own group as the root, and has it mounted there. */
TEST(a_container_sees_no_groups_above)
{
    put_file("proc/self/cgroup", "0::/\n");
    put_file("proc/self/mountinfo", version_2);
    put_file("sys/fs/cgroup/cpu.max", "50000 100000\n");
    assert_true(srv_cpu_quota(folder) == 0.5);
}

TEST(version_1_has_a_hierarchy_for_cpus)
{
    put_file("proc/self/cgroup", "5:cpuset:/other\n4:cpu,cpuacct:/docker/3f\n0::/\n");
    put_file(
        "proc/self/mountinfo",
        "40 25 0:30 /docker/3f /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
        "41 25 0:31 /docker/3f /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n");
    put_file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "300000\n");
    put_file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    assert_true(srv_cpu_quota(folder) == 3);
    put_file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    assert_true(isinf(srv_cpu_quota(folder)));
}

TEST(without_groups_there_is_no_quota)
{
    assert_true(isinf(srv_cpu_quota(folder)));
    put_file("proc/self/cgroup", "0::/a\n");
    put_file("proc/self/mountinfo", version_2);
    assert_true(isinf(srv_cpu_quota(folder)));
    put_file("sys/fs/cgroup/a/cpu.max", "nonsense\n");
    assert_true(isinf(srv_cpu_quota(folder)));
}
