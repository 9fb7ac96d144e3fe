/* SPDX-License-Identifier: BSD-3-Clause */
/** Spinning: warming a core up, and its frequency. */
#ifndef SRV_HARDWARE_SPIN_H
#define SRV_HARDWARE_SPIN_H

#include "machine/hardware/clock.h"

/** Spins until a fixed loop stops getting faster (at least 1 ms, at most 200 ms). */
void srv_spin_warm(const srv_clock *clock);

/** Core cycles per ns: a chain of dependent register additions takes one cycle each. About 0.1 ms,
 *  short enough to stand next to every measurement, for frequencies change within seconds. */
double srv_spin_frequency(const srv_clock *clock);

/** Spins for about 10 us, always the same work; what that took, in ns. */
double srv_spin_once(const srv_clock *clock);

#endif
