/* SPDX-License-Identifier: BSD-3-Clause */
/** Measures the cost of translation: working sets of one line in each page, by their number and by
 * the distance of the pages, and controls with the same number of lines on fewer pages.
 *
 * A TLB is measured like a cache whose lines are pages, as in X-Ray (Yotov et al., SIGMETRICS
 * 2005), but the time of the caches is measured, too, and subtracted: sets with the same number of
 * lines in each set of a cache that differ in the number of pages. Base pages have two controls,
 * packed lines (srv_page_packed_stride()) and adjacent lines. Huge pages have only the latter,
 * because packed lines would lie in a page each if a host backs them by smaller pages. */
#ifndef SRV_FACTS_TRANSLATION_BENCHMARK_H
#define SRV_FACTS_TRANSLATION_BENCHMARK_H

#include <stdint.h>

#include "stats/page_visits.h"
#include "sample/sampler.h"

/** Plan of the measurement. */
typedef struct srv_translation_plan {
    int core;           /**< OS number of the PU */
    servet_pages pages; /**< what the memory is built on */
    double base_bytes;  /**< of a base page */
    double page_bytes;  /**< of the requested pages: base_bytes, or for SERVET_PAGES_HUGE those of a
                           huge one */
    double line_bytes;  /**< of the first cache */
    double max_bytes;   /**< of the memory that sets are spread over: levels with a longer reach are
                           not seen */
    uint64_t seed;      /**< of orders and places */
    srv_sampler sampler;
} srv_translation_plan;

/** Measures as planned; the caller frees the series. Takes about a second of the machine's time,
 * with fewer visits after the deadline. Errors: those of the machine, SERVET_EMEMORY,
 * SERVET_EINTERRUPTED; there is no series then. */
int srv_bench_translation(const srv_translation_plan *plan, srv_page_visits *series,
                          servet_error *error);

#endif
