/* SPDX-License-Identifier: BSD-3-Clause */
/** Processes spread evenly over the cores of a node. */
#ifndef SRV_FACTS_DEGRADATION_STAGE_SPREAD_H
#define SRV_FACTS_DEGRADATION_STAGE_SPREAD_H

#include "machine/machine.h"

/**
 * Orders cores[0..count-1] (OS numbers, ascending) so that every prefix is spread evenly over the
 * shared resources: order[0..count-1] are indices of `cores`. The next core is the one whose sets
 * are least full. Errors: SERVET_EMEMORY.
 */
int srv_network_spread(const srv_sets *sets, const int *cores, int count, int *order,
                       servet_error *error);

#endif
