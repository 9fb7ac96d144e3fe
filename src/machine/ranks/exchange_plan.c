/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/exchange_plan.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

static const double GROWTH = 16;

/*
 * A median needs three samples. A ping-pong has many short ones: a rank that loses its core for 10
 * ms spoils only one. Messages one way arrive in bursts, whose size depends on the buffers in
 * between, and a sample must contain several; pairs that share a link alternate, and each must have
 * had it several times before the first pair has finished.
 */
static const struct {
    int min, max;
} samples_of[] = {
    [SRV_FLOW_PING_PONG] = {3, SRV_EXCHANGE_SAMPLES_MAX},
    [SRV_FLOW_ONE_WAY] = {5, 32},
    [SRV_FLOW_AT_ONCE] = {3, SRV_EXCHANGE_SAMPLES_MAX},
    [SRV_FLOW_COLLECTIVE] = {3, SRV_EXCHANGE_SAMPLES_MAX},
};

/* --- parts ------------------------------------------------------------------------------------ */

static bool idle(const srv_exchange_part *part)
{
    return part->to == SRV_NO_RANK && part->from == SRV_NO_RANK;
}

static void add_member(srv_exchange_plan *plan, const srv_exchange *exchange, int pair, int first)
{
    srv_exchange_part *part = &plan->part[exchange->pairs[pair].to];
    servet_collective_op op = srv_flow_op(exchange->flow);
    bool each = op == SERVET_COLLECTIVE_ALLGATHER || op == SERVET_COLLECTIVE_ALLTOALL;
    part->from = exchange->pairs[pair].from;
    part->group = first;
    part->members = srv_group_size(exchange->pairs, exchange->count, first);
    part->blocks = each ? part->members : 1;
}

static void add_pairs(srv_exchange_plan *plan, const srv_exchange *exchange, int rank_count)
{
    int batch = srv_batch_of(exchange);
    double warm_up = ceil(srv_warm_bytes_of(exchange) / batch / fmax(exchange->bytes, 1));
    for (int i = 0; i < rank_count; i++)
        plan->part[i] = (srv_exchange_part){
            .flow = exchange->flow,
            .buffers = exchange->buffers,
            .bytes = (int)exchange->bytes,
            .batch = batch,
            .to = SRV_NO_RANK,
            .from = SRV_NO_RANK,
            .blocks = 1,
            .warm_up = (int)fmin(warm_up, ceil((double)SRV_WARM_UP_MAX / batch)),
        };
    for (int i = 0, first = 0; i < exchange->count; i++) {
        const srv_rank_pair *pair = &exchange->pairs[i];
        first = pair->from == exchange->pairs[first].from ? first : i;
        if (srv_flow_is_collective(exchange->flow)) {
            add_member(plan, exchange, i, first);
        } else {
            plan->part[pair->from].to = pair->to;
            plan->part[pair->to].from = pair->from;
        }
    }
}

static int participant_or_none(const srv_exchange_plan *plan, int index)
{
    return index < plan->count ? plan->participant[index] : SRV_NO_RANK;
}

/* In a ping-pong the sender measures, which sees the message come back; otherwise the receiver,
 * because a sent message may have reached no more than the next buffer. */
static void choose_timers(srv_exchange_plan *plan, srv_flow flow, int rank_count)
{
    for (int i = 0; i < rank_count; i++)
        plan->timed[i] = SRV_NO_PAIR;
    for (int i = 0; i < plan->pair_count; i++)
        plan->timed[srv_flow_returns(flow) ? plan->pair[i].from : plan->pair[i].to] = i;
}

/* A binary tree, numbered as in a heap: as deep as the logarithm of those who take part. */
static void build_tree(srv_exchange_plan *plan, int rank_count)
{
    for (int i = 0; i < rank_count; i++)
        if (!idle(&plan->part[i]))
            plan->participant[plan->count++] = i;
    for (int i = 0; i < plan->count; i++) {
        srv_exchange_part *part = &plan->part[plan->participant[i]];
        part->parent = i ? plan->participant[(i - 1) / 2] : SRV_NO_RANK;
        part->child[0] = participant_or_none(plan, 2 * i + 1);
        part->child[1] = participant_or_none(plan, 2 * i + 2);
    }
}

int srv_exchange_plan_init(srv_exchange_plan *plan, const srv_exchange *exchange, int rank_count,
                           servet_error *error)
{
    *plan = (srv_exchange_plan){.seconds = exchange->seconds};
    int code = srv_exchange_check(exchange, rank_count, error);
    if (code != SERVET_OK)
        return code;
    plan->pair_count = exchange->count;
    plan->pair = malloc((size_t)exchange->count * sizeof *plan->pair);
    plan->part = malloc((size_t)rank_count * sizeof *plan->part);
    plan->participant = malloc((size_t)rank_count * sizeof *plan->participant);
    plan->timed = malloc((size_t)rank_count * sizeof *plan->timed);
    plan->member = malloc((size_t)exchange->count * sizeof *plan->member);
    if (!plan->pair || !plan->member || !plan->part || !plan->participant || !plan->timed) {
        srv_exchange_plan_finish(plan);
        return srv_fail_memory(error);
    }
    add_pairs(plan, exchange, rank_count);
    memcpy(plan->pair, exchange->pairs, (size_t)exchange->count * sizeof *plan->pair);
    for (int i = 0; i < exchange->count; i++)
        plan->member[i] = exchange->pairs[i].to;
    choose_timers(plan, exchange->flow, rank_count);
    build_tree(plan, rank_count);
    return SERVET_OK;
}

void srv_exchange_plan_finish(srv_exchange_plan *plan)
{
    free(plan->pair);
    free(plan->member);
    free(plan->part);
    free(plan->timed);
    free(plan->participant);
    *plan = (srv_exchange_plan){0};
}

/* --- samples ---------------------------------------------------------------------------------- */

static void set_repetitions(srv_exchange_plan *plan, double samples, double messages)
{
    for (int i = 0; i < plan->count; i++) {
        srv_exchange_part *part = &plan->part[plan->participant[i]];
        part->samples = (int)samples;
        part->messages = (int)fmax(1, floor(messages / samples));
    }
}

/* The time of a few messages does not predict that of many, which meet interference on their cores.
 * Therefore the number grows in steps until one takes a good part of the time; the next one then
 * exceeds it by one step at most. */
bool srv_exchange_plan_repeat(srv_exchange_plan *plan, double seconds, double tried)
{
    double all = fmin(plan->seconds / fmax(seconds, 1e-9), INT_MAX);
    srv_flow flow = plan->part[plan->participant[0]].flow;
    flow = srv_flow_is_collective(flow) ? SRV_FLOW_COLLECTIVE : flow;
    double samples = fmax(samples_of[flow].min, fmin(floor(all), samples_of[flow].max));
    bool known = all <= GROWTH * tried;
    set_repetitions(plan, known ? samples : 1, known ? all : GROWTH * tried);
    return known;
}

double srv_exchange_plan_messages(const srv_exchange_plan *plan)
{
    const srv_exchange_part *part = &plan->part[plan->participant[0]];
    return (double)part->samples * part->messages;
}

/* The number of samples, from the first, that were taken within `end`. */
static int count_within(const double *samples, int count, double end)
{
    double now = 0;
    for (int i = 0; i < count; i++) {
        now += samples[i];
        if (now > end)
            return i;
    }
    return count;
}

static double total(const double *samples, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += samples[i];
    return sum;
}

/* The samples up to the first end, but three at least. */
static srv_spread spread_within(const double *own, int count, double first_end)
{
    double within[SRV_EXCHANGE_SAMPLES_MAX];
    int least = samples_of[SRV_FLOW_PING_PONG].min, used = count_within(own, count, first_end);
    used = used < least ? least : used;
    used = used > count ? count : used;
    memcpy(within, own, (size_t)used * sizeof *within);
    return srv_spread_of(within, (size_t)used);
}

/* Seconds of a message up to the first end; of a message in flight then, the part that had arrived.
 */
static double mean_within(const double *own, int count, double first_end)
{
    int whole = count_within(own, count, first_end);
    double rest = whole < count ? (first_end - total(own, whole)) / own[whole] : 0;
    return first_end / (whole + rest);
}

static void set_middle(srv_spread *spread, double middle)
{
    spread->median = middle;
    spread->low = fmin(spread->low, middle);
    spread->high = fmax(spread->high, middle);
    spread->minimum = fmin(spread->minimum, middle);
}

void srv_exchange_plan_times(const double *samples, srv_flow flow, int pair_count, int count,
                             srv_spread *times)
{
    double first_end = INFINITY;
    for (int i = 0; i < pair_count && !srv_flow_is_collective(flow); i++)
        first_end = fmin(first_end, total(samples + i * SRV_EXCHANGE_SAMPLES_MAX, count));
    for (int i = 0; i < pair_count; i++) {
        const double *own = samples + i * SRV_EXCHANGE_SAMPLES_MAX;
        times[i] = spread_within(own, count, first_end);
        if (flow == SRV_FLOW_ONE_WAY)
            set_middle(&times[i], mean_within(own, count, first_end));
    }
}
