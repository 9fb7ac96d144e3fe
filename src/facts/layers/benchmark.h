/* SPDX-License-Identifier: BSD-3-Clause */
/** Message times of all pairs of things, cores of a node or nodes of a job. In each round of a
 * round-robin schedule disjoint pairs run at once, so that N things take about N rounds instead of
 * N^2 messages. A sample of the pairs is measured alone, too: if it is faster there, fewer pairs
 * run at once. */
#ifndef SRV_FACTS_LAYERS_BENCHMARK_H
#define SRV_FACTS_LAYERS_BENCHMARK_H

#include "sample/messaging.h"

typedef struct srv_pairwise_plan {
    srv_messaging messaging;
    const int *ranks;     /**< the rank of thing t in copy c at [c * count + t] */
    int count;            /**< things; where time is too short for all, a sample is probed: see
                               srv_sample_runs() */
    int copies;           /**< nodes alike are probed at once, and stand for each other */
    double bytes;         /**< of a message */
    double sweep_seconds; /**< that probing all pairs once is worth, with a sample of the things
                               where it takes longer; 0: no limit */
} srv_pairwise_plan;

/** A matrix of times, symmetric where each pair was measured once. */
typedef struct srv_pairwise_latencies {
    int count;       /**< measured things */
    int at_once;     /**< pairs measured at once */
    int *things;     /**< which of the plan's they are, ascending */
    double *seconds; /**< of a message, by rows: the median of the copies; the first visit of things
                        a < b at [a * count + b], the second one or else the first again at [b *
                        count + a]; 0 on the diagonal */
} srv_pairwise_latencies;

/** Measures all pairs, twice if that takes little time. The caller finishes `latencies`. Errors:
 * those of the network, SERVET_EINTERRUPTED, SERVET_EMEMORY. */
int srv_bench_pairwise(const srv_pairwise_plan *plan, srv_pairwise_latencies *latencies,
                       servet_error *error);

/** Frees what it holds; a zeroed one is valid. */
void srv_pairwise_finish(srv_pairwise_latencies *latencies);

#endif
