/* SPDX-License-Identifier: BSD-3-Clause */
/* A keyed bijection of a power of two (a Feistel network), walked until it falls into the range.
 */
#include "machine/order.h"

enum { ROUNDS = 4 };

srv_order srv_order_of(size_t count, uint64_t seed)
{
    unsigned bits = 2;
    while (bits < 62 && ((uint64_t)1 << bits) < count)
        bits++;
    unsigned low_bits = bits / 2;
    return (srv_order){srv_mix(seed + 1), ((uint64_t)1 << low_bits) - 1,
                       ((uint64_t)1 << (bits - low_bits)) - 1, low_bits, count};
}

size_t srv_order_at(const srv_order *order, size_t index)
{
    uint64_t x = index;
    do {
        uint64_t high = x >> order->low_bits, low = x & order->low_mask;
        for (unsigned round = 0; round < ROUNDS; round += 2) {
            high ^= srv_mix(low ^ (order->seed + round)) & order->high_mask;
            low ^= srv_mix(high ^ (order->seed + round + 1)) & order->low_mask;
        }
        x = high << order->low_bits | low;
    } while (x >= order->count);
    return (size_t)x;
}
