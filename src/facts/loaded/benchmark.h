/* SPDX-License-Identifier: BSD-3-Clause */
/** Measures the curve of a loaded latency: a chase alone, beside generators without pauses, and
 * beside pauses in between, until neighbouring points are near to each other in bandwidth and in
 * latency. Then all points are visited again, round after round, so that each round is a curve. */
#ifndef SRV_FACTS_LOADED_BENCHMARK_H
#define SRV_FACTS_LOADED_BENCHMARK_H

#include "facts/memory/benchmark.h"

/** The plan of one curve. */
typedef struct srv_loaded_plan {
    const srv_memory_plan *memory; /**< sizes, pages, and the sampler */
    int core;                      /**< OS number of the PU that chases */
    int node;                      /**< of the memory; see srv_traversal.node */
    const int *generators;         /**< OS numbers of their PUs */
    int count;                     /**< of them; at least one */
    int modified;                  /**< see srv_load_request.modified */
    int rounds;                    /**< 1 to SRV_LOADED_ROUNDS_MAX */
} srv_loaded_plan;

enum { SRV_LOADED_POINTS_MAX = 20, SRV_LOADED_ROUNDS_MAX = 6 };

/** A load, and the visits to it. */
typedef struct srv_loaded_point {
    int step; /**< number of the pause, see srv_loaded_pause() */
    int visits;
    double ns[SRV_LOADED_ROUNDS_MAX];   /**< of a load of the chase */
    double rate[SRV_LOADED_ROUNDS_MAX]; /**< of the generators, B/s */
} srv_loaded_point;

/** The points of a curve, the greatest load first. */
typedef struct srv_loaded_series {
    srv_loaded_point point[SRV_LOADED_POINTS_MAX];
    int count; /**< fewer than three: there was no time, or the memory could not be had */
} srv_loaded_series;

/** The pause of a step, whole ns: steps from 0, none, to the longest one; INFINITY: the generators
 * rest. */
double srv_loaded_pause(int step);

/** Bytes of the array of each of `count` generators. */
double srv_loaded_bytes(const srv_memory_plan *memory, int count);

/** Measures the curve, fewer points and rounds of it after the deadline. The memory of a node that
 * the system refuses gives no points. Errors: those of the machine, SERVET_EINTERRUPTED. */
int srv_bench_loaded(const srv_loaded_plan *plan, srv_loaded_series *series, servet_error *error);

#endif
