/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Searches for pages that evict each other: the size of an experiment that shows a cache, the pages
 * that have one colour there, and the number of pages of one colour that it holds.
 * facts/geometry/detect_colours.h and facts/geometry/detect_ways.h decide what the answers mean.
 */
#ifndef SRV_FACTS_GEOMETRY_STAGE_PAGES_H
#define SRV_FACTS_GEOMETRY_STAGE_PAGES_H

#include "facts/geometry/detect_colours.h"
#include "facts/geometry/detect_turns.h"
#include "sample/sampler.h"
#include "run/stage.h"

/** Plan of a search. */
typedef struct srv_pages_plan {
    int core;
    double element_bytes; /**< of an element; see srv_eviction */
    double line_bytes;
    servet_pages pages;
    double above_bytes; /**< of the caches in front: smaller sets are not measured, and this much
                           lies between two visits to a page */
    double max_bytes;   /**< larger sets are not measured */
    uint64_t seed;
    srv_deadline deadline;
    /** for progress and interruption; may be NULL */
    const srv_stage *stage;
} srv_pages_plan;

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
    srv_turn_trials turns; /**< trials of elements of one colour, with fillers between them */
    int turn_rounds;       /**< of the last reading of the ways */
    srv_ways ways;         /**< that they show */
    bool ways_clear;
    bool late; /**< the plan's deadline ended something */
} srv_conflicts;

/**
 * Measures until the colours are clear or no sizes are left; the result is in
 * conflicts->colours.count (0: not clear) and in the turns. The caller frees the conflicts. Errors:
 * those of the machine, SERVET_EMEMORY.
 */
int srv_probe_pages(srv_machine *machine, const srv_pages_plan *plan, srv_conflicts *conflicts,
                    servet_error *error);

/** True if the ways are those of a cache behind the ones in front, clear or not. */
bool srv_conflicts_counted(const srv_conflicts *conflicts);

/** Explains the sizes, colours and ways, and what was not clear. */
void srv_explain_pages(const srv_conflicts *conflicts, const srv_pages_plan *plan,
                       const srv_account *on);

/** Frees what it holds and leaves it empty. */
void srv_conflicts_finish(srv_conflicts *conflicts);

#endif
