/* SPDX-License-Identifier: BSD-3-Clause */
/** Times one rank's messages of an exchange. */
#ifndef SRV_RANKS_MESSAGE_TIMER_H
#define SRV_RANKS_MESSAGE_TIMER_H

#include "machine/hardware/clock.h"
#include "machine/ranks/exchange_plan.h"
#include "machine/ranks/transport.h"

/** Memory that messages come from or go to. */
typedef struct srv_message_pool {
    char *base;
    size_t bytes;
    size_t step, end; /**< a message begins every `step` bytes, before `end` */
    size_t at;
} srv_message_pool;

typedef struct srv_message_timer {
    srv_transport transport;
    const srv_clock *clock;
    size_t rotated_bytes; /**< more than any cache holds, for rotated buffers */
    srv_message_pool out, in;
    int *member; /**< ranks of the group of a collective operation, the root first; room for all */
    unsigned read; /**< sum of the bytes read from touched messages, so that reading cannot be
                      optimized away */
} srv_message_timer;

/** Takes memory for the messages of the part, as far as their number is known, and touches it here.
 * Errors: SERVET_EMEMORY. */
int srv_message_timer_prepare(srv_message_timer *timer, const srv_exchange_part *part,
                              servet_error *error);

/** Sends the messages that warm up connections, buffers and caches; seconds that one took. */
double srv_message_timer_warm_up(srv_message_timer *timer, const srv_exchange_part *part);

/** Starts together with the other parts; seconds of a message in samples[0..part->samples-1], and
 * their mean as result. */
double srv_message_timer_sample(srv_message_timer *timer, const srv_exchange_part *part,
                                double *samples);

/** Frees the memory of messages. A zeroed one is valid. */
void srv_message_timer_finish(srv_message_timer *timer);

#endif
