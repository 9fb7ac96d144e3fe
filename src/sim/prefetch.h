/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Prefetchers: the lines that they fetch for the loads that they observe. They stay within the page
 * of a load.
 */
#ifndef SRV_MODEL_PREFETCH_H
#define SRV_MODEL_PREFETCH_H

#include "sim/model.h"

enum { SRV_PREFETCH_LINES_MAX = 64, SRV_PREFETCH_STREAMS = 16 };

/** One prefetcher of one PU. */
typedef struct srv_prefetcher {
    srv_prefetcher_type type;
    int64_t reach, line, page; /**< bytes; lines and pages are powers of two */
    int64_t last, stride;      /**< stride: the last load and its distance from the one before */
    struct {
        int64_t page, last, ahead; /**< the last line loaded, and the last line fetched */
        int ascents;               /**< consecutive loads of a slightly higher address */
    } stream[SRV_PREFETCH_STREAMS];
} srv_prefetcher;

void srv_prefetcher_init(srv_prefetcher *prefetcher, const srv_model_prefetcher *model,
                         double line_bytes, double page_bytes);

/**
 * Shows a load of `address` to the prefetcher; the lines that it fetches, as distances from that
 * address, go into offsets[0..result-1].
 */
int srv_prefetcher_see(srv_prefetcher *prefetcher, uint64_t address,
                       int64_t offsets[SRV_PREFETCH_LINES_MAX]);

#endif
