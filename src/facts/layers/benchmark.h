/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What a message takes between all pairs of some things, cores of a node or nodes of a job. In
 * rounds of a round-robin schedule disjoint pairs go at once, so that N things take about N rounds
 * and not N^2 messages. A sample of the pairs is asked alone, too: where it is faster there, fewer
 * pairs go at once.
 */
#ifndef SRV_FACTS_LAYERS_BENCHMARK_H
#define SRV_FACTS_LAYERS_BENCHMARK_H

#include "machine/messaging.h"

typedef struct srv_pairwise_plan {
    srv_messaging messaging;
    const int *ranks; /**< the rank of thing t in copy c at [c * count + t] */
    int count;        /**< things; where time is too short for all, a sample is asked: see
                           srv_sample_runs() */
    int copies;       /**< nodes alike are asked at once, and answer for each other */
    double bytes;     /**< of a message */
} srv_pairwise_plan;

/** A matrix of times, symmetric where each pair was asked once. */
typedef struct srv_pairwise_latencies {
    int count;       /**< things that were asked */
    int at_once;     /**< pairs that were asked at once */
    int *things;     /**< which of the plan's they are, ascending */
    double *seconds; /**< of a message, by rows: the median of the copies; the first visit of things
                        a < b at [a * count + b], the second one or else the first again at [b *
                        count + a]; 0 on the diagonal */
} srv_pairwise_latencies;

/**
 * Asks all pairs, twice where that takes little time. The caller finishes `latencies`. Errors:
 * those of the network, SERVET_EINTERRUPTED, SERVET_EMEMORY.
 */
int srv_bench_pairwise(const srv_pairwise_plan *plan, srv_pairwise_latencies *latencies,
                       servet_error *error);

/** Frees what it holds; a zeroed one is fine. */
void srv_pairwise_finish(srv_pairwise_latencies *latencies);

#endif
