/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Exact capacities by conflict: the first level by lines at a stride, the next ones by pages that
 * evict each other.
 *
 * A latency curve tells where loads begin to miss on average, which others smear over octaves; a
 * capacity is ways times sets times line, integers that conflicts show directly
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
    double hit_ns; /**< of a load that hits it, a little more with others between */
    double odds;   /**< by how much less likely (ln) another number of ways is */
} srv_geometry_cache;

/** The caches of a core, nearest first, as far as conflicts were clear: between two of them there
 * is no other. */
typedef struct srv_geometry {
    bool whole; /**< the first of them is the core's first; else there may be others in front of it
                 */
    int count;
    srv_geometry_cache cache[SRV_CACHES_MAX];
} srv_geometry;

/**
 * Asks for the caches of `core`, whose lines are thought to be `line_bytes`, with working sets of
 * `max_bytes` at most, and writes what was seen into options->raw_dir. That conflicts were not
 * clear is no error. Errors: those of the machine, SERVET_EIO, SERVET_EMEMORY.
 */
int srv_measure_geometry(const srv_stage *stage, int core, double line_bytes, double max_bytes,
                         srv_geometry *geometry, servet_error *error);

/** Ways times sets times line. */
double srv_geometry_bytes(const srv_geometry_cache *cache);

/**
 * Puts what conflicts say into the facts that a curve gave: a level of about the same size gets
 * ways, sets and the exact capacity, its knee stays what is reachable; a cache that the curve does
 * not show is added; levels of the curve between caches of the geometry go, and those in front of a
 * whole one.
 */
void srv_geometry_join(const srv_geometry *geometry, srv_cache_facts *facts);

/** Says why: which cache by conflict is which level of the `curve`, what was added and what went.
 */
void srv_geometry_explain(const srv_geometry *geometry, const srv_cache_facts *curve,
                          const srv_cache_facts *joined, const srv_account *on);

#endif
