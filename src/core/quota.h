/* SPDX-License-Identifier: BSD-3-Clause */
/** The CPU quota of this process's control groups. */
#ifndef SRV_CORE_QUOTA_H
#define SRV_CORE_QUOTA_H

/**
 * Returns the smallest quota of the process's control group and the groups that contain it, in CPUs
 * (2.5 is the time of two and a half CPUs); INFINITY if there is no quota, or if the system does
 * not report it. Reads Linux's files of both versions of control groups, below the folder `root`
 * ("", except in tests).
 */
double srv_cpu_quota(const char *root);

#endif
