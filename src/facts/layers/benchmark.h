/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What a message takes between all pairs of some things, cores of a node or nodes of a job. In
 * rounds of a tournament disjoint pairs go at once, so that N things take about N rounds and not
 * N^2 messages. A sample of the pairs is asked alone, too: where it is faster there, fewer pairs go
 * at once.
 */
#ifndef SRV_FACTS_LAYERS_BENCHMARK_H
#define SRV_FACTS_LAYERS_BENCHMARK_H

#include "machine/messaging.h"

typedef struct srv_meetings_plan {
    srv_messaging messaging;
    const int *ranks; /**< the rank of thing t in copy c at [c * count + t] */
    int count;        /**< things; where time is too short for all, a sample is asked: see
                           srv_sample_runs() */
    int copies;       /**< nodes alike are asked at once, and answer for each other */
    double bytes;     /**< of a message */
} srv_meetings_plan;

/** A matrix of times, symmetric where each pair was asked once. */
typedef struct srv_meetings {
    int count;       /**< things that were asked */
    int at_once;     /**< pairs that were asked at once */
    int *things;     /**< which of the plan's they are, ascending */
    double *seconds; /**< of a message, by rows: the median of the copies; the first visit of things
                        a < b at [a * count + b], the second one or else the first again at [b *
                        count + a]; 0 on the diagonal */
} srv_meetings;

/**
 * Asks all pairs, twice where that takes little time. The caller finishes `meetings`. Errors: those
 * of the network, SERVET_EINTERRUPTED, SERVET_EMEMORY.
 */
int srv_bench_meetings(const srv_meetings_plan *plan, srv_meetings *meetings, servet_error *error);

/** Frees what it holds; a zeroed one is fine. */
void srv_meetings_finish(srv_meetings *meetings);

#endif
