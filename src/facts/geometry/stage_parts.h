/* SPDX-License-Identifier: BSD-3-Clause */
/** Exact capacities by conflict: the first level by lines at a stride, the next ones by pages that
 * evict each other.
 *
 * A latency curve shows where loads begin to miss on average, which interference smears over
 * octaves; a capacity is ways times sets times line, integers that conflicts show directly
 * (share/doc/detection.md). */
#ifndef SRV_FACTS_GEOMETRY_STAGE_PARTS_H
#define SRV_FACTS_GEOMETRY_STAGE_PARTS_H

#include "facts/cache/stage_parts.h"
#include "facts/geometry/detect_lines.h"
#include "facts/geometry/detect_pages.h"
#include "run/stage.h"
#include "sample/sampler.h"

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

/** Measures the caches of `core` behind those that `geometry` has from an earlier look, with lines
 * of about `line_bytes` and working sets of `max_bytes` at most, and writes the series into
 * options->raw_dir. Conflicts that are not clear are no error. Errors: those of the machine,
 * SERVET_EIO, SERVET_EMEMORY. */
int srv_measure_geometry(const srv_stage *stage, int core, double line_bytes, double max_bytes,
                         srv_geometry *geometry, servet_error *error);

/** The caches that `facts` has from an earlier look, from the first one on, as far as conflicts
 * counted them and their sizes are trusted. */
srv_geometry srv_geometry_of(const srv_cache_facts *facts);

/** Ways times sets times line. */
double srv_geometry_bytes(const srv_geometry_cache *cache);

/** Adds the likely cache to the others if it has the size that the operating system reports of one:
 * two that know nothing of each other hardly err alike. */
void srv_geometry_settle(srv_geometry *geometry, const srv_reported *reported,
                         const srv_account *on);

/** Joins conflicts with the facts of a curve: a level of about the same size gets ways, sets and
 * the exact capacity, and its knee remains the reachable size; a cache that the curve does not show
 * is added; levels of the curve between caches of the geometry are removed, and those in front of a
 * whole one. A size of the curve that the likely cache contradicts is not trusted. */
void srv_geometry_join(const srv_geometry *geometry, srv_cache_facts *facts);

/** Explains which cache by conflict is which level of the `curve`, and which levels were added or
 * removed. */
void srv_geometry_explain(const srv_geometry *geometry, const srv_cache_facts *curve,
                          const srv_cache_facts *joined, const srv_account *on);

/** Elements have 4 KiB: the smallest page there is, and a part of larger ones. */
#define SRV_ELEMENT_BYTES 4096.0

/** Plan of a search. */
typedef struct srv_geometry_plan {
    int core;
    double line_bytes; /**< expected distance of neighbouring lines */
    servet_pages pages;
    uint64_t seed;
    srv_deadline deadline;
    /* of pages only: */
    double above_bytes; /**< of the caches in front: smaller sets are not measured, and this much
                           lies between two visits to a page */
    double max_bytes;   /**< larger sets are not measured */
    /** for progress and interruption; may be NULL */
    const srv_stage *stage;
} srv_geometry_plan;

/** Measures until `strides` is clear, and adds to it; the caller starts with an empty list and
 * frees it with srv_strides_finish(). Errors: those of the machine, SERVET_EMEMORY. */
int srv_probe_strides(srv_machine *machine, const srv_geometry_plan *plan, srv_strides *strides,
                      servet_error *error);

enum { SRV_RAMP_MAX = 64 };

/** The share of missing elements in a set of this size. */
typedef struct srv_ramp_point {
    int walked;
    double slow_share; /**< of the elements (0..1), in the quietest pass */
} srv_ramp_point;

/** The series of a search and its intermediate results. A zeroed one is empty. */
typedef struct srv_conflicts {
    double hit_ns; /**< of an element that is in the cache */
    int ramp_count;
    srv_ramp_point ramp[SRV_RAMP_MAX];
    srv_coeviction trials; /**< the last experiment: of random elements */
    srv_colours colours;   /**< that they show */
    int colour_count;      /**< of the cache, including colours without elements; 0: not clear */
    srv_coeviction turns;  /**< trials of elements of one colour, with fillers between them */
    int turn_rounds;       /**< of the last reading of the ways */
    srv_ways ways;         /**< that they show */
    bool ways_clear;
    bool late; /**< the plan's deadline ended something */
} srv_conflicts;

/** Measures until the colours are clear or no sizes are left; the result is in
 * conflicts->colours.count (0: not clear) and in the turns. The caller frees the conflicts. Errors:
 * those of the machine, SERVET_EMEMORY. */
int srv_probe_pages(srv_machine *machine, const srv_geometry_plan *plan, srv_conflicts *conflicts,
                    servet_error *error);

/** True if the ways are those of a cache behind the ones in front, clear or not. */
bool srv_conflicts_counted(const srv_conflicts *conflicts);

/** Explains the sizes, colours and ways, and what was not clear. */
void srv_explain_pages(const srv_conflicts *conflicts, const srv_geometry_plan *plan,
                       const srv_account *on);

/** Frees what it holds and leaves it empty. */
void srv_conflicts_finish(srv_conflicts *conflicts);

#endif
