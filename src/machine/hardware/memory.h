/* SPDX-License-Identifier: BSD-3-Clause */
/** The memory that this job may still use. */
#ifndef SRV_HARDWARE_MEMORY_H
#define SRV_HARDWARE_MEMORY_H

/**
 * Bytes that may be allocated without swapping or being killed: the least of the system's available
 * memory, the rest of the limits of the job's cgroups (v1 and v2, all ancestors), and the limit on
 * address space.
 */
double srv_memory_available(void);

/** The same with other roots for /proc and /sys/fs/cgroup: for tests. */
double srv_memory_available_in(const char *proc, const char *cgroups);

#endif
