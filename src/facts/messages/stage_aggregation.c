/* SPDX-License-Identifier: BSD-3-Clause */
/* Several messages to one process, apart and as one, for the typical pair of each layer. */
#include "facts/messages/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "facts/messages/benchmark_batches.h"
#include "facts/messages/detect_aggregation.h"
#include "run/network/job.h"
#include "run/raw_file.h"
#include "stats/moments.h"
#include "stats/payoff.h"

/* Around a change of the payoff, sizes between are measured until the two next to it differ by less
 * than this ratio. */
static const double NEAR = 1.5;
enum { REFINEMENTS_MAX = 2 };

typedef struct batching {
    srv_network_job *job;
    srv_network_layer *layer;
    srv_batches_plan plan;
    srv_batches batches;
    servet_batch found[SRV_BATCHES_MAX];
} batching;

/* --- what it says ----------------------------------------------------------------------------- */

static servet_value time_of(const srv_batch_point *point, srv_batch_way way)
{
    srv_repeat repeats[SRV_BATCH_VISITS_MAX];
    for (int i = 0; i < point->visits; i++)
        repeats[i] = (srv_repeat){point->visit[i].seconds[way], point->visit[i].moment, i};
    return srv_repeats_value(repeats, point->visits, SERVET_UNIT_SECOND);
}

static servet_batch batch_of(const srv_batch_point *point)
{
    srv_mean gain = srv_batch_gains(point);
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

static void doubt(const batching *on)
{
    int least = SRV_BATCH_VISITS_MAX;
    for (int i = 0; i < on->batches.count; i++)
        least = on->batches.point[i].visits < least ? on->batches.point[i].visits : least;
    if (least >= SRV_BATCH_VISITS_TRUSTED)
        return;
    srv_network_distrust_batches(on->layer);
    snprintf(on->layer->doubt[SRV_NETWORK_AGGREGATION], SERVET_TEXT_MAX,
             "the time was short: batches of messages were measured %d time%s only", least,
             least == 1 ? "" : "s");
}

static int store(const batching *on, servet_error *error)
{
    int count = on->batches.count;
    srv_network_layer *layer = on->layer;
    servet_batch *batches = calloc((size_t)count + 1, sizeof *batches);
    servet_aggregation *ranges = calloc((size_t)count + 1, sizeof *ranges);
    if (!batches || !ranges) {
        free(batches);
        free(ranges);
        return srv_fail_memory(error);
    }
    for (int i = 0; i < count; i++)
        batches[i] = on->found[i];
    free(layer->batches);
    free(layer->aggregation);
    layer->batches = batches;
    layer->batch_count = count;
    layer->aggregation = ranges;
    layer->aggregation_count = srv_detect_aggregation(batches, count, ranges);
    return SERVET_OK;
}

/* --- a layer ---------------------------------------------------------------------------------- */

/* Every visit with its moment. */
static int save(const batching *on, int number, servet_error *error)
{
    char name[48];
    srv_raw_file raw;
    snprintf(name, sizeof name, "aggregation-layer-%d.csv", number);
    if (srv_raw_begin(&raw, on->job->options->raw_dir, name, error)) {
        fprintf(raw.stream, "# ranks %d and %d, %s buffers; half a round trip of the whole batch\n",
                on->plan.pair.from, on->plan.pair.to,
                srv_network_job_buffers(on->job, SRV_BUFFERS_WARM));
        fputs("messages,bytes,moment,in_turn,at_once,as_one\n", raw.stream);
        for (int i = 0; i < on->batches.count; i++) {
            const srv_batch_point *point = &on->batches.point[i];
            for (int k = 0; k < point->visits; k++)
                fprintf(raw.stream, "%d,%.0f,%.6g,%.5g,%.5g,%.5g\n", point->messages, point->bytes,
                        point->visit[k].moment, point->visit[k].seconds[SRV_BATCH_IN_TURN],
                        point->visit[k].seconds[SRV_BATCH_AT_ONCE],
                        point->visit[k].seconds[SRV_BATCH_AS_ONE]);
        }
    }
    return srv_raw_end(&raw, error);
}

static int measure_layer(srv_network_job *job, int index, servet_error *error)
{
    batching *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->job = job;
    on->layer = &job->facts->layer[index];
    on->plan = (srv_batches_plan){srv_network_job_messaging(job, on->layer->between_nodes),
                                  on->layer->pair};
    int code = measure(on, error);
    if (code == SERVET_OK)
        code = save(on, index + 1, error);
    if (code == SERVET_OK)
        code = store(on, error);
    if (code == SERVET_OK)
        doubt(on);
    free(on);
    return code;
}

int srv_network_measure_aggregation(srv_network_job *job, servet_error *error)
{
    int count = job->facts->layer_count, code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        srv_network_job part = srv_network_job_part(job, (double)i / count, (i + 1.) / count);
        if (job->facts->layer[i].batch_count > 0)
            continue; /* measured by an earlier job */
        code = measure_layer(&part, i, error);
        if (code == SERVET_OK)
            code = srv_network_job_keep(job, error);
    }
    return code;
}
