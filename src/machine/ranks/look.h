/* SPDX-License-Identifier: BSD-3-Clause */
/** A job that only looks where its ranks are: nobody is bound, nothing is sent but the answers. */
#ifndef SRV_RANKS_LOOK_H
#define SRV_RANKS_LOOK_H

#include "machine/hardware/sight.h"

/** Says what it makes of the ranks 0..count-1; the answer becomes the exit status of the job. */
typedef int srv_look_judge(void *context, const srv_sighting *ranks, int count);

/**
 * Starts MPI, has every rank look where it runs, lets `judge` run on rank 0, and ends MPI. Every
 * rank of the job calls it, once in its life. `*status` is what `judge` answered, 0 on the other
 * ranks. Errors, on rank 0: those of srv_start_check(), SERVET_EMACHINE (hwloc cannot read the node
 * of a rank; the text names the rank), SERVET_EMEMORY.
 */
int srv_ranks_look(srv_look_judge *judge, void *context, int *status, servet_error *error);

#endif
