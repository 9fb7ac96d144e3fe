/* SPDX-License-Identifier: BSD-3-Clause */
/** Targets of loads, a cache level or memory, and the working sets in them. */
#ifndef SRV_FACTS_CONCURRENCY_STAGE_TARGETS_H
#define SRV_FACTS_CONCURRENCY_STAGE_TARGETS_H

#include "facts/concurrency/benchmark.h"
#include "run/stage.h"

enum { SRV_TARGETS_MAX = SERVET_CACHE_LEVELS_MAX + 1, SRV_TEAMS_MAX = 40 };

/** A cache level, or memory, as one core sees it. */
typedef struct srv_measure_target {
    int level;              /**< 0: memory */
    double line;            /**< bytes */
    double bytes;           /**< of a working set in it; 0: there is none */
    double above, capacity; /**< bytes of the level above, and its own; memory's is INFINITY */
    bool trusted;           /**< false with turnover, or if memory is too short for a whole set */
} srv_measure_target;

/** The targets of `at->core` by the caches in the profile, then memory, of which this job may use
 * `memory` bytes. Returns their number. */
int srv_targets_of(const servet_profile *profile, const servet_at *at, double memory,
                   srv_measure_target targets[SRV_TARGETS_MAX]);

/** The cores that share the target with `at->core`, which comes first, those that share the last
 * cache with it next; for memory all of the node. `*cores` (the caller frees it) is NULL and
 * `*count` 0 if this is unknown. Errors: SERVET_EMEMORY. */
int srv_target_cores(const servet_profile *profile, const servet_at *at,
                     const srv_measure_target *target, int **cores, int *count,
                     servet_error *error);

/** The numbers of `core_count` such cores to measure at once, and their sets, in .count and .bytes
 * of teams[0..result-1]; `together` of the cores share the last cache. */
int srv_target_teams(const srv_measure_target *target, int core_count, int together, double memory,
                     srv_load teams[SRV_TEAMS_MAX]);

#endif
