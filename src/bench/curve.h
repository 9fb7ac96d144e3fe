/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Measuring a latency curve: which sizes to ask for, how often, when to stop. What the curve means
 * is not decided here.
 *
 * The grid is geometric and refined where the curve moves. Every size is visited in several rounds,
 * each with another order and another place in memory, so that neither a disturbance nor one unlucky
 * set of physical pages decides; sizes on which the rounds disagree are visited again.
 */
#ifndef SRV_BENCH_CURVE_H
#define SRV_BENCH_CURVE_H

#include "machine/machine.h"

/** What to ask. */
typedef struct srv_curve_plan {
    srv_traversal traversal;      /**< all but bytes, seed and seconds */
    double min_bytes, max_bytes;  /**< both ends are measured */
    double granule;               /**< sizes are multiples of this: a line, or a page */
    int points_per_octave;        /**< of the grid before it is refined */
    int rounds;                   /**< visits to each size */
    int refinements;              /**< how often a moving interval may be halved */
    uint64_t seed;
    double deadline;              /**< on the machine's clock, in seconds; 0: none */
    /** Called before each visit; non-zero ends the benchmark. May be NULL. */
    int (*watch)(void *context, double bytes, double done);
    void *context;
} srv_curve_plan;

/**
 * Measures and hands over a curve in ns with the rounds' spread in low/high; the caller frees it.
 * `*huge_share` (may be NULL) is the smallest share of huge pages among the arrays of 2 MiB or more,
 * NaN if unknown. Where the deadline cuts it short, the curve has fewer points, the largest sizes
 * going first, but at least 4.
 * Errors: those of the machine, SERVET_EMEMORY, SERVET_EINTERRUPTED.
 */
int srv_bench_curve(srv_machine *machine, const srv_curve_plan *plan, servet_curve *curve,
                    double *huge_share, servet_error *error);

#endif
