/* SPDX-License-Identifier: BSD-3-Clause */
/** The messages that are timed: one rank's side of a passage. */
#ifndef SRV_RANKS_TRAFFIC_H
#define SRV_RANKS_TRAFFIC_H

#include "machine/hardware/clock.h"
#include "machine/ranks/plan.h"
#include "machine/ranks/talk.h"

/** Memory that messages come from or go to. */
typedef struct srv_pool {
    char *base;
    size_t bytes;
    size_t step, end; /**< a message begins every `step` bytes, before `end` */
    size_t at;
} srv_pool;

typedef struct srv_traffic {
    srv_talk talk;
    const srv_clock *clock;
    size_t rotated_bytes; /**< that no cache holds, for rotated buffers */
    srv_pool out, in;
    unsigned read; /**< sum of what was read of touched messages: somebody might ask for it */
} srv_traffic;

/** Takes memory for the messages of the part, as far as their number is said already, and touches
 * it here. Errors: SERVET_EMEMORY. */
int srv_traffic_prepare(srv_traffic *traffic, const srv_part *part, servet_error *error);

/** Sends the messages that warm up connections, buffers and caches; seconds that one took. */
double srv_traffic_warm_up(srv_traffic *traffic, const srv_part *part);

/** Starts together with the other parts; seconds of a message in samples[0..part->samples-1], and
 * their mean as result. */
double srv_traffic_sample(srv_traffic *traffic, const srv_part *part, double *samples);

/** Frees the memory. A zeroed one is fine. */
void srv_traffic_finish(srv_traffic *traffic);

#endif
