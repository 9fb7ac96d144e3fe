/* SPDX-License-Identifier: BSD-3-Clause */
/** Spinning: warming a core up, and its frequency. */
#ifndef SRV_HARDWARE_SPIN_H
#define SRV_HARDWARE_SPIN_H

#include "machine/hardware/clock.h"

/** Spins until a fixed loop stops getting faster (at least 1 ms, at most 200 ms). */
void srv_spin_warm(const srv_clock *clock);

/** Core cycles per ns: a chain of dependent register additions takes one cycle each. About 0.1 ms,
 * short enough to accompany every measurement, because frequencies change within seconds. */
double srv_spin_frequency(const srv_clock *clock);

/** How fast independent additions can be on a core: what a thread that shares its units makes
 * slower. */
typedef struct srv_spin_pace {
    int core;              /**< OS number; -1: none yet */
    double fastest_cycles; /**< of the loop, since work on this core began */
} srv_spin_pace;

#define SRV_SPIN_PACE_INIT                                                                         \
    {                                                                                              \
        -1, 0                                                                                      \
    }

/** Begins with a core, where the thread runs: some 5 ms to see it undisturbed. */
void srv_spin_pace_begin(srv_spin_pace *pace, const srv_clock *clock, int core);

/** ns of a loop of independent additions, about 5 us: the median of three. */
double srv_spin_additions(const srv_clock *clock);

/** How much slower than the fastest the loop was that took `ns` at `ghz`; it may be the fastest
 * now: 1. */
double srv_spin_busy(srv_spin_pace *pace, double ns, double ghz);

/** Spins for about 10 us, always the same work; what that took, in ns. */
double srv_spin_once(const srv_clock *clock);

#endif
