/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What a line that one core has modified takes to another one, for all pairs of cores (P-Ray,
 * LCPC'08, 3.3). Which distances are alike is not decided here.
 */
#ifndef SRV_FACTS_DISTANCE_BENCHMARK_H
#define SRV_FACTS_DISTANCE_BENCHMARK_H

#include "machine/machine.h"

typedef struct srv_distance_plan {
    const int
        *cores; /**< OS numbers; where time is too short for all, the last ones are left out */
    int count;
    uint64_t seed;
    double deadline; /**< on the machine's clock, in seconds; INFINITY: none */
    /** Told before each question, with the share (0..1) that is done; other than 0 ends the work.
     */
    int (*progress)(void *context, double done);
    void *context;
} srv_distance_plan;

/** A matrix of costs. */
typedef struct srv_distances {
    int count;    /**< cores that were asked: the first ones of the plan */
    int at_once;  /**< pairs that were asked at once */
    double *cost; /**< ns, by rows: at [reader * count + owner]; 0: not measured */
    bool *loose;  /**< in the same order: samples of the pair scattered to the last, in both
                       directions */
} srv_distances;

/**
 * Asks all pairs: disjoint ones at once, as many as a check shows not to disturb each other; each
 * in both directions and again as time allows, averaged over visits, for each lies elsewhere in
 * memory. Pairs whose samples scatter are asked again. The caller finishes `distances`. Errors:
 * those of the machine, SERVET_EINTERRUPTED, SERVET_EMEMORY.
 */
int srv_bench_distances(srv_machine *machine, const srv_distance_plan *plan,
                        srv_distances *distances, servet_error *error);

/** The question about one pair, all but its seed: for whoever asks it again. */
srv_line_transfer srv_distance_question(int owner, int reader);

/** Frees what it holds; a zeroed one is fine. */
void srv_distances_finish(srv_distances *distances);

#endif
