/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/random_loads.h"

#include "machine/order.h"

void srv_random_loads_begin(srv_random_loads *at, const srv_slots *slots, uint64_t seed)
{
    for (size_t slot = 0; slot < slots->count; slot++) {
        uintptr_t *word = (uintptr_t *)(void *)(slots->base + slot * slots->stride);
        if (*word)
            *word = 0;
    }
    *at = (srv_random_loads){slots->base, slots->count, slots->stride, srv_mix(seed), 0};
}

/* The next slot comes from the upper bits of srv_load_next(), by a multiplication instead of a
 * remainder, so that the generator keeps ahead of loads that hit the nearest cache. */
#define LOAD                                                                                       \
    state = srv_load_next(state);                                                                  \
    zero = *(const uintptr_t *)(const void *)(base + srv_load_slot(state, count) * stride + zero);

void srv_random_loads_run(srv_random_loads *at, size_t loads)
{
    const char *base = at->base;
    uint64_t state = at->state, count = at->count, stride = at->stride;
    uintptr_t zero = at->zero;
    for (size_t i = 0; i < loads; i += SRV_CHASE_UNROLL) {
        LOAD LOAD LOAD LOAD LOAD LOAD LOAD LOAD
    }
    at->state = state;
    at->zero = zero;
}
