/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers the times of collective operations: measured ones, or predictions from the messages of
 * the layers. */
#include <math.h>

#include "profile/query/find.h"
#include "profile/query/network.h"
#include "profile/spans.h"
#include "stats/collective.h"

/* --- predicted -------------------------------------------------------------------------------- */

/* An operation whose time is predicted. */
typedef struct prediction {
    const servet_profile *profile;
    const srv_comm *comm;
    int ranks, groups;
} prediction;

/* The number of cores of the largest group of a layer. */
static int largest_group(const srv_comm_layer *layer)
{
    int largest = srv_spans_largest(&layer->groups);
    return largest < 0 ? 0 : srv_spans_cores(&layer->groups, largest);
}

/* Returns the fastest layer, from 1, that joins this number of ranks; the last layer if none does.
 */
static int layer_joining(const srv_comm *comm, int ranks)
{
    const srv_comm_layer *layers = comm->layers.items;
    int number = 1;
    while (number < comm->layers.count && largest_group(&layers[number - 1]) < ranks)
        number++;
    return number;
}

/* Returns the slowdown of a message among `messages` messages, or among the largest number that was
 * measured; 1 if none was measured. */
static servet_value slowdown_among(const prediction *on, int layer, double bytes, double messages)
{
    const srv_comm_layer *layers = on->comm->layers.items;
    const servet_together *together = layers[layer - 1].together.items;
    servet_value factor = {1, 1, 1, 0, SERVET_UNIT_NONE, SERVET_METHOD_INTERPOLATED, false};
    int most = 1;
    for (int i = 0; i < layers[layer - 1].together.count; i++)
        most = together[i].messages > most ? together[i].messages : most;
    (void)servet_network_slowdown(on->profile, layer, bytes, (int)fmin(messages, most), &factor);
    return factor;
}

/* Adds the time of a round. A shift may send from the last rank to the first one; in other rounds,
 * messages stay within groups of 2 * distance ranks. */
static int add_round(const prediction *on, const srv_collective_round *round, servet_value *sum)
{
    int joined = round->way == SRV_COLLECTIVE_SHIFT ? on->ranks : 2 * round->distance;
    int layer = layer_joining(on->comm, joined < on->ranks ? joined : on->ranks);
    double messages = (double)on->groups * srv_collective_messages(round, on->ranks);
    servet_value time, factor = slowdown_among(on, layer, round->bytes, messages);
    int code = servet_network_time(on->profile, layer, round->bytes, &time);
    if (code != SERVET_OK)
        return code;
    time = srv_value_times(time, &factor);
    sum->value += round->times * time.value;
    sum->low += round->times * time.low;
    sum->high += round->times * time.high;
    return SERVET_OK;
}

static int predict(const prediction *on, servet_collective_op op, double bytes, servet_value *time)
{
    srv_collective_round rounds[SRV_COLLECTIVE_ROUNDS_MAX];
    int code = SERVET_OK;
    for (int i = 0; i < srv_collective_algorithms(op) && code == SERVET_OK; i++) {
        servet_value sum = {0, 0, 0, 0, SERVET_UNIT_SECOND, SERVET_METHOD_INTERPOLATED, false};
        int count = srv_collective_rounds(op, i, on->ranks, bytes, rounds);
        for (int k = 0; k < count && code == SERVET_OK; k++)
            code = add_round(on, &rounds[k], &sum);
        if (i == 0 || sum.value < time->value)
            *time = sum;
    }
    return code;
}

/* Checks the arguments. Errors: those of servet_network_collective_predict(). */
static int check(const servet_profile *profile, servet_collective_op op, double bytes, int ranks,
                 int groups, const srv_comm **comm)
{
    if ((unsigned)op >= SERVET_COLLECTIVE_COUNT || ranks < 1 || groups < 1 ||
        !(bytes >= 0 && isfinite(bytes)))
        return SERVET_EARGUMENT;
    int code = srv_comm_find(profile, comm);
    if (code == SERVET_OK && ranks > (*comm)->fact.ranks)
        return SERVET_ERANGE;
    return code;
}

int servet_network_collective_predict(const servet_profile *profile, servet_collective_op op,
                                      double bytes, int ranks, int groups, servet_value *time)
{
    prediction on = {.profile = profile, .ranks = ranks, .groups = groups};
    servet_value answer;
    int code = check(profile, op, bytes, ranks, groups, &on.comm);
    if (code == SERVET_OK && ranks > 1 && !on.comm->layers.count)
        code = SERVET_EUNMEASURED;
    if (code == SERVET_OK)
        code = predict(&on, op, bytes, &answer);
    return code == SERVET_OK ? srv_answer_value(profile, &answer, time) : code;
}

/* --- measured --------------------------------------------------------------------------------- */

/* Two neighbours of a size among the measurements of one group. */
typedef struct neighbours {
    const servet_collective *below, *above; /* NULL: there is none */
} neighbours;

/* Finds the neighbours of a size; sizes ascend. A barrier has only one size. */
static neighbours find(const srv_comm *comm, servet_collective_op op, double bytes, int ranks)
{
    const servet_collective *all = comm->collectives.items;
    neighbours found = {NULL, NULL};
    for (int i = 0; i < comm->collectives.count; i++) {
        const servet_collective *at = &all[i];
        if (at->op != op || at->ranks != ranks || at->groups != 1)
            continue;
        if (at->bytes <= bytes)
            found.below = at;
        if (!found.above && at->bytes >= bytes)
            found.above = at;
    }
    return op == SERVET_COLLECTIVE_BARRIER ? (neighbours){found.below, found.below} : found;
}

static servet_value time_between(const neighbours *found, double bytes)
{
    const servet_collective *below = found->below, *above = found->above;
    if (!below)
        return srv_value_beyond(above->time);
    if (!above)
        return srv_value_beyond(
            srv_value_times(below->time, &(servet_value){.value = bytes / below->bytes,
                                                         .low = bytes / below->bytes,
                                                         .high = bytes / below->bytes,
                                                         .trusted = true}));
    if (above == below)
        return below->time;
    return srv_value_between(&below->time, &above->time,
                             (bytes - below->bytes) / (above->bytes - below->bytes));
}

int servet_network_collective(const servet_profile *profile, servet_collective_op op, double bytes,
                              int ranks, servet_value *time)
{
    const srv_comm *comm;
    int code = check(profile, op, bytes, ranks, 1, &comm);
    if (code != SERVET_OK)
        return code;
    neighbours found = find(comm, op, bytes, ranks);
    if (!found.below && !found.above)
        return servet_network_collective_predict(profile, op, bytes, ranks, 1, time);
    servet_value answer = time_between(&found, bytes);
    return srv_answer_value(profile, &answer, time);
}
