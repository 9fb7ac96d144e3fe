/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/detect_curve.h"

#include <math.h>

#include "core/error.h"
#include "core/units.h"

enum { POINTS_MIN = 4 };

static bool point_is_valid(const servet_curve *curve, size_t i)
{
    double latency = curve->latency[i];
    if (!(curve->bytes[i] <= SRV_BYTES_MAX) ||
        curve->bytes[i] <= (i > 0 ? curve->bytes[i - 1] : 0) || !isfinite(latency) || latency <= 0)
        return false;
    return !curve->low || (isfinite(curve->low[i]) && isfinite(curve->high[i]) &&
                           curve->low[i] > 0 && curve->low[i] <= curve->high[i]);
}

int srv_curve_check(const servet_curve *curve, const char *name, servet_error *error)
{
    if (!curve || curve->n < POINTS_MIN)
        return srv_fail(error, SERVET_EARGUMENT, "%s: a curve needs at least %d points", name,
                        POINTS_MIN);
    for (size_t i = 0; i < curve->n; i++)
        if (!point_is_valid(curve, i))
            return srv_fail(error, SERVET_EARGUMENT,
                            "%s: point %zu: sizes must ascend up to 1 PiB, and values must be "
                            "finite and positive",
                            name, i + 1);
    return SRV_CHECK_RESERVED(servet_curve, curve, error);
}
