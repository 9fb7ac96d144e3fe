/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/repeat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "run/plan.h"
#include "run/raw_file.h"
#include "run/repeats.h"
#include "sample/visit_seconds.h"

/* A moment at the end comes every so often. */
static const double MOMENT_SECONDS = 0.2;

/* Messages of one pair. */
typedef struct again {
    srv_rank_pair pair;
    double bytes;
    srv_buffers buffers;
} again;

double srv_network_now(void *network)
{
    srv_network *on = network;
    return on->ops->elapsed(on);
}

/* --- probes ----------------------------------------------------------------------------------- */

/* Ranks take other memory for each exchange. */
static int measure_again(void *context, const void *arguments, uint64_t seed, double *value,
                         servet_error *error)
{
    srv_network *network = context;
    const again *on = arguments;
    srv_exchange exchange = {.pairs = &on->pair,
                             .count = 1,
                             .bytes = on->bytes,
                             .flow = SRV_FLOW_PING_PONG,
                             .buffers = on->buffers,
                             .seconds = SRV_VISIT_SECONDS};
    srv_spread time;
    (void)seed;
    int code = network->ops->exchange(network, &exchange, &time, error);
    if (code == SERVET_OK)
        *value = time.median;
    return code;
}

static void name_fact(int layer, char name[SERVET_NAME_MAX])
{
    snprintf(name, SERVET_NAME_MAX, "layers.%d.latency_us", layer + 1);
}

int srv_network_repeat_layers(const srv_network_job *job, servet_error *error)
{
    const srv_network_options *options = job->options;
    int code = SERVET_OK;
    for (int i = 0; i < job->facts->layer_count && code == SERVET_OK; i++) {
        char name[SERVET_NAME_MAX];
        again arguments = {.pair = job->facts->layer[i].pair,
                           .bytes = options->layer_bytes,
                           .buffers = options->buffers ? *options->buffers : SRV_BUFFERS_WARM};
        name_fact(i, name);
        srv_probe probe = {name, SERVET_UNIT_SECOND, measure_again, &arguments, sizeof arguments};
        code = srv_repeats_add(job->repeats, &probe, error);
    }
    return code;
}

/* --- at the end ------------------------------------------------------------------------------- */

static int linger(srv_network_job *job, servet_error *error)
{
    const srv_network_options *options = job->options;
    double began = srv_network_now(job->network);
    double until = fmin(job->until, began + SRV_PLAN_LINGER_SECONDS);
    int code = SERVET_OK, first = 0;
    srv_rank_noise *noises =
        calloc((size_t)job->rank_count, sizeof *noises); /* one for each rank */
    if (!noises)
        return srv_fail_memory(error);
    while (code == SERVET_OK && srv_repeats_round(job->repeats, SRV_REPEATS_ENOUGH, until) > 0) {
        double now = srv_network_now(job->network), rest = MOMENT_SECONDS - (now - began);
        servet_progress progress = {.what = "the same at other moments", .done = 1, .seconds = now};
        if (options->progress && options->progress(options->context, &progress))
            code = srv_fail(error, SERVET_EINTERRUPTED, "interrupted");
        else if (rest > 0 && now + rest < until)
            code = job->network->ops->noise(job->network, &first, 1, rest, noises, error);
        began = srv_network_now(job->network);
    }
    free(noises);
    return code;
}

servet_value srv_bandwidth_of(const servet_value *latency, double bytes)
{
    servet_value bandwidth = *latency;
    bandwidth.unit = SERVET_UNIT_BYTE_PER_SECOND;
    bandwidth.value = bytes / latency->value;
    bandwidth.low = bytes / latency->high;
    bandwidth.high = bytes / latency->low;
    return bandwidth;
}

servet_modes srv_bandwidth_modes_of(const servet_modes *latency, double bytes)
{
    if (latency->count == 0)
        return (servet_modes){0};
    return (servet_modes){.count = 2,
                          .value = {bytes / latency->value[1], bytes / latency->value[0]},
                          .share = {latency->share[1], latency->share[0]}};
}

/* The interval holds what the pairs of the layer took when it was found. */
static void settle_layer(const srv_network_job *job, const srv_repeated *one)
{
    for (int i = 0; i < job->facts->layer_count; i++) {
        char name[SERVET_NAME_MAX];
        srv_network_layer *layer = &job->facts->layer[i];
        name_fact(i, name);
        if (strcmp(one->fact, name) != 0 || one->count == 0)
            continue;
        servet_value found = srv_repeated_value(one, &layer->modes);
        found.low = fmin(found.low, layer->latency.low);
        found.high = fmax(found.high, layer->latency.high);
        found.trusted = found.trusted && layer->latency.trusted;
        layer->latency = found;
        layer->bandwidth = srv_bandwidth_of(&found, job->options->layer_bytes);
    }
}

static int save(const srv_network_job *job, servet_error *error)
{
    srv_raw_file raw;
    if (job->repeats->count == 0)
        return SERVET_OK;
    if (srv_raw_begin(&raw, job->options->raw_dir, "messages-repeats.csv", error))
        srv_repeats_print(job->repeats, raw.stream);
    return srv_raw_end(&raw, error);
}

/* Sets a layer's latency to the one that it had when it was found; false if it has it. It is not
 * trusted: no one knows which one is right. */
static bool go_back(const srv_network_job *job, srv_network_layer *layer, double found)
{
    layer->latency.trusted = layer->bandwidth.trusted = false;
    if (layer->latency.value == found)
        return false;
    layer->latency.value = found;
    layer->bandwidth = srv_bandwidth_of(&layer->latency, job->options->layer_bytes);
    return true;
}

/* True if the order of layers of one kind is contradicted. All pairs have shown it at one time;
 * typical pairs, which something may have slowed since, do not change it. */
static bool contradict(const srv_network_job *job, const double *found)
{
    srv_network_layer *before[2] = {NULL, NULL};
    bool changed = false;
    for (int i = 0; i < job->facts->layer_count; i++) {
        srv_network_layer *layer = &job->facts->layer[i], *last = before[layer->between_nodes];
        before[layer->between_nodes] = layer;
        if (!last || !(last->latency.value > layer->latency.value)) /* or one is not known */
            continue;
        changed = go_back(job, last, found[last - job->facts->layer]) || changed;
        changed = go_back(job, layer, found[i]) || changed;
    }
    return changed;
}

static void settle_layers(const srv_network_job *job)
{
    double found[SRV_NETWORK_LAYERS_MAX];
    for (int i = 0; i < job->facts->layer_count; i++)
        found[i] = job->facts->layer[i].latency.value;
    for (int i = 0; i < job->repeats->count; i++)
        settle_layer(job, &job->repeats->of[i]);
    while (contradict(job, found))
        ;
    srv_network_order_layers(job->facts);
}

int srv_network_settle_repeats(srv_network_job *job, servet_error *error)
{
    int code = linger(job, error);
    const srv_repeats *repeats = job->repeats;
    bool missing = repeats->code == SERVET_EUNMEASURED; /* not on record */
    if (code == SERVET_OK && repeats->code != SERVET_OK && !missing)
        code = srv_fail(error, repeats->code, "%s", repeats->error.text);
    if (code == SERVET_OK)
        settle_layers(job);
    return code == SERVET_OK ? save(job, error) : code;
}
