/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Which pairs of cores slow each other down in memory (IPDPS'10, Fig. 6), without asking all pairs.
 *
 * Load only ever takes bandwidth away: cores of which each keeps its whole rate while many run
 * would keep it in pairs, too. So many cores are asked at once, as many as keep theirs, and one
 * answer settles all pairs among those that do. Only pairs that are slow are asked one by one; they
 * are few where cores are many, for what two cores can fill serves a part of them only.
 */
#ifndef SRV_FACTS_MEMORY_BENCHMARK_CONTENTION_H
#define SRV_FACTS_MEMORY_BENCHMARK_CONTENTION_H

#include "facts/memory/benchmark_pairs.h"

/**
 * Finds the pairs of which one keeps less than the share `whole` (0..1) of alone[place], its rate
 * alone in B/s. A pair that would say something new, by its share or by whom it ties, is asked
 * again, and each of the two alone in the same moments; its best answer counts, for disturbances
 * only slow down. The caller finishes `found`. Errors: those of the machine, SERVET_EINTERRUPTED,
 * SERVET_EMEMORY.
 */
int srv_bench_contention(srv_machine *machine, const srv_memory_plan *plan, const double *alone,
                         double whole, srv_contentions *found, servet_error *error);

/** Frees what it holds; a zeroed one is fine. */
void srv_contentions_finish(srv_contentions *found);

#endif
