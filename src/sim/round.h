/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Rounds of a traversal that repeat themselves. If a whole round leaves the caches as they were
 * before it, each later one finds every line where this one found it: then only the times of the
 * loads are computed, which also depend on the clock.
 */
#ifndef SRV_MODEL_ROUND_H
#define SRV_MODEL_ROUND_H

#include "sim/hierarchy.h"

/** The rounds of one PU that loads alone. A zeroed one is valid: it simulates each load. */
typedef struct srv_round {
    const uint64_t *address; /**< that are loaded in a round, in any order; the caller's */
    size_t count;
    size_t loads, at;      /**< of a round; of them are done */
    srv_load_result *load; /**< of each, in the last round; NULL: every load is simulated */
    bool repeats;          /**< each round is like the last one */
    int tries;             /**< rounds that may still differ */
    bool differs;          /**< this round from the one before, so far */
    bool compares;         /**< `contents` are those of the caches before this round */
    uint64_t contents;
    unsigned prefetches; /**< before this round */
} srv_round;

/**
 * Looks for repetition from now on: a round has `loads` loads of the `count` addresses. Without
 * memory nothing changes.
 */
void srv_round_watch(srv_round *round, const srv_hierarchy *hierarchy, int pu,
                     const uint64_t *address, size_t count, size_t loads);

/** srv_hierarchy_load() for the next load of the round. */
double srv_round_load(srv_round *round, srv_hierarchy *hierarchy, int pu, uint64_t address,
                      double now_ns);

/** Frees its memory. */
void srv_round_finish(srv_round *round);

#endif
