/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Generated latency curves for tests: the truth is the specification. The
 * shapes are computed here from the caches' behaviour, not taken from the code under test.
 */
#ifndef SRV_TESTS_SERIES_H
#define SRV_TESTS_SERIES_H

#include <stddef.h>
#include <stdint.h>
#include "servet/analyze.h"

/** How a level lets go when the working set outgrows it. */
typedef enum series_kind {
    SERIES_RANDOM, /**< independent random loads: 1 - C/S */
    SERIES_LRU,    /**< cyclic chase, LRU, 12 ways that fill evenly: all lost one way above C */
    SERIES_SHARP,  /**< cyclic chase near LRU: 1 - (C/S)^8 */
    SERIES_PAGES,  /**< cyclic chase, 16 ways, 4 KiB pages at random: per-access page-set model */
} series_kind;

typedef struct series_level {
    double bytes, latency; /**< capacity, and latency of a load that misses it */
    series_kind kind;
} series_level;

typedef struct series_spec {
    double first, last; /**< smallest and largest size */
    int per_octave;
    double base;           /**< latency of the first level */
    series_level level[6]; /**< ends with bytes 0 */
    double noise;          /**< relative standard deviation */
    uint64_t seed;
} series_spec;

/** Uniform in [0, 1); advances the state. Deterministic on every machine. */
double series_uniform(uint64_t *state);

/** Latency without noise at `bytes`. */
double series_latency(const series_spec *spec, double bytes);

/** The specified curve, which ends with the test. */
servet_curve series_make(const series_spec *spec);

/**
 * A machine at random, seen at 2 to 16 points per octave with noise to 3 %: one to four levels,
 * three of four capacities a power of two, each level 4 to 32 times larger and 2.2 to 6 times
 * slower than the one before.
 */
series_spec series_random(uint64_t seed);

#endif
