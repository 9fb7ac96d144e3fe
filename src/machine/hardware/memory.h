/* SPDX-License-Identifier: BSD-3-Clause */
/** How much memory this job may still use. */
#ifndef SRV_HARDWARE_MEMORY_H
#define SRV_HARDWARE_MEMORY_H

/**
 * Bytes that may be allocated without swapping or being killed: the least of what the system has
 * available, what the job's cgroups (v1 and v2, all ancestors) leave, and the limit on address
 * space.
 */
double srv_memory_available(void);

/** The same with other roots for /proc and /sys/fs/cgroup: for tests. */
double srv_memory_available_in(const char *proc, const char *cgroups);

#endif
