/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The simulated memory hierarchy: each load of each PU passes prefetchers, translation and the
 * caches of the model, address by address. No result is tabulated. A probe has three steps:
 * srv_hierarchy_flush(), srv_hierarchy_enter() for each PU that takes part, then loads. Only caches
 * that these PUs can reach take memory.
 */
#ifndef SRV_MODEL_HIERARCHY_H
#define SRV_MODEL_HIERARCHY_H

#include "sim/model.h"

typedef struct srv_hierarchy srv_hierarchy;
struct srv_sibling;

/** The caches of one node of `model`, which must outlive it. Errors: SERVET_EMEMORY. */
int srv_hierarchy_create(srv_hierarchy **hierarchy, const srv_model *model, servet_error *error);

/** NULL does nothing. */
void srv_hierarchy_destroy(srv_hierarchy *hierarchy);

/**
 * Clears all contents and address spaces. Later results depend only on `seed`, which determines the
 * places of pages and random decisions of caches, and on the siblings, which are not reset.
 */
void srv_hierarchy_flush(srv_hierarchy *hierarchy, uint64_t seed);

/** The foreign thread on the core of a PU (sibling.h): loads follow it. NULL: there is none. */
struct srv_sibling *srv_hierarchy_sibling(const srv_hierarchy *hierarchy, int pu);

/**
 * Calls `call` with its context once for some milliseconds of loads. NULL: no longer. Once it has
 * returned a value other than 0, srv_hierarchy_ended() is true.
 */
void srv_hierarchy_watch(srv_hierarchy *hierarchy, int (*call)(void *context), void *context);

/** True if the caller of loads must end; they can still be simulated. */
bool srv_hierarchy_ended(const srv_hierarchy *hierarchy);

/** Sets time 0 of the following loads to `clock_ns` on the clock of the machine. */
void srv_hierarchy_set_clock(srv_hierarchy *hierarchy, double clock_ns);

/** The memory that a PU loads from: an address space that it shares with no other PU. */
typedef struct srv_address_range {
    int pu;         /**< logical number, 0..model->pu_count-1 */
    uint64_t first; /**< first virtual address */
    double bytes;   /**< span */
    bool huge;      /**< on huge pages, where the model has them */
    int node;       /**< that its memory lies on; see srv_traversal.node */
    size_t thin;    /**< one line in `thin` is loaded (thinning.h); 0 or 1: all */
} srv_address_range;

/**
 * Lets a PU load from a range, whose pages are placed now; an earlier range of the PU is dropped.
 * Errors: SERVET_EARGUMENT (no such NUMA node), SERVET_EMEMORY, SERVET_EUNSUPPORTED (a cache that
 * cannot be simulated).
 */
int srv_hierarchy_enter(srv_hierarchy *hierarchy, const srv_address_range *range,
                        servet_error *error);

/**
 * Lets a PU load from the range of another PU that has entered: the same memory, on the NUMA node
 * of the other. Errors: as above.
 */
int srv_hierarchy_join(srv_hierarchy *hierarchy, int pu, int other, servet_error *error);

/**
 * Lets each request of a PU that has entered occupy its instance of domain d as `share[d]` requests
 * do: it stands for that number of PUs, which are not simulated.
 */
void srv_hierarchy_share(srv_hierarchy *hierarchy, int pu,
                         const double share[SRV_MODEL_DOMAINS_MAX]);

/**
 * Simulates one load by a PU that has entered, of a virtual address within its range, at `now_ns`
 * on the virtual clock (loads come nearly in the order of their times). Returns its time in ns.
 */
double srv_hierarchy_load(srv_hierarchy *hierarchy, int pu, uint64_t address, double now_ns);

/**
 * Simulates a load of a sweep that only fills the caches: it bypasses TLBs and prefetchers, which
 * change the time of the sweep but not the contents of the caches afterwards.
 */
double srv_hierarchy_bring(srv_hierarchy *hierarchy, int pu, uint64_t address, double now_ns);

/**
 * Simulates `count` such loads, of lines that are found in the same cache as the first, at
 * `address`, whatever came before; only that one is inserted. A share 1 / `overlap` of a load's
 * time passes before the next one. Returns the time after the last one.
 */
double srv_hierarchy_bring_alike(srv_hierarchy *hierarchy, int pu, uint64_t address, int count,
                                 double overlap, double now_ns);

/** Translates an address as a load does; returns the time in ns. */
double srv_hierarchy_translate(srv_hierarchy *hierarchy, int pu, uint64_t address);

/**
 * True if a cache that a PU does not share with another PU holds the line of a virtual address
 * within its range; if it shares all, if the nearest cache does. Both PUs have entered.
 * Changes nothing.
 */
bool srv_hierarchy_keeps(const srv_hierarchy *hierarchy, int pu, int other, uint64_t address);

/** True if two PUs that have entered share all caches. */
bool srv_hierarchy_alike(const srv_hierarchy *hierarchy, int pu, int other);

/**
 * Largest number of bytes of a stream with `overlap` memory misses in flight at a time that all
 * caches above a PU together keep: their capacities, but at most the bytes that arrive before
 * others replace their lines.
 */
double srv_hierarchy_reach(const srv_hierarchy *hierarchy, int pu, double overlap);

#endif
