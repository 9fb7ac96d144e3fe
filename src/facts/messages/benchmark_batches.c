/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "facts/messages/benchmark.h"
#include "sample/visit.h"
#include "stats/interval.h"

/* Sizes: below the smallest nothing but the number of messages counts, above the largest nothing
 * but the bytes. One message that takes longer has no overhead worth saving. */
static const double SMALLEST = 8, LARGEST = 128 << 10, LARGEST_IN_ALL = 2 << 20;

/* One of N messages' bytes takes a slower protocol than they do at sizes from a limit / N up to the
 * limit: steps of N, or less, do not miss that. */
static const double STEP_MAX = 4;
static const double LONG_SECONDS = 5e-3;

/* Ratio to that time that a whole batch may take. */
static const double MANY = 10;

/* The next size may take longer by so much. */
static const double GROWTH = 4.5;

/* Later rounds begin in time. */
static const double ROUNDS_SECONDS = 12;

/* A gain is known to be none where its interval is this narrow. */
static const double CLOSE = 1.05;

double srv_batch_gain(const srv_batch_visit *visit)
{
    double apart = fmin(visit->seconds[SRV_BATCH_IN_TURN], visit->seconds[SRV_BATCH_AT_ONCE]);
    return apart / visit->seconds[SRV_BATCH_AS_ONE];
}

srv_interval srv_batch_gains(const srv_batch_point *point)
{
    double gains[SRV_BATCH_VISITS_MAX];
    for (int i = 0; i < point->visits; i++)
        gains[i] = srv_batch_gain(&point->visit[i]);
    return srv_interval_of(gains, (size_t)point->visits);
}

static bool is_clear(const srv_batch_point *point)
{
    if (point->visits < SRV_RANKS_MIN)
        return false;
    srv_interval gain = srv_batch_gains(point);
    return srv_payoff_of(gain.low, gain.high) != SERVET_PAYOFF_EVEN ||
           (gain.low > 1 / CLOSE && gain.high < CLOSE);
}

/* One message has been copied together right before, and is copied apart right after: it comes out
 * of the sender's cache, which a large one that the receiver itself fetches pays for. */
static srv_exchange exchange_of(const srv_batches_plan *plan, const srv_batch_point *point,
                                srv_batch_way way)
{
    bool one = way == SRV_BATCH_AS_ONE;
    return (srv_exchange){.pairs = &plan->pair,
                          .count = 1,
                          .bytes = one ? point->messages * point->bytes : point->bytes,
                          .flow = way == SRV_BATCH_AT_ONCE ? SRV_FLOW_AT_ONCE : SRV_FLOW_PING_PONG,
                          .buffers = one ? SRV_BUFFERS_TOUCHED : SRV_BUFFERS_WARM,
                          .seconds = SRV_MOMENT_SECONDS,
                          .batch = one ? 1 : point->messages};
}

/* True if a visit ends in time, as far as is known before the first one. */
static bool is_affordable(const srv_batches_plan *plan, const srv_batch_point *point)
{
    srv_exchange exchange = exchange_of(plan, point, SRV_BATCH_AS_ONE);
    return srv_sampler_fits(&plan->messaging.sampler,
                            SRV_BATCH_WAYS * srv_messaging_foresee(&plan->messaging, &exchange));
}

static int probe(const srv_batches_plan *plan, const srv_batch_point *point, srv_batch_way way,
                 double done, double *seconds, servet_error *error)
{
    srv_exchange exchange = exchange_of(plan, point, way);
    srv_spread time;
    int code = srv_messaging_probe(&plan->messaging, &exchange, done, &time, NULL, error);
    if (code == SERVET_OK)
        *seconds = time.median;
    return code;
}

/* Each visit begins with another way: what changes meanwhile favours none. */
static int visit(const srv_batches_plan *plan, srv_batch_point *point, double done,
                 servet_error *error)
{
    srv_batch_visit *made = &point->visit[point->visits];
    double began = srv_sampler_now(&plan->messaging.sampler);
    int code = SERVET_OK;
    made->moment = began;
    for (int i = 0; i < SRV_BATCH_WAYS && code == SERVET_OK; i++) {
        int way = (point->visits + i) % SRV_BATCH_WAYS;
        code = probe(plan, point, (srv_batch_way)way, done, &made->seconds[way], error);
    }
    if (code != SERVET_OK)
        return code;
    point->cost = srv_sampler_now(&plan->messaging.sampler) - began;
    point->visits++;
    return SERVET_OK;
}

/* Sizes of one number of messages, as far as there is time. */
static int visit_number(const srv_batches_plan *plan, int number, srv_batches *batches,
                        servet_error *error)
{
    int messages = 2 << (2 * number), code = SERVET_OK;
    double cost = 0, seconds = 0, largest = fmin(LARGEST, LARGEST_IN_ALL / messages);
    double share = 1. / SRV_BATCH_NUMBERS / SRV_BATCH_VISITS_MAX;
    double step = fmin(messages, STEP_MAX);
    for (double bytes = SMALLEST; bytes <= largest && seconds < LONG_SECONDS && code == SERVET_OK;
         bytes *= step) {
        srv_batch_point *point = &batches->point[batches->count];
        *point = (srv_batch_point){.messages = messages, .bytes = bytes};
        if (!srv_sampler_fits(&plan->messaging.sampler, GROWTH * cost) ||
            !is_affordable(plan, point))
            break;
        code = visit(plan, point, (number + log(bytes) / log(2 * largest)) * share, error);
        cost = point->cost;
        seconds = fmax(point->visit[0].seconds[SRV_BATCH_AS_ONE],
                       point->visit[0].seconds[SRV_BATCH_IN_TURN] / MANY);
        batches->count += code == SERVET_OK;
    }
    return code;
}

/* Visits all batches that are not clear once more in each of the rounds from `first` to `last`. */
static int visit_again(const srv_batches_plan *plan, const srv_sampler *sampler,
                       srv_batches *batches, int first, int last, servet_error *error)
{
    srv_loop loop = srv_loop_of(sampler, batches->count, last - first + 1, error);
    while (srv_loop_next(&loop)) {
        srv_batch_point *point = &batches->point[loop.row];
        double round = first + loop.round + (double)loop.row / batches->count;
        if (srv_loop_due(&loop, is_clear(point) ? SRV_WANT_NOTHING : SRV_WANT_SPARE,
                         GROWTH * point->cost, NULL))
            loop.code = visit(plan, point, round / SRV_BATCH_VISITS_MAX, error);
    }
    return loop.code;
}

int srv_bench_batches(const srv_batches_plan *plan, srv_batches *batches, servet_error *error)
{
    int code = SERVET_OK;
    batches->count = 0;
    for (int number = 0; number < SRV_BATCH_NUMBERS && code == SERVET_OK; number++)
        code = visit_number(plan, number, batches, error);
    const srv_sampler *all = &plan->messaging.sampler;
    srv_sampler limited = srv_sampler_within(all, ROUNDS_SECONDS);
    if (code == SERVET_OK)
        code = visit_again(plan, all, batches, 1, SRV_BATCH_VISITS_TRUSTED - 1, error);
    return code == SERVET_OK ? visit_again(plan, &limited, batches, SRV_BATCH_VISITS_TRUSTED,
                                           SRV_BATCH_VISITS_MAX - 1, error)
                             : code;
}

int srv_bench_batches_add(const srv_batches_plan *plan, int messages, double bytes,
                          srv_batches *batches, servet_error *error)
{
    srv_batch_point made = {.messages = messages, .bytes = bytes};
    /* Index of the batch, existing or new. */
    int at = 0;
    while (at < batches->count &&
           (batches->point[at].messages < messages ||
            (batches->point[at].messages == messages && batches->point[at].bytes < bytes)))
        at++;
    int code = SERVET_OK;
    srv_batch_point *place = &batches->point[at];
    bool is_there = at < batches->count && place->messages == messages && place->bytes == bytes;
    if (is_there || batches->count == SRV_BATCHES_MAX)
        return SERVET_OK;
    while (code == SERVET_OK && made.visits < SRV_BATCH_VISITS_MAX && !is_clear(&made) &&
           GROWTH * made.cost < srv_sampler_left(&plan->messaging.sampler) &&
           is_affordable(plan, &made))
        code = visit(plan, &made, 1, error);
    if (code != SERVET_OK || made.visits < SRV_BATCH_VISITS_TRUSTED)
        return code;
    memmove(place + 1, place, (size_t)(batches->count++ - at) * sizeof *place);
    *place = made;
    return SERVET_OK;
}
