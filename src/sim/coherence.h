/* SPDX-License-Identifier: BSD-3-Clause */
/** Line transfers between cores of a model. */
#ifndef SRV_MODEL_COHERENCE_H
#define SRV_MODEL_COHERENCE_H

#include "machine/machine.h"
#include "sim/hierarchy.h"

/** Cost of a line transfer without interference. */
typedef struct srv_coherence_cost {
    double lines;    /**< of the set */
    double load_ns;  /**< of all loads of the reader in sequence: one sample */
    double round_ns; /**< including the accesses of the owner and the flags */
} srv_coherence_cost;

/** Errors: SERVET_EARGUMENT (no transfers, no such set, a core in two of them). */
int srv_coherence_check(const srv_line_transfer *transfers, int count, servet_error *error);

/**
 * Computes concurrent line transfers, which have been checked, in the hierarchy, which is flushed
 * before. A line in a cache that the owner does not share with the reader takes the transfer time
 * of the model, or memory latency if that is less and the owner only loaded the line. All other
 * lines are ordinary loads: from a cache that both share, or from memory. Errors: SERVET_EARGUMENT
 * (no such core, one twice), SERVET_EMEMORY, SERVET_EINTERRUPTED (srv_hierarchy_ended()).
 */
int srv_coherence_transfer(srv_hierarchy *hierarchy, const srv_model *model,
                           const srv_line_transfer *transfers, int count, srv_coherence_cost *costs,
                           servet_error *error);

/**
 * Time of an increment of `pair->core` in ns: a line transfer if both bytes lie in one line of the
 * last cache before memory that the two PUs do not share; else a hit. Two PUs that share all caches
 * never contend. Errors: SERVET_EARGUMENT (no such core or distance, one core twice).
 */
int srv_coherence_false_sharing(const srv_model *model, const srv_false_sharing *pair, double *ns,
                                servet_error *error);

/**
 * Time of an operation of all cores together in ns, while their line goes from one to another. An
 * addition, or a comparison and swap, is a mean transfer between two of the cores, a lock two
 * (ticket and release); with one core a hit instead. A central barrier is a mean transfer for each
 * core that arrives, then the longest one for the flag; a dissemination barrier the longest
 * transfer of each round. Errors: those of srv_sync_check(), SERVET_EARGUMENT (no such core, one
 * twice), SERVET_EUNSUPPORTED (the hint of spinning loops, which no model states).
 */
int srv_coherence_sync(const srv_model *model, const srv_sync *sync, double *ns,
                       servet_error *error);

#endif
