/* SPDX-License-Identifier: BSD-3-Clause */
/** Payoff of one message instead of several (share/doc/measuring.md). */
#ifndef SRV_STATS_PAYOFF_H
#define SRV_STATS_PAYOFF_H

#include "servet/network.h"

/** Relative difference of equal times: medians of the same message differ by this from visit to
 * visit. */
#define SRV_PAYOFF_NOISE 0.02

/** Returns the payoff for the interval of the gain, which is the time of several messages divided
 * by the time of one. One message pays if the whole interval is above 1 by more than the noise, and
 * loses if it is below 1 by more than the noise. */
servet_payoff srv_payoff_of(double low, double high);

#endif
