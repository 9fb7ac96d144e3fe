/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A machine that computes its answers from a formula and has a clock of its own, for tests of
 * benchmarks.
 */
#ifndef SRV_TESTS_FAKE_MACHINE_H
#define SRV_TESTS_FAKE_MACHINE_H

#include "machine/machine.h"

enum { FAKE_LEVELS_MAX = 4 };

/** Levels with capacity and the latency of a hit; behind the last one lies memory. */
typedef struct fake_level {
    double bytes, ns;
} fake_level;

typedef struct fake_machine {
    srv_machine machine;
    int level_count;
    fake_level level[FAKE_LEVELS_MAX];
    double memory_ns;
    bool sharp;          /**< what does not fit misses always, not in proportion */
    double residence_ns; /**< > 0: others turn the last level over in this time */
    /** Cores with the same number, unless it is 0, share their instance of a level; traversals at
     * once on them share its capacity. */
    int instance[FAKE_LEVELS_MAX][64];
    double tlb_bytes, tlb_ns; /**< span that is translated for free, and what more costs; 0: none */
    double jitter;            /**< relative, uniform, of every answer */
    /** share of the answers that a sibling slows down, by up to 3 times */
    double sibling;
    int slow_every; /**< every n-th answer is 3 times too slow; 0: none */
    int kind_count;
    srv_core_type kind[SRV_CORE_TYPES_MAX];
    int slow_core; /**< from this core on, caches are half as large; 0: none */
    srv_reported reported;
    double noise_of_core[64]; /**< share lost */
    double steal, others;     /**< reported shares; NAN: none */
    double stolen_until;      /**< second from which on nothing is stolen; 0: never */
    srv_absence absence;      /**< that it tells */
    double slower_after;      /**< from this second on it runs at 1 GHz and not at 2; 0: never */
    double memory_bytes;
    int fail_at; /**< this traversal (from 1) fails; 0: none */

    int traversals;    /**< probes so far */
    int most_at_once;  /**< traversals in one probe */
    double sizes[512]; /**< of the first traversals, in their order */
    int size_count;
    double largest_bytes; /**< requested so far */
    int last_core;        /**< of the last probe */
    double seconds;       /**< the clock: what all that would have cost */
    uint64_t random;
} fake_machine;

/** A plain machine of one kind of cores "0-3": 32 KiB, 1 MiB, 16 MiB. */
void fake_machine_init(fake_machine *fake);

/** The latency it computes for a traversal alone, before jitter. */
double fake_machine_latency(const fake_machine *fake, const srv_traversal *traversal);

#endif
