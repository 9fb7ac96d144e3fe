/* SPDX-License-Identifier: BSD-3-Clause */
/** The share of a core's time that others take, and its causes. */
#ifndef SRV_HARDWARE_CORE_NOISE_H
#define SRV_HARDWARE_CORE_NOISE_H

#include "machine/hardware/clock.h"
#include "machine/machine.h"

/** Steal of a core at the last sample. */
typedef struct srv_stolen {
    int core; /**< -1: none was sampled yet */
    double seconds, at_ns;
} srv_stolen;

#define SRV_STOLEN_INIT                                                                            \
    {                                                                                              \
        -1, 0, 0                                                                                   \
    }

/**
 * Spins on `core`, where the thread runs, for `seconds` (at most about 0.15) and reports the time
 * lost. Stolen time is counted coarsely (10 ms): if `before` is of the same core, it is that of the
 * whole time since then.
 */
void srv_core_noise_measure(const srv_clock *clock, int core, double seconds, srv_stolen *before,
                            srv_noise *noise);

#endif
