/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/chase.h"

#include "machine/order.h"

/* --- the cycle ----------------------------------------------------------------------------------
 */

static void *slot_at(const srv_slots *slots, size_t slot)
{
    size_t line = srv_order_line(slot, slots->lines);
    return slots->base + slot * slots->stride + line * slots->line;
}

void srv_chase_build(srv_chase *chase, const srv_slots *slots, uint64_t seed)
{
    srv_order order = srv_order_of(slots->count, seed);
    void *first = slot_at(slots, srv_order_at(&order, 0));
    void *at = first;
    chase->count = slots->count;
    for (size_t i = 0, start = 0; i < slots->count; i++) {
        while (start < SRV_CHASE_STARTS && start * slots->count / SRV_CHASE_STARTS <= i)
            chase->start[start++] = at;
        void *next = i + 1 < slots->count ? slot_at(slots, srv_order_at(&order, i + 1)) : first;
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

/* --- kernels ------------------------------------------------------------------------------------
 */

#define LOAD(k)    p##k = *(void **)p##k
#define TIMES_8(x) x x x x x x x x

/* The cursors go back to the caller, so the loads have a user and the compiler keeps them. */
static void chase_1(void **cursor, size_t loads)
{
    void *p0 = cursor[0];
    for (size_t i = 0; i < loads; i += SRV_CHASE_UNROLL) {
        TIMES_8(LOAD(0);)
    }
    cursor[0] = p0;
}

static void chase_2(void **cursor, size_t loads)
{
    void *p0 = cursor[0], *p1 = cursor[1];
    for (size_t i = 0; i < loads; i += SRV_CHASE_UNROLL) {
        TIMES_8(LOAD(0); LOAD(1);)
    }
    cursor[0] = p0, cursor[1] = p1;
}

static void chase_4(void **cursor, size_t loads)
{
    void *p0 = cursor[0], *p1 = cursor[1], *p2 = cursor[2], *p3 = cursor[3];
    for (size_t i = 0; i < loads; i += SRV_CHASE_UNROLL) {
        TIMES_8(LOAD(0); LOAD(1); LOAD(2); LOAD(3);)
    }
    cursor[0] = p0, cursor[1] = p1, cursor[2] = p2, cursor[3] = p3;
}

static void chase_8(void **cursor, size_t loads)
{
    void *p0 = cursor[0], *p1 = cursor[1], *p2 = cursor[2], *p3 = cursor[3];
    void *p4 = cursor[4], *p5 = cursor[5], *p6 = cursor[6], *p7 = cursor[7];
    for (size_t i = 0; i < loads; i += SRV_CHASE_UNROLL) {
        TIMES_8(LOAD(0); LOAD(1); LOAD(2); LOAD(3); LOAD(4); LOAD(5); LOAD(6); LOAD(7);)
    }
    cursor[0] = p0, cursor[1] = p1, cursor[2] = p2, cursor[3] = p3;
    cursor[4] = p4, cursor[5] = p5, cursor[6] = p6, cursor[7] = p7;
}

srv_chase_kernel *srv_chase_kernel_for(int chains)
{
    static const struct {
        int chains;
        srv_chase_kernel *kernel;
    } kernels[] = {{1, chase_1}, {2, chase_2}, {4, chase_4}, {8, chase_8}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i].chains == chains)
            return kernels[i].kernel;
    return NULL;
}

void srv_chase_delayed(void **cursor, size_t loads, int delay)
{
    volatile uintptr_t opaque = 1; /* the compiler cannot fold what it cannot see */
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
