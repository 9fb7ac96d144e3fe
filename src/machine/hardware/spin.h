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

/** The fastest loop of independent additions on a core; a thread that shares the core's units slows
 * it down. */
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

/** The slowdown, relative to the fastest loop, of a loop that took `ns` at `ghz`; 1 if it is the
 * fastest now. */
double srv_spin_busy(srv_spin_pace *pace, double ns, double ghz);

/** Spins for about 10 us, always the same work; returns its time in ns. */
double srv_spin_once(const srv_clock *clock);

#endif
