/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/detect_independent.h"

#include <math.h>
#include <stdlib.h>

static double fastest_of(const servet_curve *curve)
{
    double fastest = INFINITY;
    for (size_t i = 0; i < curve->n; i++)
        fastest = fmin(fastest, curve->latency[i]);
    return fastest;
}

static double *less(const double *column, size_t n, double offset)
{
    double *made = calloc(n, sizeof *made);
    for (size_t i = 0; made && i < n; i++)
        made[i] = column[i] - offset;
    return made;
}

/* Replaces values below 0, which come from intervals that reach below the offset, by the latency
 * itself. */
static void keep_positive(servet_curve *curve)
{
    for (size_t i = 0; curve->low && i < curve->n; i++)
        if (!(curve->low[i] > 0))
            curve->low[i] = fmin(curve->latency[i], curve->high[i]) / 2;
}

int srv_independent_plain(const servet_cache_evidence *evidence, servet_curve *plain,
                          servet_error *error)
{
    const servet_curve *curve = evidence->independent;
    double offset = fmax(0, fastest_of(curve) - fastest_of(evidence->lines));
    servet_curve made = {.n = curve->n, .unit = curve->unit};
    made.bytes = less(curve->bytes, curve->n, 0);
    made.latency = less(curve->latency, curve->n, offset);
    made.low = curve->low ? less(curve->low, curve->n, offset) : NULL;
    made.high = curve->low ? less(curve->high, curve->n, offset) : NULL;
    if (!made.bytes || !made.latency || (curve->low && (!made.low || !made.high))) {
        servet_curve_free(&made);
        return srv_fail_memory(error);
    }
    keep_positive(&made);
    *plain = made;
    return SERVET_OK;
}
