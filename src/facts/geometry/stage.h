/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Exact capacities by conflict: the first level by lines at a stride, the next ones by pages that
 * evict each other.
 *
 * A latency curve shows where loads begin to miss on average, which interference smears over
 * octaves; a capacity is ways times sets times line, integers that conflicts show directly
 * (share/doc/detection.md).
 */
#ifndef SRV_FACTS_GEOMETRY_STAGE_H
#define SRV_FACTS_GEOMETRY_STAGE_H

#include "facts/cache/result.h"
#include "run/stage.h"

/** A cache as conflicts show it. */
typedef struct srv_geometry_cache {
    int ways, sets;
    double line_bytes;
    double hit_ns; /**< of a load that hits it; slightly more with foreign lines */
    double odds;   /**< advantage (ln likelihood) over the next best number of ways */
} srv_geometry_cache;

/** The caches of a core, nearest first, as far as conflicts were clear: between two of them there
 * is no other. */
typedef struct srv_geometry {
    /** the first of them is the core's first; else there may be others in front of it */
    bool whole;
    int count;
    srv_geometry_cache cache[SRV_CACHES_MAX];
    srv_geometry_cache likely; /**< the next one, by a count that is not clear; ways 0: none */
} srv_geometry;

/**
 * Measures the caches of `core`, with lines of about `line_bytes` and working sets of `max_bytes`
 * at most, and writes the series into options->raw_dir. Conflicts that are not clear are no error.
 * Errors: those of the machine, SERVET_EIO, SERVET_EMEMORY.
 */
int srv_measure_geometry(const srv_stage *stage, int core, double line_bytes, double max_bytes,
                         srv_geometry *geometry, servet_error *error);

/** Ways times sets times line. */
double srv_geometry_bytes(const srv_geometry_cache *cache);

/** Adds the likely cache to the others if it has the size that the operating system reports of one:
 * two that know nothing of each other hardly err alike. */
void srv_geometry_settle(srv_geometry *geometry, const srv_reported *reported,
                         const srv_account *on);

/**
 * Joins conflicts with the facts of a curve: a level of about the same size gets ways, sets and the
 * exact capacity, and its knee remains the reachable size; a cache that the curve does not show is
 * added; levels of the curve between caches of the geometry are removed, and those in front of a
 * whole one. A size of the curve that the likely cache contradicts is not trusted.
 */
void srv_geometry_join(const srv_geometry *geometry, srv_cache_facts *facts);

/** Explains which cache by conflict is which level of the `curve`, and which levels were added or
 * removed. */
void srv_geometry_explain(const srv_geometry *geometry, const srv_cache_facts *curve,
                          const srv_cache_facts *joined, const srv_account *on);

#endif
