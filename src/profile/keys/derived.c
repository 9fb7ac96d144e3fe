/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/keys/derived.h"

#include <limits.h>

static int derive_time(const servet_profile *profile, const int *index, servet_value *answer)
{
    return servet_network_time(profile, index[0], index[1], answer);
}

/* Returns the size of the first point of the layer's curve beyond `after`, which fits an int; 0:
 * none. */
static int next_size(const servet_profile *profile, const int *index, int after)
{
    servet_message point;
    for (int i = 1; SERVET_ITEM(profile, "network.layers.points", &point, index[0], i) == SERVET_OK;
         i++)
        if (point.bytes > after)
            return point.bytes < INT_MAX ? (int)point.bytes : 0;
    return 0;
}

/* Computes the slowdown of messages of the size that distinguished the layers. */
static int derive_slowdown(const servet_profile *profile, const int *index, servet_value *answer)
{
    servet_network network;
    int code = servet_network_get(profile, &network);
    return code == SERVET_OK
               ? servet_network_slowdown(profile, index[0], network.message_bytes, index[1], answer)
               : code;
}

/* Finds the first range with this number of messages, from 1. Errors: SERVET_ERANGE (there is
 * none). */
static int first_range(const servet_profile *profile, int layer, int messages, int *first)
{
    servet_aggregation range = {.messages = 0};
    int code = SERVET_OK;
    for (*first = 0; code == SERVET_OK && range.messages != messages;)
        code = SERVET_ITEM(profile, "network.layers.aggregation", &range, layer, ++*first);
    return code;
}

/* Returns the end of the last range that pays, up to the first range that loses. */
static servet_value limit_from(const servet_profile *profile, int layer, int messages, int first)
{
    servet_value limit = {.unit = SERVET_UNIT_BYTE, .method = SERVET_METHOD_TIMED, .trusted = true};
    servet_aggregation range;
    for (int i = first;
         SERVET_ITEM(profile, "network.layers.aggregation", &range, layer, i) == SERVET_OK; i++) {
        if (range.messages != messages)
            break;
        limit.trusted = limit.trusted && range.trusted;
        limit.samples = range.gain.samples;
        if (range.payoff == SERVET_PAYOFF_LOSES)
            break;
        if (range.payoff == SERVET_PAYOFF_PAYS)
            limit.value = limit.low = limit.high = range.below;
    }
    return limit;
}

/* Sets the interval of the limit to the measured sizes next to it. */
static void set_neighbours(const servet_profile *profile, int layer, int messages,
                           servet_value *limit)
{
    servet_batch batch;
    for (int i = 1; SERVET_ITEM(profile, "network.layers.batches", &batch, layer, i) == SERVET_OK;
         i++) {
        if (batch.messages != messages)
            continue;
        if (batch.bytes <= limit->value)
            limit->low = batch.bytes;
        else if (limit->high == limit->value)
            limit->high = batch.bytes;
    }
}

static int derive_aggregation(const servet_profile *profile, const int *index, servet_value *answer)
{
    int first, code = first_range(profile, index[0], index[1], &first);
    if (code != SERVET_OK)
        return code;
    *answer = limit_from(profile, index[0], index[1], first);
    if (answer->value > 0)
        set_neighbours(profile, index[0], index[1], answer);
    return SERVET_OK;
}

static int next_batch(const servet_profile *profile, const int *index, int after)
{
    servet_aggregation range;
    for (int i = 1;
         SERVET_ITEM(profile, "network.layers.aggregation", &range, index[0], i) == SERVET_OK; i++)
        if (range.messages > after)
            return range.messages;
    return 0;
}

static int ratio_of(const servet_profile *profile, servet_degradation degradation, int at,
                    servet_value *answer)
{
    servet_ratio ratio;
    int code = servet_network_ratio(profile, degradation, at, &ratio);
    if (code == SERVET_OK)
        *answer = ratio.ratio;
    return code;
}

static int derive_distance_ratio(const servet_profile *profile, const int *index,
                                 servet_value *answer)
{
    return ratio_of(profile, SERVET_DEGRADATION_DISTANCE, index[0], answer);
}

static int derive_access_ratio(const servet_profile *profile, const int *index,
                               servet_value *answer)
{
    return ratio_of(profile, SERVET_DEGRADATION_ACCESS, index[0], answer);
}

static int largest_of(const servet_profile *profile, servet_degradation degradation,
                      servet_value *answer)
{
    servet_ratios about;
    int code = servet_network_ratios(profile, degradation, &about);
    double largest = about.largest;
    if (code == SERVET_OK)
        *answer = (servet_value){
            largest, largest, largest, 0, SERVET_UNIT_NONE, SERVET_METHOD_TIMED, true};
    return code;
}

static int derive_largest_distance(const servet_profile *profile, const int *index,
                                   servet_value *answer)
{
    (void)index;
    return largest_of(profile, SERVET_DEGRADATION_DISTANCE, answer);
}

static int derive_most_processes(const servet_profile *profile, const int *index,
                                 servet_value *answer)
{
    (void)index;
    return largest_of(profile, SERVET_DEGRADATION_ACCESS, answer);
}

/* --- by key ----------------------------------------------------------------------------------- */

/* For each derivation: the function that computes the answer from the numbers of the key (NULL: it
 * is a speed of a core), and the function that returns the next larger measured value of the key's
 * last number (NULL: the facts behind the answer are listed and compared instead). */
static const struct derivation {
    int (*derive)(const servet_profile *profile, const int *index, servet_value *answer);
    int (*next)(const servet_profile *profile, const int *index, int after);
    servet_work work;
} derivations[SRV_DERIVATION_COUNT] = {
    [SRV_DERIVE_TIME] = {derive_time, next_size},
    [SRV_DERIVE_SLOWDOWN] = {derive_slowdown, NULL},
    [SRV_DERIVE_AGGREGATION] = {derive_aggregation, next_batch},
    [SRV_DERIVE_DISTANCE_RATIO] = {derive_distance_ratio, NULL},
    [SRV_DERIVE_ACCESS_RATIO] = {derive_access_ratio, NULL},
    [SRV_DERIVE_LARGEST_DISTANCE] = {derive_largest_distance, NULL},
    [SRV_DERIVE_MOST_PROCESSES] = {derive_most_processes, NULL},
    [SRV_DERIVE_VECTOR_SPEED] = {.work = SERVET_WORK_VECTOR},
    [SRV_DERIVE_INTEGER_SPEED] = {.work = SERVET_WORK_INTEGER},
    [SRV_DERIVE_MEMORY_SPEED] = {.work = SERVET_WORK_MEMORY},
};

int srv_key_derive(const srv_key *key, const servet_profile *profile, const servet_at *at,
                   const int *index, servet_value *answer)
{
    const struct derivation *by = &derivations[key->derived->derivation];
    return by->derive ? by->derive(profile, index, answer)
                      : servet_core_speed(profile, at, by->work, answer);
}

int srv_key_next(const srv_key *key, const servet_profile *profile, const int *index, int after)
{
    const struct derivation *by = &derivations[key->derived->derivation];
    return by->next ? by->next(profile, index, after) : 0;
}
