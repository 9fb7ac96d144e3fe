/* SPDX-License-Identifier: BSD-3-Clause */
/** Measuring memory: the kernels on one core, one kernel on several cores at once, and how far the
 * memory of other NUMA nodes is. What is a lot and what is little is not decided here. */
#ifndef SRV_FACTS_MEMORY_BENCHMARK_H
#define SRV_FACTS_MEMORY_BENCHMARK_H

#include "sample/sampler.h"
#include "stats/contention.h"

/** Common part of all memory probes. Cores are identified by their index in `cores`. */
typedef struct srv_memory_plan {
    const int *cores; /**< OS numbers */
    int count;
    servet_kernel kernel; /**< the copy for bandwidth */
    double bytes;         /**< of the arrays of one core: more than caches hold */
    int instances;        /**< of the largest cache: with more cores than that at once, each can do
                               with less; 0: unknown */
    double line_bytes;    /**< distance of loads for latency */
    double memory_bytes;  /**< that the arrays of all cores may take together; each takes less than
                               `bytes` where they would not fit */
    servet_pages pages;
    uint64_t seed;
    srv_sampler sampler;
} srv_memory_plan;

/** True if plan->memory_bytes has room for `at_once` cores, so that no cache holds their arrays: if
 * not, rates may be those of a cache. */
bool srv_memory_suffices(const srv_memory_plan *plan, int at_once);

/** The plan's kernel on a core while `at_once` cores run; for repeats. */
srv_stream srv_memory_plan_stream(const srv_memory_plan *plan, int core, int at_once);

/** A chase from a core through the memory of a node (see srv_traversal.node), which is longer than
 * any cache. */
srv_traversal srv_memory_plan_chase(const srv_memory_plan *plan, int core, int node);

/** Runs the plan's kernel on `n` cores at once; rates[i] is that of the core at places[i], in B/s.
 * Errors: those of the machine, SERVET_EMEMORY. */
int srv_memory_together(const srv_memory_plan *plan, const int *places, int n, srv_spread *rates,
                        servet_error *error);

/** Runs every kernel on the core at `place` alone, and the copies repeatedly, because they are the
 * reference for all others: rates[kernel] in B/s, the best of the visits; n is 0 for a kernel that
 * the processor has no stores for, or after the deadline. Errors: those of the machine,
 * SERVET_EINTERRUPTED. */
int srv_bench_kernels(const srv_memory_plan *plan, int place, srv_spread rates[SERVET_KERNEL_COUNT],
                      servet_error *error);

/** Bandwidth between the cores of one NUMA node and the memory of another. */
typedef struct srv_remote {
    srv_spread bandwidth; /**< of the read kernel, B/s; n 0: not measured */
    srv_spread latency;   /**< of a load, ns; n 0: not measured */
} srv_remote;

/** Reads from each of `count` NUMA nodes (in the order of srv_machine_ops.nodes) on a core near to
 * each: near[i] is its OS number, or negative for memory alone. remotes[i * count + j] is from core
 * near[i] to node j. Pairs after the deadline or beyond SRV_REMOTES_MAX, and nodes whose memory the
 * system refuses, stay unmeasured. Errors: those of the machine, SERVET_EINTERRUPTED. */
int srv_bench_remotes(const srv_memory_plan *plan, const int *near, int count, srv_remote *remotes,
                      servet_error *error);

/* 16 nodes all to all; a machine of more has taken a minute by then. */
enum { SRV_REMOTES_MAX = 256 };

/** Pairs of places in the plan. */
typedef struct srv_contentions {
    srv_contention *pair; /**< all that were found */
    size_t count;
    size_t probes;     /**< measured */
    size_t unmeasured; /**< pairs without a result: the deadline came first, or the limit of
                         SRV_CONTENTION_PROBES */
} srv_contentions;

/** Limit of probes for `n` cores: all pairs of small nodes, and linear beyond. */
#define SRV_CONTENTION_PROBES(n) ((n) > 40 ? 24 * (size_t)(n) : 960)

/** Finds the pairs of which one keeps less than the share `whole` (0..1) of alone[place], its rate
 * alone in B/s. A pair with a new share, or that connects new cores, is measured again, with each
 * of the two alone at the same time; its best result counts, because interference only slows down.
 * The caller finishes `found`. Errors: those of the machine, SERVET_EINTERRUPTED,
 * SERVET_EMEMORY. */
int srv_bench_contention(const srv_memory_plan *plan, const double *alone, double whole,
                         srv_contentions *found, servet_error *error);

/** Frees what it holds; a zeroed one is valid. */
void srv_contentions_finish(srv_contentions *found);

/** The bandwidth that each of `cores` active cores gets; B/s. */
typedef struct srv_scaling {
    int cores;
    double each, low, high; /**< mean over the cores of the medians and of the quartiles */
} srv_scaling;

enum { SRV_SCALING_MAX = 64 };

/** Runs the kernel on places[0], places[0..1], and so on to all `n`: at every number of few cores,
 * then at steps of a third to a half, and at every number around the smallest that gets the share
 * `enough` (0..1) of the best total. points[0..*count-1] are ascending; fewer where the deadline
 * came first, and then perhaps not to all `n`. Errors: those of the machine, SERVET_EINTERRUPTED,
 * SERVET_EMEMORY. */
int srv_bench_scaling(const srv_memory_plan *plan, const int *places, int n, double enough,
                      srv_scaling points[SRV_SCALING_MAX], int *count, servet_error *error);

/** Sets of cores that share a NUMA node or a cache. */
typedef struct srv_neighbours {
    const int *cores; /**< OS numbers of the plan's cores */
    srv_sets sets;    /**< of OS numbers */
} srv_neighbours;

/** Orders places[0..n-1] so that contending cores come last: next is always the one that loses the
 * least beside those before it, by the pairs `found`, then the one with the fewest of them in its
 * sets, all together. Errors: SERVET_EMEMORY. */
int srv_scaling_order(const srv_contentions *found, const srv_neighbours *near, int *places, int n,
                      servet_error *error);

#endif
