/* SPDX-License-Identifier: BSD-3-Clause */
/** Spinning: warming a core up, its frequency, and how much of its time others take. */
#ifndef SRV_HARDWARE_SPIN_H
#define SRV_HARDWARE_SPIN_H

#include "machine/hardware/clock.h"
#include "machine/machine.h"

/** Spins until a fixed loop stops getting faster (at least 1 ms, at most 200 ms). */
void srv_spin_warm(const srv_clock *clock);

/** Core cycles per ns: a chain of dependent register additions takes one cycle each. About 0.1 ms,
 *  short enough to stand next to every measurement, for frequencies change within seconds. */
double srv_spin_frequency(const srv_clock *clock);

/** Spins on `core`, where the thread runs, for `seconds` (at most about 0.15) in quanta of about
 *  10 us, and says how much time went missing. */
void srv_spin_noise(const srv_clock *clock, int core, double seconds, srv_noise *noise);

#endif
