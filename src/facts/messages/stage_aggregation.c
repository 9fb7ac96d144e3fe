/* SPDX-License-Identifier: BSD-3-Clause */
/* Several messages to one process, apart and as one, for the typical pair of each layer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "facts/messages/benchmark.h"
#include "facts/messages/detect.h"
#include "facts/store.h"
#include "run/network/job.h"
#include "stats/interval.h"
#include "stats/moments.h"

/* Sizes around a change of the payoff are refined to this ratio. */
static const double NEAR = 1.5;
enum { REFINEMENTS_MAX = 2 };

typedef struct batching {
    srv_network_job *job;
    int number; /* of the layer, from 1 */
    srv_batches_plan plan;
    srv_batches batches;
    servet_batch found[SRV_BATCHES_MAX];
} batching;

static servet_value time_of(const srv_batch_point *point, srv_batch_way way)
{
    srv_repeat repeats[SRV_BATCH_VISITS_MAX];
    for (int i = 0; i < point->visits; i++)
        repeats[i] = (srv_repeat){point->visit[i].seconds[way], point->visit[i].moment, i};
    return srv_repeats_value(repeats, point->visits, SERVET_UNIT_SECOND);
}

static servet_batch batch_of(const srv_batch_point *point)
{
    srv_interval gain = srv_batch_gains(point);
    return (servet_batch){.messages = point->messages,
                          .bytes = point->bytes,
                          .in_turn = time_of(point, SRV_BATCH_IN_TURN),
                          .at_once = time_of(point, SRV_BATCH_AT_ONCE),
                          .as_one = time_of(point, SRV_BATCH_AS_ONE),
                          .gain = {gain.value, gain.low, gain.high, point->visits, SERVET_UNIT_NONE,
                                   SERVET_METHOD_TIMED, true},
                          .payoff = srv_payoff_of(gain.low, gain.high),
                          .trusted = true};
}

static void decide(batching *on)
{
    for (int i = 0; i < on->batches.count; i++)
        on->found[i] = batch_of(&on->batches.point[i]);
}

/* Measures the middle between each two sizes with a change; `*added`: there was one. */
static int refine(batching *on, bool *added, servet_error *error)
{
    int code = SERVET_OK, count = on->batches.count;
    for (int i = 1; i < count && code == SERVET_OK; i++) {
        const servet_batch *a = &on->found[i - 1], *b = &on->found[i];
        double middle = floor(sqrt(a->bytes * b->bytes));
        bool changes = a->messages == b->messages && a->payoff != b->payoff;
        if (changes && b->bytes > NEAR * a->bytes && middle > a->bytes)
            code = srv_bench_batches_add(&on->plan, a->messages, middle, &on->batches, error);
    }
    *added = on->batches.count > count;
    decide(on);
    return code;
}

static int measure(batching *on, servet_error *error)
{
    int code = srv_bench_batches(&on->plan, &on->batches, error);
    bool added = true;
    decide(on);
    for (int i = 0; i < REFINEMENTS_MAX && added && code == SERVET_OK; i++)
        code = refine(on, &added, error);
    return code;
}

/* Too few visits may be on one side by chance. */
static int doubt(const batching *on, servet_error *error)
{
    int least = SRV_BATCH_VISITS_MAX;
    char reason[SERVET_TEXT_MAX];
    for (int i = 0; i < on->batches.count; i++)
        least = on->batches.point[i].visits < least ? on->batches.point[i].visits : least;
    if (least >= SRV_BATCH_VISITS_TRUSTED)
        return SERVET_OK;
    snprintf(reason, sizeof reason,
             "the time was short: batches of messages were measured %d time%s only", least,
             least == 1 ? "" : "s");
    return srv_doubt_facts(SRV_JOB(on->job), reason, error,
                           "network.layers.%d.batches network.layers.%d.aggregation", on->number,
                           on->number);
}

static int store(batching *on, servet_error *error)
{
    servet_aggregation ranges[SRV_BATCHES_MAX];
    int count = srv_detect_aggregation(on->found, on->batches.count, ranges);
    for (int i = 0; i < on->batches.count; i++) {
        on->found[i].in_turn = srv_network_rounded(on->found[i].in_turn);
        on->found[i].at_once = srv_network_rounded(on->found[i].at_once);
        on->found[i].as_one = srv_network_rounded(on->found[i].as_one);
        on->found[i].gain = srv_network_rounded(on->found[i].gain);
    }
    for (int i = 0; i < count; i++)
        ranges[i].gain = srv_network_rounded(ranges[i].gain);
    if (on->batches.count == 0)
        return SERVET_OK;
    int code = srv_store(SRV_JOB(on->job), on->found, sizeof *on->found, on->batches.count, error,
                         "network.layers.%d.batches", on->number);
    return code == SERVET_OK ? srv_store(SRV_JOB(on->job), ranges, sizeof *ranges, count, error,
                                         "network.layers.%d.aggregation", on->number)
                             : code;
}

static int measure_layer(srv_network_job *job, int number, servet_error *error)
{
    srv_network_layer layer = srv_network_job_layer(job, number);
    batching *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->job = job;
    on->number = number;
    on->plan =
        (srv_batches_plan){srv_network_job_messaging(job, layer.fact.between_nodes), layer.pair};
    int code = measure(on, error);
    if (code == SERVET_OK)
        code = store(on, error);
    if (code == SERVET_OK)
        code = doubt(on, error);
    free(on);
    return code;
}

int srv_network_measure_aggregation(srv_network_job *job, servet_error *error)
{
    return srv_network_job_each_layer(job, "network.layers.batches", measure_layer, error);
}
