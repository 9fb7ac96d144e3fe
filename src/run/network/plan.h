/* SPDX-License-Identifier: BSD-3-Clause */
/** Benchmarks of a network, their costs, and the division of the budget. Pure: sends no probe. */
#ifndef SRV_RUN_NETWORK_PLAN_H
#define SRV_RUN_NETWORK_PLAN_H

#include "run/network/step.h"

/** An estimated cost may be wrong by this factor; time that one leaves goes to the others. */
#define SRV_NETWORK_COST_DOUBT 3

/** `only` (1u << srv_network_benchmark of each, 0: all) with all that those need. */
unsigned srv_network_wanted(unsigned only);

/** Seconds that the benchmarks of a set take where nothing cuts them. */
double srv_network_set_cost(unsigned set, const srv_network_scale *scale);

/**
 * Seconds for one of the benchmarks of `set`, all still to run, out of the `left` for them. Each
 * gets the same, and none more than its cost with all doubt, so that the one that takes most is
 * cut; where there is time for all of them, in proportion to their costs.
 */
double srv_network_share(srv_network_benchmark benchmark, unsigned set,
                         const srv_network_scale *scale, double left);

#endif
