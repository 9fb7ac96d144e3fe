/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * When visits count as disturbed, for all benchmarks. Which visits of a curve are quiet follows
 * from all of them together (stats/visits.h); which time of a whole run was disturbed, from
 * SRV_DISTURBED.
 */
#ifndef SRV_SAMPLE_QUIET_H
#define SRV_SAMPLE_QUIET_H

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
