/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <float.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "folder.h"
#include "machine/hardware/memory.h"

static const double MIB = 1 << 20;
static char proc[96], cgroups[TEST_PATH_MAX];

/* Writes `text` to `path` in the folder, with the folders it needs. */
static void put(const char *path, const char *text)
{
    char full[TEST_PATH_MAX];
    snprintf(full, sizeof full, "%s/%s", folder, path);
    for (char *slash = strchr(full + strlen(folder) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *stream = fopen(full, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static int setup(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    snprintf(proc, sizeof proc, "%s/proc", folder);
    snprintf(cgroups, sizeof cgroups, "%s/cgroup", folder);
    put("proc/meminfo", "MemTotal:  8388608 kB\nMemAvailable:  4194304 kB\n");
    return 0;
}

TEST_EACH(setup, remove_folder)

TEST(what_the_system_has)
{
    assert_float_equal(srv_memory_available_in(proc, cgroups), 4096 * MIB, 1);
}

TEST(version_1_limit_less_usage)
{
    put("proc/self/cgroup", "4:cpu:/\n3:memory:/jobs/7\n");
    put("cgroup/memory/jobs/7/memory.limit_in_bytes", "536870912\n");
    put("cgroup/memory/jobs/7/memory.usage_in_bytes", "104857600\n");
    assert_float_equal(srv_memory_available_in(proc, cgroups), 412 * MIB, 1);
}

TEST(file_pages_do_not_count)
{
    put("proc/self/cgroup", "3:memory:/jobs/7\n");
    put("cgroup/memory/jobs/7/memory.limit_in_bytes", "536870912\n");
    put("cgroup/memory/jobs/7/memory.usage_in_bytes", "524288000\n");
    put("cgroup/memory/jobs/7/memory.stat", "cache 1\ntotal_inactive_file 419430400\n");
    assert_float_equal(srv_memory_available_in(proc, cgroups), 412 * MIB, 1);
}

TEST(version_2_and_its_ancestors)
{
    put("proc/self/cgroup", "0::/slurm/job_1/step_0\n");
    put("cgroup/slurm/job_1/step_0/memory.max", "max\n");
    put("cgroup/slurm/job_1/step_0/memory.current", "1048576\n");
    put("cgroup/slurm/job_1/memory.max", "1073741824\n");
    put("cgroup/slurm/job_1/memory.current", "0\n");
    assert_float_equal(srv_memory_available_in(proc, cgroups), 1024 * MIB, 1);
    put("cgroup/slurm/memory.max", "268435456\n");
    assert_float_equal(srv_memory_available_in(proc, cgroups), 256 * MIB, 1);
}

/* In a container, the path belongs to the host's tree; the container's own limit is at the mount
 * point. */
TEST(a_path_that_is_not_mounted)
{
    put("proc/self/cgroup", "3:memory:/host/pod/abc\n");
    put("cgroup/memory/memory.limit_in_bytes", "134217728\n");
    put("cgroup/memory/memory.usage_in_bytes", "0\n");
    assert_float_equal(srv_memory_available_in(proc, cgroups), 128 * MIB, 1);
}

TEST(a_full_group_leaves_nothing)
{
    put("proc/self/cgroup", "3:memory:/\n");
    put("cgroup/memory/memory.limit_in_bytes", "1048576\n");
    put("cgroup/memory/memory.usage_in_bytes", "2097152\n");
    assert_float_equal(srv_memory_available_in(proc, cgroups), 0, 1e-9);
}

/* AddressSanitizer reserves the whole address space for itself and dies of such a limit. */
TEST(the_limit_on_address_space)
{
    struct rlimit old, low;
    if (TEST_SANITIZED)
        test_skip("AddressSanitizer does not survive it");
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    low = old;
    low.rlim_cur = (rlim_t)3 << 30;
    if (setrlimit(RLIMIT_AS, &low) != 0)
        test_skip("this process may not use as much");
    double available = srv_memory_available_in(proc, cgroups);
    setrlimit(RLIMIT_AS, &old);
    assert_float_equal(available, 3072 * MIB, 1);
}
