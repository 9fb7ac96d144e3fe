/* SPDX-License-Identifier: BSD-3-Clause */
/** The pairs of ranks if all cores of a layer send at once. */
#ifndef SRV_FACTS_MESSAGES_STAGE_PAIRS_H
#define SRV_FACTS_MESSAGES_STAGE_PAIRS_H

#include "run/network/job.h"

/**
 * Pairs of ranks of layer `number` (from 1), no rank in two of them, the largest number that there
 * is: within a node those of the typical pair's node; between nodes all ranks of one node with
 * those of another, so that the first pairs share links and adapters, then those of further nodes.
 * The caller frees `*pairs`. Errors: SERVET_EMEMORY.
 */
int srv_network_layer_pairs(const srv_network_job *job, int number, srv_rank_pair **pairs,
                            int *count, servet_error *error);

#endif
