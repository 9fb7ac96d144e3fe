/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for sched_getaffinity() and CPU_ISSET_S() */
#include "core/affinity.h"

#include <sched.h>
#include <string.h>

void srv_affinity_cores(const void *mask, size_t bytes, int cores[], int size, int *count)
{
    int found = 0;
    for (int core = 0; core < (int)(8 * bytes); core++)
        if (CPU_ISSET_S((size_t)core, bytes, (const cpu_set_t *)mask)) {
            if (found < size)
                cores[found] = core;
            found++;
        }
    *count = found;
}

bool srv_affinity_add(const int cores[], int count, void *mask, size_t bytes)
{
    for (int i = 0; i < count; i++) {
        if (cores[i] < 0 || (size_t)cores[i] >= 8 * bytes)
            return false;
        CPU_SET_S((size_t)cores[i], bytes, (cpu_set_t *)mask);
    }
    return true;
}

bool srv_affinity_get(srv_affinity *mask)
{
    memset(mask, 0, sizeof *mask);
    return sched_getaffinity(0, sizeof *mask, (cpu_set_t *)mask) == 0;
}

bool srv_affinity_set(const srv_affinity *mask)
{
    return sched_setaffinity(0, sizeof *mask, (const cpu_set_t *)mask) == 0;
}

int srv_affinity_here(void)
{
    return sched_getcpu();
}
