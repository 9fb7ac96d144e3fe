/* SPDX-License-Identifier: BSD-3-Clause */
/** Least squares with coefficients that are not negative, for a few unknowns. */
#ifndef SRV_STATS_NONNEG_H
#define SRV_STATS_NONNEG_H

enum { SRV_NONNEG_MAX = 12 };

/** The normal equations of a least-squares problem with `n` <= SRV_NONNEG_MAX unknowns. */
typedef struct srv_normal {
    int n;
    double matrix[SRV_NONNEG_MAX][SRV_NONNEG_MAX]; /**< symmetric: columns times columns */
    double right[SRV_NONNEG_MAX];                  /**< columns times values */
} srv_normal;

/** Solves for x[0..n-1] >= 0. Unknowns that would be negative, or that depend on the others, are
 * set to 0 one after the other, the most negative first. The result is deterministic, and exact if
 * the free solution is not negative; otherwise it may miss the global optimum. */
void srv_nonneg_solve(const srv_normal *normal, double *x);

#endif
