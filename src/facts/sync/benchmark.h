/* SPDX-License-Identifier: BSD-3-Clause */
/** Measuring operations by which threads synchronize: rounds of visits to all operations and sets
 * of cores, so that the visits of each are spread over the whole time. It decides nothing. */
#ifndef SRV_FACTS_SYNC_BENCHMARK_H
#define SRV_FACTS_SYNC_BENCHMARK_H

#include "sample/sampler.h"
#include "stats/interval.h"
#include "stats/moments.h"

/** An operation of some cores. */
typedef struct srv_sync_point {
    servet_sync_op op;
    const int *cores; /**< OS numbers */
    int count, layer; /**< see servet_sync */
    int visits;       /**< 0: there was no time, the machine lacks it, or the cores never met */
    bool refused;     /**< the machine lacks it */
    srv_repeat visit[SRV_RANKS_MIN]; /**< ns */
} srv_sync_point;

/** The probe of a point. */
srv_sync srv_sync_probe(const srv_sync_point *point);

/** Visits all points as far as time allows. Errors: those of the machine but SERVET_EUNSUPPORTED,
 * SERVET_EINTERRUPTED. */
int srv_bench_sync(const srv_sampler *sampler, srv_sync_point *points, int count,
                   servet_error *error);

#endif
