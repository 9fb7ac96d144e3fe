/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The simulated memory hierarchy: every load of every PU goes, address by address, through
 * prefetchers, translation and the caches of the model. No answer is looked up.
 *
 * A probe of it has three steps: srv_hierarchy_flush(), srv_hierarchy_enter() for each PU that
 * takes part, then loads. Only what these PUs can reach takes memory.
 */
#ifndef SRV_MODEL_HIERARCHY_H
#define SRV_MODEL_HIERARCHY_H

#include "machine/model/model.h"

typedef struct srv_hierarchy srv_hierarchy;
struct srv_sibling;

/** The caches of one node of `model`, which must outlive it. Errors: SERVET_EMEMORY. */
int srv_hierarchy_create(srv_hierarchy **hierarchy, const srv_model *model, servet_error *error);

/** NULL does nothing. */
void srv_hierarchy_destroy(srv_hierarchy *hierarchy);

/**
 * Forgets all contents and address spaces. What follows depends only on `seed`, which determines
 * the pages' places and random decisions of caches, and on the siblings, which are not reset.
 */
void srv_hierarchy_flush(srv_hierarchy *hierarchy, uint64_t seed);

/** How often that was done. */
uint64_t srv_hierarchy_flushes(const srv_hierarchy *hierarchy);

/** The foreign thread on the core of a PU (sibling.h): loads follow it. NULL: there is none. */
struct srv_sibling *srv_hierarchy_sibling(const srv_hierarchy *hierarchy, int pu);

/** Time 0 of the loads to come is `clock_ns` on the machine's clock. */
void srv_hierarchy_set_clock(srv_hierarchy *hierarchy, double clock_ns);

/** Where a PU loads from: an address space of its own that no other one shares memory with. */
typedef struct srv_address_range {
    int pu;         /**< logical number, 0..model->pu_count-1 */
    uint64_t first; /**< first virtual address */
    double bytes;   /**< span */
    bool huge;      /**< on huge pages, where the model has them */
    int node;       /**< that its memory lies on; see srv_traversal.node */
} srv_address_range;

/**
 * Lets a PU load from the range of the range, whose pages get their place now; what the PU had
 * before is gone. Errors: SERVET_EARGUMENT (no such NUMA node), SERVET_EMEMORY, SERVET_EUNSUPPORTED
 * (a cache that cannot be simulated).
 */
int srv_hierarchy_enter(srv_hierarchy *hierarchy, const srv_address_range *range,
                        servet_error *error);

/**
 * Lets a PU load from the range of another one that has entered: the same memory, on the other's
 * NUMA node. Errors: as above.
 */
int srv_hierarchy_join(srv_hierarchy *hierarchy, int pu, int other, servet_error *error);

/**
 * One load by a PU that has entered, of a virtual address within its range, at `now_ns` on the
 * virtual clock (loads come in the order of their times, nearly). Returns what it takes, in ns.
 */
double srv_hierarchy_load(srv_hierarchy *hierarchy, int pu, uint64_t address, double now_ns);

/**
 * The same, for a sweep that is to fill the caches: TLBs and prefetchers don't see it, for they
 * change how long the sweep takes but not what it leaves in the caches.
 */
double srv_hierarchy_bring(srv_hierarchy *hierarchy, int pu, uint64_t address, double now_ns);

/** Translates only, as a load would: what it takes, in ns. */
double srv_hierarchy_translate(srv_hierarchy *hierarchy, int pu, uint64_t address);

/**
 * Whether a cache of a PU holds the line of a virtual address within its range, of those that it
 * does not share with another PU; where it shares all, of the nearest. Both have entered. Changes
 * nothing.
 */
bool srv_hierarchy_keeps(const srv_hierarchy *hierarchy, int pu, int other, uint64_t address);

/** Whether two PUs that have entered share all caches. */
bool srv_hierarchy_alike(const srv_hierarchy *hierarchy, int pu, int other);

/**
 * Bytes that all caches above a PU together can keep of a stream with `overlap` memory misses in
 * flight at a time: their capacities, but at most what arrives before others replace their lines.
 */
double srv_hierarchy_reach(const srv_hierarchy *hierarchy, int pu, double overlap);

#endif
