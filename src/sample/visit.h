/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Visits of all benchmarks: how long they last, by kind of probe, and when they count as disturbed.
 * A sample on a core takes some 20 us (share/doc/measuring.md), a small message some us. Which
 * visits of a curve are quiet follows from all of them together (stats/visits.h); which time of a
 * whole run was disturbed, from SRV_DISTURBED.
 */
#ifndef SRV_SAMPLE_VISIT_H
#define SRV_SAMPLE_VISIT_H

/* --- seconds on the samples of a visit -------------------------------------------------------- */

/** Few samples of a tiny set: more places and moments help more. */
#define SRV_SPOT_SECONDS 1e-5

/** Some 50 samples, or hundreds of small messages. Bursts of other threads last 5 ms and more: a
 * visit should fit between them. */
#define SRV_MOMENT_SECONDS 1e-3

/** One of very many pairs or sizes: some hundred samples. */
#define SRV_PAIR_SECONDS 2e-3

/** Some 200 samples, of which the median is exact to 0.1 %. */
#define SRV_VISIT_SECONDS 4e-3

/** Cores or ranks at once, which begin and end apart. */
#define SRV_TOGETHER_SECONDS 10e-3

/** Large messages of all nodes at once. */
#define SRV_SHIFT_SECONDS 50e-3

/** Time for all rounds of visits to sizes of messages after the first one. */
#define SRV_ROUNDS_SECONDS 5.0

/** Time for second visits of pairs that were visited once. */
#define SRV_REPEAT_SECONDS 30.0

/* --- disturbed visits ------------------------------------------------------------------------- */

/** Quartiles of the samples of a visit, or of visits, that are further apart, relative to the
 * median: 2 to 4 % are usual. */
#define SRV_QUARTILES_SHARE_MAX 0.2

/** Slowest visit to the fastest one, and a smaller set to a larger one, which is not faster:
 * repeats of a quiet visit differ by some percent. */
#define SRV_VISITS_RATIO_MAX 1.05

/** The same of messages, whose visits see interrupts of both ranks and of the link. */
#define SRV_MESSAGES_RATIO_MAX 1.1

/** Pairs at once to the same pair alone. Visits of one pair differ by up to a tenth: its lines or
 * buffers are elsewhere each time. Medians over several pairs differ less. */
#define SRV_COMPANY_RATIO_MAX 1.15

/** Visits that replace a disturbed one, at most. */
enum { SRV_RETRIES = 3 };

#endif
