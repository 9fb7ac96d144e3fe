/* SPDX-License-Identifier: BSD-3-Clause */
/* What a message costs: alone, and among those of other pairs. */
#include <math.h>

#include "profile/query/find.h"
#include "profile/query/network.h"

/* --- between measured values ------------------------------------------------------------------ */

servet_value srv_value_between(const servet_value *a, const servet_value *b, double where)
{
    if (where <= 0)
        return *a;
    if (where >= 1)
        return *b;
    return (servet_value){
        .value = a->value + where * (b->value - a->value),
        .low = a->low + where * (b->low - a->low),
        .high = a->high + where * (b->high - a->high),
        .samples = a->samples < b->samples ? a->samples : b->samples,
        .unit = a->unit,
        .method = SERVET_METHOD_INTERPOLATED,
        .trusted = a->trusted && b->trusted,
    };
}

servet_value srv_value_beyond(servet_value value)
{
    value.method = SERVET_METHOD_INTERPOLATED;
    value.trusted = false;
    return value;
}

servet_value srv_value_times(servet_value value, const servet_value *factor)
{
    value.value *= factor->value;
    value.low *= factor->low;
    value.high *= factor->high;
    value.trusted = value.trusted && factor->trusted;
    if (factor->method == SERVET_METHOD_INTERPOLATED)
        value.method = factor->method;
    return value;
}

static servet_value exactly(double number)
{
    return (servet_value){number, number, number, 0, SERVET_UNIT_NONE, SERVET_METHOD_TIMED, true};
}

/* --- one message ------------------------------------------------------------------------------ */

/* The first point of a curve that has at least so many bytes; points.count for none. */
static int first_from(const srv_list *curve, double bytes)
{
    const servet_message *points = curve->items;
    int low = 0, high = curve->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (points[middle].bytes < bytes)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static servet_value time_of(const srv_list *curve, double bytes)
{
    const servet_message *points = curve->items;
    int next = first_from(curve, bytes);
    if (next < curve->count && points[next].bytes == bytes)
        return points[next].time;
    if (next == 0)
        return srv_value_beyond(points[0].time);
    const servet_message *before = &points[next - 1];
    if (next == curve->count) {
        const servet_value longer = exactly(bytes / before->bytes);
        return srv_value_beyond(srv_value_times(before->time, &longer));
    }
    double where = (bytes - before->bytes) / (points[next].bytes - before->bytes);
    return srv_value_between(&before->time, &points[next].time, where);
}

int servet_network_time(const servet_profile *profile, int layer, double bytes, servet_value *time)
{
    const srv_comm_layer *found;
    if (!(bytes >= 0 && isfinite(bytes)))
        return SERVET_EARGUMENT;
    int code = srv_comm_layer_find(profile, layer, &found);
    if (code != SERVET_OK)
        return code;
    if (!found->curve.count)
        return SERVET_EUNMEASURED;
    const servet_value answer = time_of(&found->curve, bytes);
    return srv_answer_value(profile, &answer, time);
}

int servet_network_bandwidth(const servet_profile *profile, int layer, double bytes,
                             servet_value *bandwidth)
{
    servet_value time;
    if (bytes == 0)
        return SERVET_EARGUMENT;
    int code = servet_network_time(profile, layer, bytes, &time);
    if (code != SERVET_OK)
        return code;
    *bandwidth = (servet_value){bytes / time.value, bytes / time.high,           bytes / time.low,
                                time.samples,       SERVET_UNIT_BYTE_PER_SECOND, time.method,
                                time.trusted};
    return SERVET_OK;
}

/* --- many at once ----------------------------------------------------------------------------- */

/* The measurements with messages of one size. */
typedef struct concurrent {
    const servet_together *first;
    int count;
} concurrent;

/* The first measurement with more bytes, or if `equal` with as many or more; together->count for
 * none.
 */
static int first_above(const srv_list *together, double bytes, bool equal)
{
    const servet_together *all = together->items;
    int low = 0, high = together->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (all[middle].bytes < bytes || (!equal && all[middle].bytes == bytes))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Those of one size that begin at `first`. */
static concurrent concurrent_from(const srv_list *together, int first)
{
    const servet_together *all = together->items;
    return (concurrent){all + first, first_above(together, all[first].bytes, false) - first};
}

/* Those of one size that end before `end`. */
static concurrent concurrent_before(const srv_list *together, int end)
{
    const servet_together *all = together->items;
    int first = first_above(together, all[end - 1].bytes, true);
    return (concurrent){all + first, end - first};
}

/* The first measurement of so many messages or more; of->count for none. */
static int first_of(const concurrent *of, int messages)
{
    int low = 0, high = of->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (of->first[middle].messages < messages)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The slowdown of so many messages of the concurrent's size. Errors: SERVET_ERANGE (not so many).
 */
static int slowdown_in(const concurrent *of, int messages, servet_value *factor)
{
    const servet_value alone = exactly(1);
    int next = first_of(of, messages);
    if (next == of->count)
        return SERVET_ERANGE;
    const servet_together *above = &of->first[next], *below = next ? above - 1 : NULL;
    int from = below ? below->messages : 1;
    double where = (double)(messages - from) / (above->messages - from);
    *factor = srv_value_between(below ? &below->ratio : &alone, &above->ratio, where);
    return SERVET_OK;
}

/* The slowdown by a concurrent whose size is not the queried one. */
static int slowdown_beyond(const concurrent *near, int messages, servet_value *factor)
{
    int code = slowdown_in(near, messages, factor);
    if (code == SERVET_OK)
        *factor = srv_value_beyond(*factor);
    return code;
}

/* Between the sizes before and behind `next`, the first measurement with more bytes. */
static int slowdown_between(const srv_list *together, int next, double bytes, int messages,
                            servet_value *factor)
{
    servet_value small, large;
    const concurrent below = concurrent_before(together, next);
    double from = below.first->bytes;
    int code = slowdown_in(&below, messages, &small);
    if (from == bytes) {
        if (code == SERVET_OK)
            *factor = small;
        return code;
    }
    const concurrent above = concurrent_from(together, next);
    double to = above.first->bytes;
    if (code == SERVET_OK && slowdown_in(&above, messages, &large) == SERVET_OK)
        *factor = srv_value_between(&small, &large, log(bytes / from) / log(to / from));
    else
        code = slowdown_beyond(code == SERVET_OK ? &below : &above, messages, factor);
    return code;
}

static int slowdown_of(const srv_list *together, double bytes, int messages, servet_value *factor)
{
    int next = first_above(together, bytes, false);
    if (next > 0 && next < together->count)
        return slowdown_between(together, next, bytes, messages, factor);
    const concurrent end = next ? concurrent_before(together, next) : concurrent_from(together, 0);
    return end.first->bytes == bytes ? slowdown_in(&end, messages, factor)
                                     : slowdown_beyond(&end, messages, factor);
}

int servet_network_slowdown(const servet_profile *profile, int layer, double bytes, int messages,
                            servet_value *factor)
{
    const srv_comm_layer *found;
    if (messages < 1 || !(bytes >= 0 && isfinite(bytes)))
        return SERVET_EARGUMENT;
    int code = srv_comm_layer_find(profile, layer, &found);
    if (code != SERVET_OK)
        return code;
    if (messages == 1) {
        *factor = exactly(1);
        return SERVET_OK;
    }
    servet_value answer;
    code = found->together.count ? slowdown_of(&found->together, bytes, messages, &answer)
                                 : SERVET_EUNMEASURED;
    return code == SERVET_OK ? srv_answer_value(profile, &answer, factor) : code;
}

int servet_network_cost(const servet_profile *profile, int layer, double bytes, int messages,
                        servet_value *time)
{
    servet_value alone, factor;
    int code = servet_network_slowdown(profile, layer, bytes, messages, &factor);
    if (code == SERVET_OK)
        code = servet_network_time(profile, layer, bytes, &alone);
    if (code == SERVET_OK)
        *time = srv_value_times(alone, &factor);
    return code;
}

int servet_network_cost_between(const servet_profile *profile, servet_place a, servet_place b,
                                double bytes, int messages, servet_value *time)
{
    int layer;
    int code = servet_network_layer_of(profile, a, b, &layer);
    return code == SERVET_OK ? servet_network_cost(profile, layer, bytes, messages, time) : code;
}
