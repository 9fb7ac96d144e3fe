/* SPDX-License-Identifier: BSD-3-Clause */
/** Lines that go from one core of a model to another one. */
#ifndef SRV_MODEL_COHERENCE_H
#define SRV_MODEL_COHERENCE_H

#include "machine/machine.h"
#include "machine/model/hierarchy.h"

/** Cost of a line transfer without interference. */
typedef struct srv_coherence_cost {
    double lines;    /**< of the set */
    double load_ns;  /**< of all loads of the reader, one after the other: a sample */
    double round_ns; /**< with what the owner does before, and the flags */
} srv_coherence_cost;

/**
 * Computes the line transfers, all at once, in the hierarchy, which is flushed before; from there
 * on they repeat themselves. A line that lies in a cache which the owner does not share with the
 * reader takes the model's line transfer; if the owner only loaded it, memory may be faster. All
 * other lines are loads like any: from a cache that both share, or from memory. Errors:
 * SERVET_EARGUMENT (no such set, no such core, one twice), SERVET_EMEMORY.
 */
int srv_coherence_transfer(srv_hierarchy *hierarchy, const srv_model *model,
                           const srv_line_transfer *transfers, int count, srv_coherence_cost *costs,
                           servet_error *error);

/**
 * An increment of `pair->core`, in ns: a line transfer if both bytes lie in one line of the last
 * cache, from the core on, that the two do not share; else a hit. Two PUs that share all caches
 * never contend. Errors: SERVET_EARGUMENT (no such core or distance, one core twice).
 */
int srv_coherence_false_sharing(const srv_model *model, const srv_false_sharing *pair, double *ns,
                                servet_error *error);

#endif
