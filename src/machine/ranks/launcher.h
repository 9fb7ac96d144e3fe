/* SPDX-License-Identifier: BSD-3-Clause */
/** The program that has started this job, and how it ends. */
#ifndef SRV_RANKS_LAUNCHER_H
#define SRV_RANKS_LAUNCHER_H

/**
 * Leaves a process behind that ends the launcher, should that not end by itself: told to abort a
 * job, Open MPI's waits for all nodes, for ever where one is frozen or cut off. Only processes
 * above this one with a launcher's name are ended. To be pinged right before MPI_Abort().
 */
void srv_launcher_ensure_end(void);

#endif
