/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries of the cost of a message, alone and while other pairs send messages, too. */
#include <math.h>

#include "core/search.h"
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

static bool is_smaller(const void *point, const void *bytes)
{
    return ((const servet_message *)point)->bytes < *(const double *)bytes;
}

static servet_value time_of(const srv_list *curve, double bytes)
{
    const servet_message *points = curve->items;
    int next = srv_count_before(points, curve->count, sizeof *points, is_smaller, &bytes);
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

static bool is_before(const void *measured, const void *key)
{
    const servet_together *a = measured, *b = key;
    return a->bytes < b->bytes || (a->bytes == b->bytes && a->messages < b->messages);
}

/* The index of the first measurement of that size with at least `messages` messages, or else the
 * first of a larger size; together->count if there is none. */
static int first_at(const srv_list *together, double bytes, int messages)
{
    const servet_together key = {.bytes = bytes, .messages = messages};
    return srv_count_before(together->items, together->count, sizeof key, is_before, &key);
}

/* The slowdown of `messages` messages of a measured size. Errors: SERVET_ERANGE (fewer messages
 * were measured at once). */
static int slowdown_at(const srv_list *together, double bytes, int messages, servet_value *factor)
{
    const servet_value alone = exactly(1);
    const servet_together *all = together->items;
    int next = first_at(together, bytes, messages);
    if (next == together->count || all[next].bytes != bytes)
        return SERVET_ERANGE;
    bool has_fewer = next > 0 && all[next - 1].bytes == bytes;
    const servet_together *above = &all[next], *below = has_fewer ? above - 1 : NULL;
    int from = below ? below->messages : 1;
    double where = (double)(messages - from) / (above->messages - from);
    *factor = srv_value_between(below ? &below->ratio : &alone, &above->ratio, where);
    return SERVET_OK;
}

/* The slowdown of a measured size near to the queried one. */
static int slowdown_beyond(const srv_list *together, double near, int messages,
                           servet_value *factor)
{
    int code = slowdown_at(together, near, messages, factor);
    if (code == SERVET_OK)
        *factor = srv_value_beyond(*factor);
    return code;
}

/* The slowdown between two measured sizes. If only one of them was measured with this number of
 * messages, its slowdown is returned. */
static int slowdown_between(const srv_list *together, double from, double to, double bytes,
                            int messages, servet_value *factor)
{
    servet_value small, large;
    if (slowdown_at(together, from, messages, &small) != SERVET_OK)
        return slowdown_beyond(together, to, messages, factor);
    if (slowdown_at(together, to, messages, &large) != SERVET_OK)
        return slowdown_beyond(together, from, messages, factor);
    *factor = srv_value_between(&small, &large, log(bytes / from) / log(to / from));
    return SERVET_OK;
}

static int slowdown_of(const srv_list *together, double bytes, int messages, servet_value *factor)
{
    const servet_together *all = together->items;
    int above = first_at(together, bytes, SERVET_RANKS_MAX + 1);
    double to = all[above < together->count ? above : above - 1].bytes;
    double from = above > 0 ? all[above - 1].bytes : to;
    if (from == bytes)
        return slowdown_at(together, bytes, messages, factor);
    return from < to ? slowdown_between(together, from, to, bytes, messages, factor)
                     : slowdown_beyond(together, to, messages, factor);
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
