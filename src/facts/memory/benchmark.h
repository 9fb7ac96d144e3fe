/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Measuring memory: the kernels on one core, one kernel on several cores at once, and how far the
 * memory of other NUMA nodes is. What is a lot and what is little is not decided here.
 */
#ifndef SRV_FACTS_MEMORY_BENCHMARK_H
#define SRV_FACTS_MEMORY_BENCHMARK_H

#include "sample/sampler.h"

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

/**
 * True if plan->memory_bytes has room for `at_once` cores, so that no cache holds their arrays: if
 * not, rates may be those of a cache.
 */
bool srv_memory_suffices(const srv_memory_plan *plan, int at_once);

/** The plan's kernel on a core while `at_once` cores run; for repeats. */
srv_stream srv_memory_plan_stream(const srv_memory_plan *plan, int core, int at_once);

/**
 * A chase from a core through the memory of a node (see srv_traversal.node), which is longer than
 * any cache.
 */
srv_traversal srv_memory_plan_chase(const srv_memory_plan *plan, int core, int node);

/**
 * Runs the plan's kernel on `n` cores at once; rates[i] is that of the core at places[i], in B/s.
 * Errors: those of the machine, SERVET_EMEMORY.
 */
int srv_memory_together(const srv_memory_plan *plan, const int *places, int n, srv_spread *rates,
                        servet_error *error);

/**
 * Runs every kernel on the core at `place` alone, and the copies repeatedly, because they are the
 * reference for all others: rates[kernel] in B/s, the best of the visits; n is 0 for a kernel that
 * the processor has no stores for, or after the deadline. Errors: those of the machine,
 * SERVET_EINTERRUPTED.
 */
int srv_bench_kernels(const srv_memory_plan *plan, int place, srv_spread rates[SERVET_KERNEL_COUNT],
                      servet_error *error);

/** Bandwidth between the cores of one NUMA node and the memory of another. */
typedef struct srv_remote {
    srv_spread bandwidth; /**< of the read kernel, B/s; n 0: not measured */
    srv_spread latency;   /**< of a load, ns; n 0: not measured */
} srv_remote;

/**
 * Reads from each of `count` NUMA nodes (in the order of srv_machine_ops.nodes) on a core near to
 * each: near[i] is its OS number, or negative for memory alone. remotes[i * count + j] is from core
 * near[i] to node j. Pairs after the deadline or beyond SRV_REMOTES_MAX, and nodes whose memory the
 * system refuses, stay unmeasured. Errors: those of the machine, SERVET_EINTERRUPTED.
 */
int srv_bench_remotes(const srv_memory_plan *plan, const int *near, int count, srv_remote *remotes,
                      servet_error *error);

/* 16 nodes all to all; a machine of more has taken a minute by then. */
enum { SRV_REMOTES_MAX = 256 };

#endif
