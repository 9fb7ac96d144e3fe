/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Set sampling: of large sets of lines only those at some places of each page are simulated
 * (Kessler, Hill, Wood, A Comparison of Trace-Sampling Techniques for Multi-Megabyte Caches, 1994).
 * Lines at other places lie in other sets of every cache, beside lines of the same pages, and find
 * the same. Others that replace lines all the time (srv_model_cache.turnover_ms) do so as many
 * times as fast, as a round of the simulated lines takes less time.
 */
#ifndef SRV_MODEL_THINNING_H
#define SRV_MODEL_THINNING_H

#include <stddef.h>

#include "sim/model.h"

/**
 * Bytes after which the sets of all caches and the places in a page repeat: lines at different
 * places of it never share a set. A power of two.
 */
size_t srv_thinning_period(const srv_model *model);

/**
 * Divisor of the lines that are simulated of a set of `lines`, `line_bytes` from each other: a
 * power of two; 1: all.
 */
size_t srv_thinning(const srv_model *model, double lines, double line_bytes);

/** The distance of simulated line number `at` from the first one. */
static inline size_t srv_thinned_address(size_t at, size_t line_bytes, size_t thin, size_t period)
{
    if (thin == 1)
        return at * line_bytes;
    size_t kept = period / thin / line_bytes; /* lines of each period */
    return at / kept * period + at % kept * line_bytes;
}

#endif
