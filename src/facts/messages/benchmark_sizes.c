/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "facts/messages/benchmark.h"
#include "sample/visit.h"
#include "stats/saturation.h"

/* The next size, half as large again, may take longer by so much. */
static const double GROWTH = 1.6;

/* Rounds through all sizes; a size that takes longer than a moment has fewer visits, because each
 * sees longer moments. */
enum { ROUNDS = 12, ROUNDS_LONG = 4 };
static const double LONG_SECONDS = 50e-3;

/* Each round begins ROUND_STEP sizes later: periodic interference hits other sizes. */
enum { ROUND_STEP = 3 };

/* A size is measured again if its visits scatter, or if a larger one was faster. */
enum { RETRY_MESSAGES = 8 };

static srv_exchange exchange_of(const srv_sizes_plan *plan, double bytes)
{
    return (srv_exchange){.pairs = &plan->pair,
                          .count = 1,
                          .bytes = bytes,
                          .flow = SRV_FLOW_PING_PONG,
                          .buffers = SRV_BUFFERS_WARM,
                          .seconds = SRV_PAIR_SECONDS};
}

static int visit(const srv_sizes_plan *plan, srv_message_size *size, double done, double *cost,
                 servet_error *error)
{
    double moment = srv_sampler_now(&plan->messaging.sampler);
    srv_spread time;
    if (size->visits == SRV_SIZE_VISITS_MAX)
        return SERVET_OK;
    srv_exchange exchange = exchange_of(plan, size->bytes);
    int code = srv_messaging_probe(&plan->messaging, &exchange, done, &time, cost, error);
    if (code != SERVET_OK)
        return code;
    size->visit[size->visits] = (srv_repeat){time.median, moment, size->visits};
    size->visits++;
    size->time = srv_repeats_value(size->visit, size->visits, SERVET_UNIT_SECOND);
    if (size->visits == 1) { /* the quartiles of its messages */
        size->time.low = fmin(size->time.low, time.low);
        size->time.high = fmax(size->time.high, time.high);
    }
    return SERVET_OK;
}

static bool is_affordable(const srv_sizes_plan *plan, double bytes)
{
    srv_exchange exchange = exchange_of(plan, bytes);
    return srv_sampler_fits(&plan->messaging.sampler,
                            srv_messaging_foresee(&plan->messaging, &exchange));
}

/* The first round finds out how large messages can be; cost[i] becomes what size i takes. */
static int visit_first(const srv_sizes_plan *plan, srv_sizes *sizes, double *costs,
                       servet_error *error)
{
    double cost = 0;
    int code = SERVET_OK, largest = (int)plan->largest;
    for (int bytes = 1; bytes <= largest && sizes->count < SRV_SIZES_MAX && code == SERVET_OK;
         bytes = srv_next_count(bytes, largest)) {
        int at = sizes->count;
        if (!srv_sampler_fits(&plan->messaging.sampler, GROWTH * cost) ||
            !is_affordable(plan, bytes))
            break;
        sizes->size[at] = (srv_message_size){.bytes = bytes};
        code = visit(plan, &sizes->size[at], log(bytes) / log(largest + 1.) / ROUNDS, &cost, error);
        costs[at] = cost;
        sizes->count += code == SERVET_OK;
    }
    return code;
}

static int visit_again(const srv_sizes_plan *plan, srv_sizes *sizes, const double *costs,
                       servet_error *error)
{
    srv_sampler sampler = srv_sampler_within(&plan->messaging.sampler, SRV_ROUNDS_SECONDS);
    srv_loop loop = srv_loop_of(&sampler, sizes->count, ROUNDS - 1, error);
    while (srv_loop_next(&loop)) {
        int round = loop.round + 1, at = (loop.row + ROUND_STEP * round) % sizes->count;
        bool wanted = round < ROUNDS_LONG || costs[at] < LONG_SECONDS;
        double done = (round + (double)loop.row / sizes->count) / ROUNDS;
        if (srv_loop_due(&loop, wanted ? SRV_WANT_SPARE : SRV_WANT_NOTHING, GROWTH * costs[at],
                         NULL))
            loop.code = visit(plan, &sizes->size[at], done, NULL, error);
    }
    return loop.code;
}

/* True if a size scatters, or is slower than a larger one. */
static bool is_disturbed(const srv_sizes *sizes, int at)
{
    const servet_value *own = &sizes->size[at].time;
    if (own->high - own->low > SRV_QUARTILES_SHARE_MAX * own->value)
        return true;
    for (int i = at + 1; i < sizes->count; i++)
        if (SRV_MESSAGES_RATIO_MAX * sizes->size[i].time.value < own->value)
            return true;
    return false;
}

static int settle(const srv_sizes_plan *plan, srv_sizes *sizes, servet_error *error)
{
    int code = SERVET_OK;
    for (int retry = 0; retry < SRV_RETRIES; retry++)
        for (int i = sizes->count - 1; i >= 0 && code == SERVET_OK; i--) {
            double again = 2 * sizes->size[i].time.value * RETRY_MESSAGES;
            if (sizes->size[i].visits < ROUNDS_LONG && is_disturbed(sizes, i) &&
                again < srv_sampler_left(&plan->messaging.sampler))
                code = visit(plan, &sizes->size[i], 1, NULL, error);
        }
    return code;
}

int srv_bench_sizes(const srv_sizes_plan *plan, srv_sizes *sizes, servet_error *error)
{
    double costs[SRV_SIZES_MAX];
    sizes->count = 0;
    int code = visit_first(plan, sizes, costs, error);
    if (code == SERVET_OK)
        code = visit_again(plan, sizes, costs, error);
    return code == SERVET_OK ? settle(plan, sizes, error) : code;
}

int srv_bench_sizes_add(const srv_sizes_plan *plan, double bytes, srv_sizes *sizes, int *place,
                        servet_error *error)
{
    srv_message_size made = {.bytes = bytes}, *size = sizes->size;
    *place = -1;
    while (size < sizes->size + sizes->count && size->bytes < bytes)
        size++;
    int at = (int)(size - sizes->size);
    bool is_there = at < sizes->count && size->bytes == bytes;
    if (is_there || sizes->count == SRV_SIZES_MAX || !is_affordable(plan, bytes))
        return SERVET_OK;
    int code = visit(plan, &made, 1, NULL, error);
    if (code != SERVET_OK)
        return code;
    memmove(size + 1, size, (size_t)(sizes->count++ - at) * sizeof *size);
    *size = made;
    *place = at;
    for (int k = 1; k < ROUNDS_LONG && code == SERVET_OK && is_disturbed(sizes, at); k++)
        if (is_affordable(plan, bytes))
            code = visit(plan, size, 1, NULL, error);
    return code;
}
