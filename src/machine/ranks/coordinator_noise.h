/* SPDX-License-Identifier: BSD-3-Clause */
/** Commands ranks to measure the noise on their cores, all at once. */
#ifndef SRV_RANKS_COORDINATOR_NOISE_H
#define SRV_RANKS_COORDINATOR_NOISE_H

#include "machine/ranks/coordinator.h"

/** Serves SRV_REQUEST_NOISE. */
int srv_coordinator_measure_noise(srv_coordinator *coordinator);

#endif
