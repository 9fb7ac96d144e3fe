/* SPDX-License-Identifier: BSD-3-Clause */
/** Series that show lines: increments of two cores whose bytes are near each other (P-Ray, LCPC'08,
 * 3.1), and pairs of loads. facts/line/detect.h derives the line. */
#ifndef SRV_FACTS_LINE_BENCHMARK_H
#define SRV_FACTS_LINE_BENCHMARK_H

#include "sample/sampler.h"

/** Bytes 1, 2, 4 .. 1024 apart: the largest lines known have 256. */
enum { SRV_BLOCK_STEPS = 11 };

/** Time of an increment of `core` while `other` increments a byte at each distance from its own. */
typedef struct srv_block_series {
    int core, other; /**< OS numbers */
    int count;       /**< of the steps; 0: there was no time, or no two cores that run at once */
    double apart[SRV_BLOCK_STEPS], ns[SRV_BLOCK_STEPS];
} srv_block_series;

/** Lets the first one of `cores` and the one of the others with the most contention increment
 * bytes; of many others only some are tried. Errors: those of the machine, SERVET_EINTERRUPTED. */
int srv_bench_block(const srv_sampler *sampler, const int *cores, int count,
                    srv_block_series *series, servet_error *error);

enum { SRV_LINE_STRIDES = 8 };

/** Loads of a set that has outgrown a cache: the first of a block of 2 * stride bytes each, and the
 * one a stride further. */
typedef struct srv_line_series {
    int count;    /**< of the strides, ascending powers of two; 0: there was no time for all */
    int visits;   /**< of all strides together */
    double begun; /**< seconds on the clock */
    double stride[SRV_LINE_STRIDES];
    double first[SRV_LINE_STRIDES];  /**< ns of the first load alone, least of all visits */
    double mean[SRV_LINE_STRIDES];   /**< of both loads, the same */
    double second[SRV_LINE_STRIDES]; /**< what the second load adds */
} srv_line_series;

/** Loads of a measurement of a line. */
typedef struct srv_line_plan {
    srv_traversal
        like; /**< core, pages, seed, and the bytes of the set; it grows to largest_bytes at most */
    double from;       /**< the first stride: a power of two, at least a pointer */
    int count;         /**< of the strides, each twice the last one; SRV_LINE_STRIDES at most */
    double grows_from; /**< beyond this stride the set grows with it, for in a cache that hashes
                          addresses the lines of a thin set need less room; INFINITY: it does not */
} srv_line_plan;

/** Visits each stride up to three times. Continues a series that is not zero, and begins no round
 * of visits later than 0.7 s after the series began. Errors: as above. */
int srv_bench_line(const srv_sampler *sampler, const srv_line_plan *plan, srv_line_series *series,
                   servet_error *error);

#endif
