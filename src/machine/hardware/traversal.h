/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * One traversal on hardware: memory that its core touches first, the order stored in it, and the
 * timed loads. Everything here runs on the calling thread, which is bound to the traversal's core.
 */
#ifndef SRV_HARDWARE_TRAVERSAL_H
#define SRV_HARDWARE_TRAVERSAL_H

#include "machine/hardware/arena_pool.h"
#include "machine/hardware/chase.h"
#include "machine/hardware/clock.h"
#include "machine/hardware/spin.h"
#include "machine/hardware/topology.h"
#include "machine/machine.h"

typedef struct srv_hardware_traversal {
    srv_arena_pool *pool;
    const srv_clock *clock;
    double memory_bytes; /**< that the arena may take */
    double page_bytes;
    srv_arena *arena;    /**< of the pool; NULL: none */
    size_t bytes;        /**< of the arena, for the slots of the last traversal */
    int core;            /**< that took the arena */
    int node;            /**< of its memory; see srv_traversal.node */
    srv_pattern pattern; /**< order of the cycle in the slots */
    srv_slots slots;     /**< count 0: none */
    bool whole;          /**< the cycle was built at once, from `seed` */
    uint64_t seed;
    srv_chase chase;
    void *cursor[SRV_CHAINS_MAX];
    int chains, delay;
    srv_chase_kernel *kernel;
    srv_random_loads random; /**< of SRV_PATTERN_RANDOM, which has neither chase nor kernel */
    /** of the core: the fastest loop of additions so far; NULL: not known */
    srv_spin_pace *pace;
} srv_hardware_traversal;

/** Takes no memory before the first traversal. The pool, its topology and the clock must stay
 * valid.
 */
void srv_hardware_traversal_init(srv_hardware_traversal *run, srv_arena_pool *pool,
                                 const srv_clock *clock, double memory_bytes, double page_bytes);

/**
 * Builds the cycle of the traversal, reusing that of the last one if possible. Errors:
 * SERVET_EMEMORY, those of srv_nodes_place() and srv_nodes_check().
 */
int srv_hardware_traversal_prepare(srv_hardware_traversal *run, const srv_traversal *traversal,
                                   servet_error *error);

/** Runs once around (or for 20 ms) to warm the caches; ns per load. */
double srv_hardware_traversal_warm(srv_hardware_traversal *run);

/** Takes samples for `seconds`, alone. `ns_per_load` is the result of the warm-up. */
void srv_hardware_traversal_sample(srv_hardware_traversal *run, double seconds, double ns_per_load,
                                   srv_timing *timing);

/** Takes one sample: ns per load. */
double srv_hardware_traversal_step(srv_hardware_traversal *run, double ns_per_load);

/** The timing of samples, without frequency and work of the core. */
srv_timing srv_hardware_traversal_timing(const srv_hardware_traversal *run, double ns_per_load,
                                         double *samples, size_t n);

/** Gives the memory back to the pool. A zeroed run is valid. */
void srv_hardware_traversal_finish(srv_hardware_traversal *run);

#endif
