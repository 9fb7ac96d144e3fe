/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws that are the same in each run of a test, whatever the C library. */
#ifndef SRV_TESTS_CHANCE_H
#define SRV_TESTS_CHANCE_H

#include <math.h>
#include <stdint.h>

static uint64_t state_of_chance = 1;

/* Uniform in 0..1, never 0. */
static inline double chance(void)
{
    state_of_chance =
        state_of_chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t mixed = (state_of_chance ^ (state_of_chance >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    return ((double)(mixed >> 11) + 0.5) * 0x1p-53;
}

/* Normally distributed around 0 with a deviation of 1. */
static inline double normal(void)
{
    return sqrt(-2 * log(chance())) * cos(6.283185307179586 * chance());
}

#endif
