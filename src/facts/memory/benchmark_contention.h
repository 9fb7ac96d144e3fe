/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Finds pairs of cores that slow each other down in memory (IPDPS'10, Fig. 6), without measuring
 * all pairs.
 *
 * Load only ever takes bandwidth away: cores of which each keeps its whole rate while many run
 * would keep it in pairs, too. Many cores are therefore measured at once, and one probe settles all
 * pairs among those that keep their rate. Only slow pairs are measured one by one; they are few on
 * nodes with many cores, because a resource that two cores saturate serves a part of them only.
 */
#ifndef SRV_FACTS_MEMORY_BENCHMARK_CONTENTION_H
#define SRV_FACTS_MEMORY_BENCHMARK_CONTENTION_H

#include "facts/memory/benchmark_pairs.h"

/**
 * Finds the pairs of which one keeps less than the share `whole` (0..1) of alone[place], its rate
 * alone in B/s. A pair with a new share, or that connects new cores, is measured again, with each
 * of the two alone at the same time; its best result counts, because interference only slows down.
 * The caller finishes `found`. Errors: those of the machine, SERVET_EINTERRUPTED, SERVET_EMEMORY.
 */
int srv_bench_contention(const srv_memory_plan *plan, const double *alone, double whole,
                         srv_contentions *found, servet_error *error);

/** Frees what it holds; a zeroed one is valid. */
void srv_contentions_finish(srv_contentions *found);

#endif
