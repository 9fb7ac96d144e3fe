/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/chase.h"

#include "machine/order.h"

/* --- the cycle -------------------------------------------------------------------------------- */

static void *slot_at(const srv_slots *slots, size_t slot)
{
    return slots->base + srv_slots_at(slots, slot);
}

static void *visited(const srv_slots *slots, const srv_order *order, size_t index)
{
    return slots->base + srv_slots_visited(slots, order, index);
}

void srv_chase_build(srv_chase *chase, const srv_slots *slots, uint64_t seed)
{
    srv_order order = srv_slots_order(slots, seed);
    void *first = visited(slots, &order, 0);
    void *at = first;
    chase->count = slots->count;
    for (size_t i = 0, start = 0; i < slots->count; i++) {
        while (start < SRV_CHASE_STARTS && start * slots->count / SRV_CHASE_STARTS <= i)
            chase->start[start++] = at;
        void *next = i + 1 < slots->count ? visited(slots, &order, i + 1) : first;
        *(void **)at = next;
        at = next;
    }
}

void srv_chase_grow(srv_chase *chase, const srv_slots *slots, uint64_t seed)
{
    for (size_t i = chase->count; i < slots->count; i++) {
        void **old = slot_at(slots, srv_mix(seed + i) % i), **new = slot_at(slots, i);
        *new = *old;
        *old = new;
    }
    chase->count = slots->count;
}

void srv_chase_sweep(const srv_slots *slots)
{
    for (size_t slot = 0; slot < slots->count; slot++)
        (void)*(void *volatile *)slot_at(slots, slot);
}

void srv_chase_delayed(void **cursor, size_t loads, int delay)
{
    volatile uintptr_t opaque = 1; /* the compiler cannot fold a value that it cannot see */
    uintptr_t one = opaque;
    void *p = cursor[0];
    for (size_t i = 0; i < loads; i++) {
        uintptr_t address = (uintptr_t) * (void **)p;
        for (int d = 0; d < delay; d++)
            address *= one;
        p = (void *)address;
    }
    cursor[0] = p;
}

/* --- strides ---------------------------------------------------------------------------------- */

void srv_stride_build(const srv_slots *slots)
{
    ptrdiff_t stride = (ptrdiff_t)(slots->stride / sizeof(ptrdiff_t));
    ptrdiff_t last = (ptrdiff_t)slots->count - 1;
    ptrdiff_t *array = (ptrdiff_t *)(void *)slots->base;
    for (ptrdiff_t slot = 0; slot < last; slot++)
        array[slot * stride] = stride;
    array[last * stride] = -last * stride;
}

void srv_stride_kernel(void **cursor, size_t loads)
{
    ptrdiff_t *at = cursor[0];
    uintptr_t dummy = (uintptr_t)cursor[1];
    for (size_t i = 0; i < loads; i++) {
        ptrdiff_t stride = *at;
        dummy ^= (uintptr_t)stride;
        at += stride;
    }
    cursor[0] = at;
    cursor[1] = (void *)dummy;
}

/* --- random loads ----------------------------------------------------------------------------- */

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
