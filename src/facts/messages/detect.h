/* SPDX-License-Identifier: BSD-3-Clause */
/** The protocols of a message curve. A library sends small messages one way and large ones another;
 * with each a message takes a latency and a time per byte, so that the curve is made of straight
 * pieces (Hockney's model, one by protocol). */
#ifndef SRV_FACTS_MESSAGES_DETECT_H
#define SRV_FACTS_MESSAGES_DETECT_H

#include "servet/network.h"
#include "stats/interval.h"

enum { SRV_PROTOCOLS_MAX = 8, SRV_PROTOCOL_POINTS_MIN = 3 };

/** Times of messages, sizes strictly ascending, all positive and finite. */
typedef struct srv_message_curve {
    const double *bytes, *seconds;
    int count;
    const double *errors; /**< relative standard error of each time; NULL: unknown */
} srv_message_curve;

/** Cuts the curve into the fewest straight pieces that explain it, protocols[0..*count-1],
 * ascending; a curve of fewer than SRV_PROTOCOL_POINTS_MIN points has none. `from` of a piece is
 * the smallest size that was measured in it; it begins between its `low` and `high`: neighbouring
 * sizes, or more distant ones if the curve could begin there equally well. `noise` is the least
 * relative error of a time. Errors: SERVET_EMEMORY. */
int srv_detect_protocols(const srv_message_curve *curve, double noise,
                         servet_protocol protocols[SRV_PROTOCOLS_MAX], int *count,
                         servet_error *error);

/** The ranges of sizes with one payoff, from `count` batches by messages and sizes, as they are
 * stored, into ranges[0..], which has room for `count`; returns their number. Where the payoff
 * changes between two sizes the limit is where the gain crosses 1 (on logarithmic scales), or else
 * the middle of the two. Of each number of messages the last range is unbounded. */
int srv_detect_aggregation(const servet_batch *batches, int count, servet_aggregation *ranges);

#endif
