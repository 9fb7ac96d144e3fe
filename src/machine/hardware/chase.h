/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The pointer chase: each load needs the answer of the previous one. It is a cycle through slots of
 * memory in an order that no prefetcher follows (a random permutation over all of them, not page by
 * page). P-Ray, section 4.2, with the stride replaced by chance.
 */
#ifndef SRV_HARDWARE_CHASE_H
#define SRV_HARDWARE_CHASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The slots of a cycle: slot k is at base + k * stride + (a varying multiple of line) % spread. */
typedef struct srv_slots {
    char *base;
    size_t count;
    size_t stride; /**< from slot to slot: a line, or a page */
    size_t line;   /**< bytes of a line */
    size_t lines;  /**< possible lines of a slot within the stride: 1, or stride / line */
    bool pairs;    /**< slots 2k and 2k+1 are visited one after the other; `count` is even then */
    /** > 0: the slots are `count` random ones among `places`, one stride from each other */
    size_t places;
    size_t apart, phases; /**< of those, slot k is (k % phases) * apart bytes further */
} srv_slots;

enum { SRV_CHASE_STARTS = 64 };

/** A cycle in memory, and its starts. */
typedef struct srv_chase {
    size_t count;                  /**< loads of one round */
    void *start[SRV_CHASE_STARTS]; /**< evenly spaced along the cycle */
} srv_chase;

/** Writes the cycle into the slots; the order depends on `seed` only. count >= 1. */
void srv_chase_build(srv_chase *chase, const srv_slots *slots, uint64_t seed);

/**
 * Extends a cycle of the first chase->count slots to all of slots->count, by inserting each new
 * slot behind a random one: the order stays uniformly random, and only the new slots cost time.
 * Afterwards only start[0] may be used.
 */
void srv_chase_grow(srv_chase *chase, const srv_slots *slots, uint64_t seed);

/** Brings the slots into the caches, in the order of addresses (a fast sweep). */
void srv_chase_sweep(const srv_slots *slots);

/**
 * A kernel does `loads` loads on each of its chains from cursor[0..chains-1] on, and leaves the
 * cursors where it came to. `loads` is rounded up to a multiple of SRV_CHASE_UNROLL.
 */
typedef void srv_chase_kernel(void **cursor, size_t loads);

enum { SRV_CHASE_UNROLL = 8 };

/** The kernel for that many independent chains, 1 to SRV_CHASE_STARTS; NULL for other numbers. */
srv_chase_kernel *srv_chase_kernel_for(int chains);

/** One chain with `delay` dependent multiplications after each load. */
void srv_chase_delayed(void **cursor, size_t loads, int delay);

#endif
