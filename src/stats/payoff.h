/* SPDX-License-Identifier: BSD-3-Clause */
/** Payoff of one message instead of several (share/doc/measuring.md). */
#ifndef SRV_STATS_PAYOFF_H
#define SRV_STATS_PAYOFF_H

#include "servet/network.h"

/** Times are within this of each other where nothing makes a difference: medians of the same
 * message differ by so much from visit to visit. */
#define SRV_PAYOFF_NOISE 0.02

/** The payoff by the interval of the gain, the time of several messages divided by that of one: it
 * pays if all of the interval is above 1 by more than noise, and loses if all is below. */
servet_payoff srv_payoff_of(double low, double high);

#endif
