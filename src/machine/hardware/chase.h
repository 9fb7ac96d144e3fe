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

#include "machine/slots.h"

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

/* --- the strided traversal of the papers: j += A[j] (IPDPS'10, Fig. 1) --- */

/** Writes the strides into the slots (a stride is a multiple of a pointer); that of the last slot
 *  leads back to the first. */
void srv_stride_build(const srv_slots *slots);

/** A srv_chase_kernel: cursor[0] is the place in the array, cursor[1] takes the dummy update. */
void srv_stride_kernel(void **cursor, size_t loads);

/*
 * --- independent random loads that still wait for each other (SRV_PATTERN_RANDOM) ---
 *
 * A generator in a register runs ahead of the loads and computes their addresses; the content that
 * the previous load returned, always zero, is added. So a load cannot begin before the previous one
 * has finished, and no compiler knows the zero.
 */

/** Place of such loads. */
typedef struct srv_random_loads {
    const char *base;
    uint64_t count; /**< slots; below 2^32 */
    uint64_t stride;
    uint64_t state; /**< of the generator */
    uintptr_t zero; /**< the value of the last load */
} srv_random_loads;

/** Clears the slots where they are not clear, which brings them into the caches (a fast sweep), and
 * begins the sequence that belongs to `seed`. 1 <= slots->count < 2^32. */
void srv_random_loads_begin(srv_random_loads *at, const srv_slots *slots, uint64_t seed);

/** Continues for `loads` loads, rounded up to a multiple of SRV_CHASE_UNROLL. */
void srv_random_loads_run(srv_random_loads *at, size_t loads);

#endif
