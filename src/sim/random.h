/* SPDX-License-Identifier: BSD-3-Clause */
/** Random numbers of simulated machines: SplitMix64, a state of one word. */
#ifndef SRV_MODEL_RANDOM_H
#define SRV_MODEL_RANDOM_H

#include <string.h>

#include "machine/order.h"

/** Mixes bytes into a sum; other bytes hardly ever give the same. */
static inline uint64_t srv_mix_bytes(uint64_t sum, const void *bytes, size_t count)
{
    for (const char *at = bytes, *end = at + count; at < end; at += sizeof sum) {
        uint64_t word = 0;
        memcpy(&word, at, (size_t)(end - at) < sizeof word ? (size_t)(end - at) : sizeof word);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    return sum;
}

/** The next 64 random bits; any state is a valid seed. */
static inline uint64_t srv_random_bits(uint64_t *state)
{
    return srv_mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

/** Uniform in 0 <= x < 1. */
static inline double srv_random_unit(uint64_t *state)
{
    return (double)(srv_random_bits(state) >> 11) * 0x1p-53;
}

/** Uniform in 0 <= n < count. */
static inline uint32_t srv_random_below(uint64_t *state, uint32_t count)
{
    return (uint32_t)((srv_random_bits(state) >> 32) * count >> 32);
}

#endif
