/* SPDX-License-Identifier: BSD-3-Clause */
/** Tails of the binomial distribution. */
#ifndef SRV_STATS_BINOMIAL_H
#define SRV_STATS_BINOMIAL_H

/** Returns P(X > k) for X ~ B(n, p): n trials (n >= 0), each with probability p (0..1). The
 * relative error of the smaller tail is about 1e-9 up to n = 1e9. The time is proportional to the
 * spread of X, not to n. */
double srv_binomial_above(long n, double p, long k);

#endif
