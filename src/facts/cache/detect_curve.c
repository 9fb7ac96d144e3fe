/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/detect_curve.h"

#include <math.h>

#include "core/error.h"
#include "core/units.h"

enum { POINTS_MIN = 4 };

static bool point_is_valid(const servet_curve *curve, size_t i)
{
    if (!srv_unit_holds(SERVET_UNIT_BYTE, curve->bytes[i]) ||
        curve->bytes[i] <= (i > 0 ? curve->bytes[i - 1] : 0) ||
        !srv_unit_holds(curve->unit, curve->latency[i]))
        return false;
    return !curve->low ||
           (srv_unit_holds(curve->unit, curve->low[i]) &&
            srv_unit_holds(curve->unit, curve->high[i]) && curve->low[i] <= curve->high[i]);
}

int srv_curve_check(const servet_curve *curve, const char *name, servet_error *error)
{
    if (!curve || curve->n < POINTS_MIN)
        return srv_fail(error, SERVET_EARGUMENT, "%s: a curve needs at least %d points", name,
                        POINTS_MIN);
    if (curve->unit != SERVET_UNIT_SECOND && curve->unit != SERVET_UNIT_CYCLE)
        return srv_fail(error, SERVET_EARGUMENT, "%s: a curve is in seconds or cycles", name);
    srv_limits limits = srv_unit_limits(curve->unit);
    for (size_t i = 0; i < curve->n; i++)
        if (!point_is_valid(curve, i))
            return srv_fail(error, SERVET_EARGUMENT,
                            "%s: point %zu: sizes must ascend up to 1 PiB, and values must be "
                            "%.15g to %.15g %s",
                            name, i + 1, limits.least, limits.most,
                            servet_unit_symbol(curve->unit));
    return SERVET_OK;
}
