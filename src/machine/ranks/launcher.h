/* SPDX-License-Identifier: BSD-3-Clause */
/** The program that has started this job, and its end. */
#ifndef SRV_RANKS_LAUNCHER_H
#define SRV_RANKS_LAUNCHER_H

/**
 * Leaves a process behind that ends the launcher if that does not end by itself: when a job aborts,
 * Open MPI's launcher waits for all nodes, even for one that is frozen or disconnected. Only
 * processes above this one with a launcher's name are ended. To be called right before MPI_Abort().
 */
void srv_launcher_ensure_end(void);

#endif
