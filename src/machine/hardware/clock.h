/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The clock: the processor's own counter where it is proven good, else CLOCK_MONOTONIC_RAW.
 *
 * A counter is used only if it keeps a constant rate against CLOCK_MONOTONIC_RAW and never runs
 * backwards; CPUID's report about it is neither sufficient in a guest nor necessary.
 */
#ifndef SRV_HARDWARE_CLOCK_H
#define SRV_HARDWARE_CLOCK_H

#include <stdint.h>

#include "servet/error.h"

typedef struct srv_clock {
    const char *name;
    uint64_t (*ticks)(void);
    double ns_per_tick;
    double overhead_ns;   /**< of an empty interval */
    double resolution_ns; /**< smallest step seen */
} srv_clock;

/** Chooses, validates and calibrates; takes about 20 ms. SERVET_EMACHINE: the system's clock stands
 * still, or ticks too coarsely to time anything by. */
int srv_clock_init(srv_clock *clock, servet_error *error);

/** Nanoseconds of CLOCK_MONOTONIC_RAW, for long times and for checks of counters. */
double srv_clock_raw_ns(void);

#endif
