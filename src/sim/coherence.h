/* SPDX-License-Identifier: BSD-3-Clause */
/** Line transfers between cores of a model. */
#ifndef SRV_MODEL_COHERENCE_H
#define SRV_MODEL_COHERENCE_H

#include "sim/probes.h"

/** Cost of a line transfer without interference. */
typedef struct srv_coherence_cost {
    double lines;    /**< of the set */
    double load_ns;  /**< of all loads of the reader in sequence: one sample */
    double round_ns; /**< including the accesses of the owner and the flags */
} srv_coherence_cost;

/**
 * Computes concurrent line transfers in the hierarchy, which is flushed
 * before. A line in a cache that the owner does not share with the reader takes the transfer time
 * of the model, or memory latency if that is less and the owner only loaded the line. All other
 * lines are ordinary loads: from a cache that both share, or from memory. Errors: SERVET_EARGUMENT
 * (no such core), SERVET_EMEMORY, SERVET_EINTERRUPTED (srv_hierarchy_ended()).
 */
int srv_coherence_transfer(srv_hierarchy *hierarchy, const srv_model *model,
                           const srv_line_transfer *transfers, int count, srv_coherence_cost *costs,
                           servet_error *error);

/** Rounds in which this time passes, as far as there is room for their samples. */
int srv_coherence_rounds(double seconds, double round_ns);

/** Samples of `sample_ns` each, seen through the noise; `loads` of them are one. */
void srv_coherence_read(srv_simulated *sim, double sample_ns, double round_ns, double loads,
                        int count, srv_timing *timing);

#endif
