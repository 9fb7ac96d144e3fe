/* SPDX-License-Identifier: BSD-3-Clause */
/** Benchmarks, their order, and the division of the budget. Pure: sends no probe. */
#ifndef SRV_RUN_PLAN_H
#define SRV_RUN_PLAN_H

#include "run/stage.h"

/** Seconds at the end of a run in which facts with few repeats are measured again. */
#define SRV_PLAN_LINGER_SECONDS 3.0

/** Quantities on which the cost of a benchmark depends. */
typedef struct srv_scale {
    int pus, core_types; /**< of the node */
    int levels; /**< of cache, the largest number of any kind; until they are known, that of most
                   machines */
} srv_scale;

/** A benchmark as the planner sees it. */
typedef struct srv_benchmark {
    servet_benchmark id;
    unsigned needs;                         /**< 1u << id of those whose facts it uses */
    double (*cost)(const srv_scale *scale); /**< seconds it takes where nothing cuts it */
    double least;       /**< share (0..1) of too short a time that it gets before others
                             do, up to its cost */
    const char *facts;  /**< that it stores, for servet_profile_distrust() */
    const char *shared; /**< those of them that depend on memory and caches which all cores share,
                             with "#" for the number of the last level of cache; may be "" */
    const char *series; /**< its raw series, patterns of fnmatch() */
    int (*run)(const srv_stage *stage, const srv_stage_place *place, servet_error *error);
} srv_benchmark;

/** `only` (1u << id of each, 0: all) with all that those need; what the approach has not is left
 * out. */
unsigned srv_plan_wanted(const srv_benchmark *plan, unsigned only);

/** Seconds that the benchmarks of a set take where nothing cuts them. */
double srv_plan_cost(const srv_benchmark *plan, unsigned set, const srv_scale *scale);

/**
 * Seconds for one of the benchmarks of `set` that are still to run, out of the `left` for all of
 * them: in proportion to their costs, so that time which one leaves over flows on to the later
 * ones.
 */
double srv_plan_share(const srv_benchmark *benchmark, const srv_benchmark *plan, unsigned set,
                      const srv_scale *scale, double left);

#endif
