/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/binomial.h"

#include <math.h>

/* Terms below this share of the sum do not change a double. */
static const double NEGLIGIBLE = 1e-17;
/* Terms are computed as in Loader, "Fast and Accurate Computation of Binomial Probabilities"
 * (2000), without logarithms of factorials: these lose the digits that matter for large numbers. */

/* log(n!) without the leading part of Stirling's formula, n > 0. */
static double stirling_rest(double n)
{
    int sign;
    if (n < 16)
        return lgamma_r(n + 1, &sign) - (n + 0.5) * log(n) + n - 0.5 * log(2 * M_PI);
    double square = n * n;
    return (1 / 12.0 - (1 / 360.0 - (1 / 1260.0 - 1 / 1680.0 / square) / square) / square) / n;
}

/* x log(x / mean) + mean - x, exact where x is near the mean. */
static double deviance(double x, double mean)
{
    double v = (x - mean) / (x + mean);
    if (fabs(v) > 0.1)
        return x * log(x / mean) + mean - x;
    double sum = (x - mean) * v, term = 2 * x * v, before = NAN;
    for (int j = 3; sum != before; j += 2) {
        before = sum;
        term *= v * v;
        sum += term / j;
    }
    return sum;
}

/* Returns log(p); q = 1 - p may be too small to change p. */
static double log_of(double p, double q)
{
    return p < 0.5 ? log(p) : log1p(-q);
}

static double probability(long trials, double p, double q, long successes)
{
    double n = (double)trials, x = (double)successes, rest = n - x;
    if (x <= 0)
        return exp(n * log_of(q, p));
    if (rest <= 0)
        return exp(n * log_of(p, q));
    double exponent = stirling_rest(n) - stirling_rest(x) - stirling_rest(rest) -
                      deviance(x, n * p) - deviance(rest, n * q);
    return exp(exponent) * sqrt(n / (2 * M_PI * x * rest));
}

/* Returns P(X >= k) for k at or above the mean, where each term is smaller than the one before. */
static double upper(long n, double p, double q, long k)
{
    double term = probability(n, p, q, k), sum = 0;
    for (long i = k; i <= n && term > NEGLIGIBLE * sum; i++) {
        sum += term;
        term *= (double)(n - i) / (double)(i + 1) * (p / q);
    }
    return sum;
}

double srv_binomial_above(long n, double p, long k)
{
    if (k < 0 || k >= n)
        return k < 0;
    if (p <= 0 || p >= 1)
        return p >= 1;
    if ((double)k + 1 >= (double)n * p)
        return upper(n, p, 1 - p, k + 1);
    return 1 - upper(n, 1 - p, p, n - k); /* the lower tail is the upper tail of the failures */
}
