/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * One traversal on hardware: memory that its core touches first, the order that stands in it, and
 * the timed loads. Everything here runs on the calling thread, which is bound to the traversal's
 * core.
 */
#ifndef SRV_HARDWARE_TRAVERSAL_H
#define SRV_HARDWARE_TRAVERSAL_H

#include "machine/hardware/arena.h"
#include "machine/hardware/chase.h"
#include "machine/hardware/clock.h"
#include "machine/hardware/random_loads.h"
#include "machine/hardware/spin.h"
#include "machine/hardware/topology.h"
#include "machine/machine.h"

typedef struct srv_hardware_traversal {
    srv_topology *topology;
    const srv_clock *clock;
    double memory_bytes; /**< that the arena may take */
    double page_bytes;
    srv_arena arena;
    int core;            /**< that touched the arena */
    int node;            /**< that it lies on; see srv_traversal.node */
    srv_pattern pattern; /**< that stands in the slots */
    srv_slots slots;     /**< count 0: nothing stands */
    bool whole;          /**< that cycle was built in one go, from `seed` */
    uint64_t seed;
    srv_chase chase;
    void *cursor[SRV_CHAINS_MAX];
    int chains, delay;
    srv_chase_kernel *kernel;
    srv_random_loads random; /**< of SRV_PATTERN_RANDOM, which has neither chase nor kernel */
    srv_spin_pace *pace; /**< of the core: the fastest loop of additions so far; NULL: not known */
} srv_hardware_traversal;

/** Nothing is allocated before the first traversal. Topology and clock must stay valid. */
void srv_hardware_traversal_init(srv_hardware_traversal *run, srv_topology *topology,
                                 const srv_clock *clock, double memory_bytes, double page_bytes);

/**
 * Builds what the traversal will visit, using what stands from the last one where it can.
 * Errors: SERVET_EARGUMENT (no such traversal), SERVET_EMEMORY.
 */
int srv_hardware_traversal_prepare(srv_hardware_traversal *run, const srv_traversal *traversal,
                                   servet_error *error);

/** Goes round once (or for 20 ms), so that the caches hold what such loads leave there; ns per
 * load. */
double srv_hardware_traversal_warm(srv_hardware_traversal *run);

/** Takes samples for `seconds`. `ns_per_load` as the warming told. */
void srv_hardware_traversal_sample(srv_hardware_traversal *run, double seconds, double ns_per_load,
                                   srv_timing *timing);

/** Goes on for about the time of one sample, untimed: for the sake of those who still measure. */
void srv_hardware_traversal_keep_on(srv_hardware_traversal *run, double ns_per_load);

/** Frees the memory. A zeroed run is fine. */
void srv_hardware_traversal_finish(srv_hardware_traversal *run);

#endif
