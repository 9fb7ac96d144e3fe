/* SPDX-License-Identifier: BSD-3-Clause */
/** Who disturbs the ranks, as the main thread of rank 0 asks all of them at once. */
#ifndef SRV_RANKS_NOISE_H
#define SRV_RANKS_NOISE_H

#include "machine/ranks/preside.h"

/** Serves SRV_REQUEST_NOISE. */
int srv_preside_noise(srv_office *office);

#endif
