/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the costs of several messages to one process: sent separately, and as one message. */
#include <math.h>

#include "profile/query/find.h"
#include "profile/query/network.h"
#include "stats/interval.h"

/* The batches with one number of messages, by ascending size. */
typedef struct series {
    const servet_batch *first;
    int count;
} series;

/* A time of a batch, by its offset. */
typedef size_t time_of;

#define TIME_OF(member) offsetof(servet_batch, member)

static const servet_value *time_in(const servet_batch *batch, time_of time)
{
    return (const void *)((const char *)batch + time);
}

/* --- one number of messages ------------------------------------------------------------------- */

/* Returns the batches with the smallest number of messages that is at least `messages`; none if
 * there are no more. */
static series series_from(const srv_list *batches, int messages)
{
    const servet_batch *all = batches->items;
    int first = 0, end;
    while (first < batches->count && all[first].messages < messages)
        first++;
    for (end = first; end < batches->count && all[end].messages == all[first].messages;)
        end++;
    return (series){all + first, end - first};
}

/* Returns the batches with the next smaller number of messages. */
static series series_before(const srv_list *batches, const series *of)
{
    const servet_batch *all = batches->items;
    return of->first == all ? (series){all, 0} : series_from(batches, of->first[-1].messages);
}

static double largest(const series *of)
{
    return of->first[of->count - 1].bytes;
}

/* Returns the index of the first batch with at least this size, which must not exceed the largest
 * one. */
static int place_of(const series *of, double bytes)
{
    int place = 0;
    while (of->first[place].bytes < bytes)
        place++;
    return place;
}

static servet_value time_at(const series *of, double bytes, time_of time)
{
    const servet_batch *next = of->first + place_of(of, bytes);
    const servet_value *above = time_in(next, time);
    if (next->bytes == bytes)
        return *above;
    if (next == of->first)
        return srv_value_beyond(*above);
    return srv_value_between(time_in(next - 1, time), above,
                             (bytes - next[-1].bytes) / (next->bytes - next[-1].bytes));
}

/* --- any number ------------------------------------------------------------------------------- */

/* Two series around the queried number of messages; if it was measured, both are the same. */
typedef struct between {
    series fewer, more;
    int messages;
    double bytes;
} between;

static int find(const srv_list *batches, double bytes, int messages, between *on)
{
    *on = (between){.more = series_from(batches, messages), .messages = messages, .bytes = bytes};
    if (on->more.count == 0)
        return SERVET_ERANGE;
    bool exact = on->more.first->messages == messages;
    on->fewer = exact ? on->more : series_before(batches, &on->more);
    if (on->fewer.count == 0)
        return SERVET_ERANGE;
    return bytes <= fmin(largest(&on->fewer), largest(&on->more)) ? SERVET_OK : SERVET_ERANGE;
}

/* Interpolates over the number of messages: each further message adds the same time. */
static servet_value time_apart(const between *on, time_of time)
{
    int from = on->fewer.first->messages, to = on->more.first->messages;
    servet_value fewer = time_at(&on->fewer, on->bytes, time);
    servet_value more = time_at(&on->more, on->bytes, time);
    return from == to
               ? fewer
               : srv_value_between(&fewer, &more, (double)(on->messages - from) / (to - from));
}

/* Returns the time of the one message, which depends on its own size only: the size at which
 * protocols change does not depend on the number of messages. */
static servet_value time_as_one(const between *on)
{
    double all = on->messages * on->bytes;
    double of_fewer = all / on->fewer.first->messages;
    return of_fewer <= largest(&on->fewer)
               ? time_at(&on->fewer, of_fewer, TIME_OF(as_one))
               : time_at(&on->more, all / on->more.first->messages, TIME_OF(as_one));
}

/* Returns the first of the batches around a size; place_of() returns the last one. For a measured
 * size, both are the same. */
static int nearest_below(const series *of, double bytes)
{
    int place = place_of(of, bytes);
    return place > 0 && of->first[place].bytes > bytes ? place - 1 : place;
}

/* Returns true if all batches next to a size have this payoff. */
static bool have_payoff(const series *of, double bytes, servet_payoff payoff)
{
    for (int i = nearest_below(of, bytes); i <= place_of(of, bytes); i++)
        if (of->first[i].payoff != payoff)
            return false;
    return true;
}

/* Widens the interval to the widest relative interval of the gains next to a size. If a step may
 * lie between them, the interval reaches from the least to the greatest gain. */
static void widen(const series *of, double bytes, bool is_step, servet_value *gain)
{
    for (int i = nearest_below(of, bytes); i <= place_of(of, bytes); i++) {
        const servet_value *near = &of->first[i].gain;
        double scale = is_step ? 1 : gain->value / near->value;
        gain->low = fmin(gain->low, scale * near->low);
        gain->high = fmax(gain->high, scale * near->high);
    }
}

/* Returns the gain. If the payoff changes from one measured batch to the next, the MPI library may
 * change its protocol anywhere between them: the gain may be that of either batch. */
static servet_value gain_of(const between *on, const servet_batch *batch)
{
    servet_payoff payoff = on->more.first[place_of(&on->more, on->bytes)].payoff;
    bool is_step =
        !have_payoff(&on->fewer, on->bytes, payoff) || !have_payoff(&on->more, on->bytes, payoff);
    double apart = fmin(batch->in_turn.value, batch->at_once.value);
    double value = apart / batch->as_one.value;
    servet_value gain = {.value = value,
                         .low = value,
                         .high = value,
                         .samples = batch->as_one.samples,
                         .unit = SERVET_UNIT_NONE,
                         .method = SERVET_METHOD_INTERPOLATED,
                         .trusted = batch->trusted};
    widen(&on->fewer, on->bytes, is_step, &gain);
    widen(&on->more, on->bytes, is_step, &gain);
    return gain;
}

static servet_batch answer_of(const between *on)
{
    const servet_batch *measured = on->more.first + place_of(&on->more, on->bytes);
    if (measured->bytes == on->bytes && measured->messages == on->messages)
        return *measured;
    servet_batch batch = {.messages = on->messages,
                          .bytes = on->bytes,
                          .in_turn = time_apart(on, TIME_OF(in_turn)),
                          .at_once = time_apart(on, TIME_OF(at_once)),
                          .as_one = time_as_one(on)};
    batch.trusted = batch.in_turn.trusted && batch.at_once.trusted && batch.as_one.trusted;
    batch.gain = gain_of(on, &batch);
    batch.payoff = srv_payoff_of(batch.gain.low, batch.gain.high);
    return batch;
}

int servet_network_aggregate(const servet_profile *profile, int layer, double bytes, int messages,
                             servet_batch *batch)
{
    const srv_comm_layer *found;
    between on;
    if (messages < 2 || !(bytes >= 0 && isfinite(bytes)))
        return SERVET_EARGUMENT;
    int code = srv_comm_layer_find(profile, layer, &found);
    if (code != SERVET_OK)
        return code;
    code = found->batches.count ? find(&found->batches, bytes, messages, &on) : SERVET_EUNMEASURED;
    if (code != SERVET_OK)
        return code;
    servet_batch answer = answer_of(&on);
    answer.trusted = answer.gain.trusted;
    if (profile->trusted_only && !answer.trusted)
        return SERVET_EUNTRUSTED;
    *batch = answer;
    return SERVET_OK;
}
