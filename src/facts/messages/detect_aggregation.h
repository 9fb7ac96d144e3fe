/* SPDX-License-Identifier: BSD-3-Clause */
/** At which sizes several messages to one process are better sent as one. Pure functions. */
#ifndef SRV_FACTS_MESSAGES_DETECT_AGGREGATION_H
#define SRV_FACTS_MESSAGES_DETECT_AGGREGATION_H

#include "servet/network.h"

/**
 * The ranges of sizes with one payoff, from `count` batches by messages and sizes, as they are
 * stored, into ranges[0..], which has room for `count`; returns their number. Where the payoff
 * changes between two sizes the limit is where the gain crosses 1 (on logarithmic scales), or else
 * the middle of the two. Of each number of messages the last range is unbounded.
 */
int srv_detect_aggregation(const servet_batch *batches, int count, servet_aggregation *ranges);

#endif
