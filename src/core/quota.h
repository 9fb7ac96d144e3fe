/* SPDX-License-Identifier: BSD-3-Clause */
/** The CPU time that the control groups of this process leave to it. */
#ifndef SRV_CORE_QUOTA_H
#define SRV_CORE_QUOTA_H

/**
 * The least quota of the process's control group and those above it, in CPUs (2.5 is two and a half
 * CPUs' time); INFINITY without one, or where the system does not tell. Reads Linux's files of both
 * versions of control groups, below the folder `root` ("" but for tests).
 */
double srv_cpu_quota(const char *root);

#endif
