/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/messages/benchmark.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "sample/visit.h"
#include "stats/interval.h"

/* The next exchange, with twice the messages, may take longer by so much. */
static const double GROWTH = 2;

/* Messages that wait for each other take as many times as long as there are, those that collapse
 * some times that. A rank that lost its core for a time slice takes a thousand times as long. */
static const double COLLAPSE = 4;

typedef struct bench {
    const srv_concurrent_plan *plan;
    srv_rank_pair *ways; /* both of each pair */
    srv_spread *time;
    double *median;
    double cost;
    servet_error *error;
} bench;

static int next_number(int messages, int all)
{
    return messages > all / 2 && messages < all ? all : 2 * messages;
}

static int numbers_up_to(int all)
{
    int count = 0;
    for (int messages = 1; messages <= all; messages = next_number(messages, all))
        count++;
    return count;
}

static srv_exchange exchange_of(const bench *on, double bytes, int messages)
{
    return (srv_exchange){.pairs = on->ways,
                          .count = messages,
                          .bytes = bytes,
                          .flow = SRV_FLOW_ONE_WAY,
                          .buffers = SRV_BUFFERS_WARM,
                          .seconds = SRV_TOGETHER_SECONDS};
}

static int probe(bench *on, double bytes, int messages, double done, srv_concurrent_point *point)
{
    srv_exchange exchange = exchange_of(on, bytes, messages);
    int code =
        srv_messaging_probe(&on->plan->messaging, &exchange, done, on->time, &on->cost, on->error);
    if (code != SERVET_OK)
        return code;
    for (int i = 0; i < messages; i++)
        on->median[i] = on->time[i].median;
    srv_interval mean = srv_mean_of(on->median, (size_t)messages);
    *point = (srv_concurrent_point){messages, bytes, mean.value, mean.low, mean.high, true};
    if (messages == 1) {
        point->low = on->time[0].low;
        point->high = on->time[0].high;
    }
    return SERVET_OK;
}

/* Measures again while it takes more than `most`: the faster result counts. */
static int retry(bench *on, srv_concurrent_point *point, double most, double done)
{
    int code = SERVET_OK;
    for (int i = 0; i < SRV_RETRIES && point->seconds > most && code == SERVET_OK; i++) {
        srv_concurrent_point again;
        if (on->cost > srv_sampler_left(&on->plan->messaging.sampler))
            break;
        code = probe(on, point->bytes, point->messages, done, &again);
        if (code == SERVET_OK && again.seconds < point->seconds)
            *point = again;
    }
    return code;
}

/* Measures again numbers that take longer than larger ones. */
static int settle(bench *on, srv_concurrent_point *points, int count, double done)
{
    int code = SERVET_OK;
    double least = INFINITY;
    for (int i = count - 1; i >= 0 && code == SERVET_OK; i--) {
        code = retry(on, &points[i], SRV_MESSAGES_RATIO_MAX * least, done);
        least = fmin(least, points[i].seconds);
    }
    return code;
}

/* Measures again what takes much longer than fewer messages; else it has no support. */
static int check_growth(bench *on, srv_concurrent_point *points, int count, double done)
{
    int code = SERVET_OK, fewer = 0;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        double more = (double)points[i].messages / points[fewer].messages;
        double most = COLLAPSE * more * points[fewer].seconds;
        code = retry(on, &points[i], most, done);
        (void)srv_forgive(&code, SERVET_EUNMEASURED, on->error); /* earlier recordings end here */
        points[i].supported = points[i].seconds <= most;
        fewer = points[i].supported ? i : fewer;
    }
    return code;
}

static int probe_size(bench *on, int size, srv_concurrent_point *points, int *count)
{
    const srv_concurrent_plan *plan = on->plan;
    int all = 2 * plan->count, numbers = numbers_up_to(all), first = *count, messages = 1;
    double done = 0;
    srv_exchange alone = exchange_of(on, plan->bytes[size], 1);
    on->cost = srv_messaging_foresee(&plan->messaging, &alone) / GROWTH;
    srv_loop loop = srv_loop_of(&plan->messaging.sampler, numbers, 1, on->error);
    while (srv_loop_next(&loop) && srv_loop_due(&loop, SRV_WANT_VISIT, GROWTH * on->cost, NULL)) {
        done = (size + (double)loop.row / numbers) / plan->size_count;
        loop.code = probe(on, plan->bytes[size], messages, done, &points[*count]);
        *count += loop.code == SERVET_OK;
        messages = next_number(messages, all);
    }
    int code = loop.code;
    if (code == SERVET_OK)
        code = settle(on, points + first, *count - first, done);
    return code == SERVET_OK ? check_growth(on, points + first, *count - first, done) : code;
}

int srv_bench_concurrent(const srv_concurrent_plan *plan, srv_concurrent_point *points, int *count,
                         servet_error *error)
{
    size_t all = 2 * (size_t)plan->count;
    bench on = {.plan = plan,
                .ways = calloc(all, sizeof *on.ways),
                .time = calloc(all, sizeof *on.time),
                .median = calloc(all, sizeof *on.median),
                .error = error};
    int code = on.ways && on.time && on.median ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < plan->count && code == SERVET_OK; i++) {
        on.ways[2 * i] = plan->pairs[i];
        on.ways[2 * i + 1] = (srv_rank_pair){plan->pairs[i].to, plan->pairs[i].from};
    }
    *count = 0;
    for (int size = 0; size < plan->size_count && code == SERVET_OK; size++)
        code = probe_size(&on, size, points, count);
    free(on.ways);
    free(on.time);
    free(on.median);
    return code;
}
