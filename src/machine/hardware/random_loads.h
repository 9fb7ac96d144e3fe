/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Independent random loads that still wait for each other (SRV_PATTERN_RANDOM).
 *
 * A generator in a register runs ahead of the loads and computes their addresses; the content that
 * the previous load returned, always zero, is added. So a load cannot begin before the previous one
 * has finished, and no compiler knows the zero.
 */
#ifndef SRV_HARDWARE_RANDOM_LOADS_H
#define SRV_HARDWARE_RANDOM_LOADS_H

#include "machine/hardware/chase.h"

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
