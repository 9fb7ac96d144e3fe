/* SPDX-License-Identifier: BSD-3-Clause */
/** One traversal in the simulated hierarchy: the address trace, load by load. */
#ifndef SRV_MODEL_SIMULATED_TRAVERSAL_H
#define SRV_MODEL_SIMULATED_TRAVERSAL_H

#include "machine/slots.h"
#include "sim/hierarchy.h"
#include "sim/sibling.h"

/** Independent misses that a core can have in flight, unless the model gives their number. */
enum { SRV_OVERLAP = 10 };

/** The position and time of a traversal. */
typedef struct srv_simulated_traversal {
    srv_hierarchy *hierarchy;
    int pu;
    uint64_t base;   /**< virtual address of slot 0 */
    srv_slots slots; /**< of the cycle that are simulated; their base is not used */
    /** one slot of `thin` is simulated: those in the first bytes of every `period` bytes */
    size_t thin, period;
    bool ascending; /**< slots are visited as they lie, else in the random `order` */
    /** a generator in `state` draws the next slot; there is no cycle */
    bool random;
    uint64_t state;
    srv_order order;
    uint64_t *loads; /**< addresses in this order, computed once; NULL: as it goes, of many slots */
    int chains;
    size_t at[SRV_CHAINS_MAX]; /**< where each chain is on the cycle */
    double issue_ns, delay_ns; /**< of a load; after a load */
    /** of a load that hits the nearest cache; a longer time is a miss */
    double hit_ns;
    srv_sibling *sibling; /**< of the PU; NULL: none */
    double slowdown;      /**< by it, at the last load */
    /** misses that can be in flight at a time; the one that completes first */
    int buffers, buffer;
    double done_ns[SRV_MODEL_MISSES_MAX]; /**< when each is done */
    double issued_ns;                     /**< of the last load */
    double ready_ns[SRV_CHAINS_MAX]; /**< when the address of each chain's next load is there */
    bool missed[SRV_CHAINS_MAX];     /**< whether its last load missed the nearest cache */
    double now_ns;
} srv_simulated_traversal;

/**
 * The number of slots of which one is simulated, if all of `traversals` run at the same time. Lines
 * at different places of a page lie in different sets of every cache, so that lines at one place
 * have the same results as those at another. A power of two; 1: all slots are simulated.
 */
size_t srv_simulated_traversal_thin(const srv_model *model, const srv_traversal *traversals,
                                    int count);

/**
 * Starts a traversal at time 0 on logical PU `pu`, which enters the hierarchy with an address space
 * of its own, and simulates one slot of `thin`. Errors: as srv_hierarchy_enter(). It must be
 * finished, after an error, too.
 */
int srv_simulated_traversal_start(srv_simulated_traversal *simulated, srv_hierarchy *hierarchy,
                                  const srv_model *model, int pu, const srv_traversal *traversal,
                                  size_t thin, servet_error *error);

/** Frees its memory; a zeroed traversal is valid. */
void srv_simulated_traversal_finish(srv_simulated_traversal *simulated);

/**
 * Simulates the next load of each chain: concurrently, as far as loads can be issued and misses can
 * be in flight.
 */
void srv_simulated_traversal_step(srv_simulated_traversal *simulated);

/** Loads slot `slot` only to fill the caches: such loads overlap. */
void srv_simulated_traversal_sweep(srv_simulated_traversal *simulated, size_t slot);

#endif
