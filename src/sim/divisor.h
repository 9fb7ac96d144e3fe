/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Divides by a constant divisor without a division instruction. Finding a set takes three
 * divisions, each of which would take the time of all other work. Exact for all 32-bit numbers;
 * method of Lemire, Kaser, Kurz, Faster remainder by direct computation, 2019.
 */
#ifndef SRV_MODEL_DIVISOR_H
#define SRV_MODEL_DIVISOR_H

#include <stdint.h>

typedef struct srv_divisor {
    uint32_t value;
    uint32_t high, low; /**< 2^64 / value, rounded up; both 0: value is a power of two */
    unsigned bits;      /**< its logarithm then */
} srv_divisor;

/** value > 0. */
static inline srv_divisor srv_divisor_of(uint32_t value)
{
    srv_divisor divisor = {.value = value};
    while (value >> divisor.bits > 1)
        divisor.bits++;
    if (value != UINT32_C(1) << divisor.bits) {
        uint64_t reciprocal = UINT64_MAX / value + 1;
        divisor.high = (uint32_t)(reciprocal >> 32);
        divisor.low = (uint32_t)reciprocal;
    }
    return divisor;
}

/** x / value */
static inline uint32_t srv_quotient(uint32_t x, const srv_divisor *divisor)
{
    if (divisor->high == 0)
        return x >> divisor->bits;
    return (uint32_t)(((uint64_t)x * divisor->high + ((uint64_t)x * divisor->low >> 32)) >> 32);
}

/** x % value, given the quotient. */
static inline uint32_t srv_rest(uint32_t x, uint32_t quotient, const srv_divisor *divisor)
{
    return x - quotient * divisor->value;
}

#endif
