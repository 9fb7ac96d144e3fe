/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The protocols of a message curve. A library sends small messages one way and large ones another;
 * with each a message takes a latency and a time per byte, so that the curve is made of straight
 * pieces (Hockney's model, one by protocol).
 */
#ifndef SRV_FACTS_MESSAGES_DETECT_PROTOCOL_H
#define SRV_FACTS_MESSAGES_DETECT_PROTOCOL_H

#include "servet/network.h"

enum { SRV_PROTOCOLS_MAX = 8, SRV_PROTOCOL_POINTS_MIN = 3 };

/** Times of messages, sizes strictly ascending, all positive and finite. */
typedef struct srv_message_curve {
    const double *bytes, *seconds;
    int count;
    const double *errors; /**< of each time the standard error, relative; NULL: none is known */
} srv_message_curve;

/**
 * Cuts the curve into as few straight pieces as explain it, protocols[0..*count-1], ascending, each
 * `from` the smallest size that was measured in it, with the interval of sizes between which it
 * begins: neighbours, or further apart where the curve would be explained about as well. Of fewer
 * than SRV_PROTOCOL_POINTS_MIN points none. `noise` is by how much (relative) a time may be wrong
 * at least, whatever its error. Errors: SERVET_EMEMORY.
 */
int srv_detect_protocols(const srv_message_curve *curve, double noise,
                         servet_protocol protocols[SRV_PROTOCOLS_MAX], int *count,
                         servet_error *error);

#endif
