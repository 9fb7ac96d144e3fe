/* SPDX-License-Identifier: BSD-3-Clause */
/** Test plans for a cache level and a core type. */
#ifndef SRV_FACTS_SHARING_STAGE_VIEW_H
#define SRV_FACTS_SHARING_STAGE_VIEW_H

#include "facts/sharing/benchmark_eviction.h"
#include "facts/sharing/benchmark.h"
#include "facts/sharing/detect.h"
#include "run/stage.h"

/** Ends the probes of a level, without an error: time is up, the limit is reached, or there is no
 * evidence. */
#define SRV_UNDECIDED SERVET_EUNMEASURED

/** Sets for the tests and their expected times; 0 bytes if a test has no evidence. */
typedef struct srv_sharing_view {
    double traversal_bytes; /**< each core traverses so much: two such sets don't fit together */
    srv_contrast traversal;
    double read_bytes; /**< one core brings in so much, another one reads it */
    srv_contrast read;
    /** exact capacity: one core has half of it, another one traverses far more */
    double evict_bytes;
    srv_contrast evict;
    double kept_ns, lost_ns; /**< reference times of `evict`; 0 if not measured */
    bool has_turnover;       /**< lines vanish: tests cannot prove that cores do not share it */
    srv_doubling alone;      /**< source of `traversal` */
} srv_sharing_view;

/**
 * The layout of sets that are read: every second line of a traversal, because a prefetcher that
 * fetches lines in pairs would make half of the loads fast, wherever they come from.
 */
srv_sharing_layout srv_sharing_read_layout(const srv_sharing_layout *layout);

/** A cache level among its neighbours, as a core sees it. */
typedef struct srv_sharing_level {
    servet_cache cache;
    double above_bytes;  /**< capacity of the level above; 0: it is the first */
    double beyond_bytes; /**< of the level behind it; INFINITY: that is memory */
} srv_sharing_level;

/** Level `level` of a core from the profile; false if it has none, or none was measured. */
bool srv_sharing_level_of(const servet_profile *profile, const servet_at *at, int level,
                          srv_sharing_level *found);

/**
 * Prepares the tests of a level: traverses sets with `core` alone for the expected times; on a
 * cache with turnover, traversals are no evidence. `most_bytes` limits the sets. Errors: those of
 * the machine, SRV_UNDECIDED.
 */
int srv_sharing_prepare(const srv_stage *stage, const srv_sharing_layout *layout, int core,
                        const srv_sharing_level *level, double most_bytes, srv_sharing_view *view,
                        servet_error *error);

#endif
