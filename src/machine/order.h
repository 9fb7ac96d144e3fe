/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Random orders that need no memory: an index array would itself sweep through the caches that are
 * to be measured, so the order in which a working set is visited is computed.
 */
#ifndef SRV_MACHINE_ORDER_H
#define SRV_MACHINE_ORDER_H

#include <stddef.h>
#include <stdint.h>

/** A random permutation of 0..count-1. */
typedef struct srv_order {
    uint64_t seed, low_mask, high_mask;
    unsigned low_bits;
    size_t count;
} srv_order;

/** The permutation that belongs to `seed`; count >= 1. */
srv_order srv_order_of(size_t count, uint64_t seed);

/** Its element at `index` < count. */
size_t srv_order_at(const srv_order *order, size_t index);

/**
 * A bijection in which every bit of the result depends on every bit of x: the finaliser of
 * SplitMix64 (Steele, Lea, Flood 2014).
 */
static inline uint64_t srv_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/** The same where 2k and 2k+1 stay together, in this order: of a permutation of 0..count/2-1. */
static inline size_t srv_order_pairs_at(const srv_order *order, size_t index)
{
    return 2 * srv_order_at(order, index / 2) + index % 2;
}

/** The next state of a linear congruential generator (Knuth's MMIX): four cycles, and the upper
 * half of its states looks random enough to no cache and no prefetcher. */
static inline uint64_t srv_load_next(uint64_t state)
{
    return state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

/** The slot, below `count` < 2^32, from a state of the generator (Lemire 2019). */
static inline uint64_t srv_load_slot(uint64_t state, uint64_t count)
{
    return ((state >> 32) * count) >> 32;
}

/** The one of the `lines` >= 1 lines of slot number `slot` that holds its pointer. */
static inline size_t srv_order_line(size_t slot, size_t lines)
{
    return lines > 1 ? srv_mix(slot) % lines : 0;
}

#endif
