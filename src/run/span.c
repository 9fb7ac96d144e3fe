/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/span.h"

#include <math.h>

srv_span srv_span_part(const srv_span *span, double now, double from, double to)
{
    srv_span part = *span;
    double work = span->to - span->from;
    part.from = span->from + work * from;
    part.to = span->from + work * to;
    if (span->until > 0 && to < 1)
        part.until = now + fmax(0, span->until - now) * (to - from) / (1 - from);
    return part;
}

double srv_span_done(const srv_span *span, double within)
{
    srv_repeats_tick(span->repeats, span->until > 0 ? span->until : INFINITY);
    return span->from + (span->to - span->from) * within;
}
