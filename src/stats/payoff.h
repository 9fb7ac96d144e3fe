/* SPDX-License-Identifier: BSD-3-Clause */
/** Whether one message pays against several (share/doc/measuring.md). */
#ifndef SRV_STATS_PAYOFF_H
#define SRV_STATS_PAYOFF_H

#include "servet/network.h"

/** Times are within this of each other where nothing makes a difference: medians of the same
 * message differ by so much from visit to visit. */
#define SRV_PAYOFF_NOISE 0.02

/** By the interval of the gain, the time of several messages divided by that of one: all of it
 * above 1 by the noise and more pays, all of it below loses. */
servet_payoff srv_payoff_of(double low, double high);

#endif
