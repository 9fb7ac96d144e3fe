/* SPDX-License-Identifier: BSD-3-Clause */
/** One traversal in the simulated hierarchy: the address trace, load by load. */
#ifndef SRV_MODEL_SIMULATED_TRAVERSAL_H
#define SRV_MODEL_SIMULATED_TRAVERSAL_H

#include "machine/machine.h"
#include "sim/hierarchy.h"
#include "sim/sibling.h"
#include "machine/order.h"

/** Independent misses that a core can have in flight, unless the model gives their number. */
enum { SRV_OVERLAP = 10 };

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

/** The position and time of a traversal. */
typedef struct srv_simulated_traversal {
    srv_hierarchy *hierarchy;
    int pu;
    uint64_t base; /**< virtual address of slot 0 */
    size_t count;  /**< slots of the cycle that are simulated */
    /** one slot of `thin` is simulated: those in the first bytes of every `period` bytes */
    size_t thin, period;
    size_t stride;      /**< bytes from slot to slot */
    size_t line, lines; /**< a slot's pointer lies on one of its `lines` lines */
    bool ascending;     /**< slots are visited as they lie, else in the random `order` */
    /** a generator in `state` draws the next slot; there is no cycle */
    bool random;
    uint64_t state;
    bool pairs; /**< slots 2k and 2k+1 are visited one after the other */
    /** > 0: the slots are `count` random ones among `places`, one stride from each other */
    size_t places;
    size_t apart, phases; /**< of those, slot k lies (k % phases) * apart bytes further */
    srv_order order;
    uint64_t *loads; /**< addresses in this order, computed once; NULL: as it goes, of many slots */
    srv_round round; /**< of its loads; see srv_simulated_traversal_watch() */
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

/**
 * Stops simulating rounds that repeat themselves; for a traversal that is alone.
 * Nothing else may load from the hierarchy afterwards until it is flushed.
 */
void srv_simulated_traversal_watch(srv_simulated_traversal *simulated);

/** Loads slot `slot` only to fill the caches: such loads overlap. */
void srv_simulated_traversal_sweep(srv_simulated_traversal *simulated, size_t slot);

#endif
