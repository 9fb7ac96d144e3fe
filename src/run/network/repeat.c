/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/repeat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "sample/visit.h"

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

static void name_fact(int number, const char *member, char name[SERVET_NAME_MAX])
{
    snprintf(name, SERVET_NAME_MAX, "layers.%d.%s", number, member);
}

int srv_network_repeat_layers(const srv_network_job *job, servet_error *error)
{
    const srv_network_options *options = job->options;
    int code = SERVET_OK;
    for (int i = 1; i <= srv_network_job_layers(job) && code == SERVET_OK; i++) {
        char name[SERVET_NAME_MAX];
        again arguments = {.pair = srv_network_job_layer(job, i).pair,
                           .bytes = options->layer_bytes,
                           .buffers = options->buffers ? *options->buffers : SRV_BUFFERS_WARM};
        name_fact(i, "latency_us", name);
        srv_probe probe = {name, SERVET_UNIT_SECOND, measure_again, &arguments, sizeof arguments};
        code = srv_repeats_add(job->slot.repeats, &probe, error);
    }
    return code;
}

/* --- at the end ------------------------------------------------------------------------------- */

servet_value srv_bandwidth_of(const servet_value *latency, double bytes)
{
    servet_value bandwidth = *latency;
    bandwidth.unit = SERVET_UNIT_BYTE_PER_SECOND;
    bandwidth.value = bytes / latency->value;
    bandwidth.low = bytes / latency->high;
    bandwidth.high = bytes / latency->low;
    return bandwidth;
}

static servet_modes bandwidth_modes_of(const servet_modes *latency, double bytes)
{
    if (latency->count == 0)
        return (servet_modes){0};
    return (servet_modes){.count = 2,
                          .value = {bytes / latency->value[1], bytes / latency->value[0]},
                          .share = {latency->share[1], latency->share[0]}};
}

/* A layer by its repeats. */
typedef struct settled {
    double found; /* latency when the layer was found */
    servet_value latency;
    servet_modes modes;
    bool is_changed;
} settled;

static settled settle_layer(const srv_network_job *job, int number)
{
    settled layer = {.latency = srv_network_job_layer(job, number).fact.latency};
    char name[SERVET_NAME_MAX];
    name_fact(number, "latency_us", name);
    layer.found = layer.latency.value;
    for (int i = 0; i < job->course->repeats.count; i++) {
        const srv_repeated *one = &job->course->repeats.of[i];
        if (strcmp(one->fact, name) != 0 || one->count == 0)
            continue;
        layer.latency = srv_repeated_value(one, &layer.modes);
        layer.is_changed = true;
    }
    return layer;
}

/* Sets a layer's latency to the one that it had when it was found; false if it has it. It is not
 * trusted: no one knows which one is right. */
static bool go_back(settled *layer)
{
    servet_value *latency = &layer->latency;
    bool differs = latency->value != layer->found;
    latency->value = layer->found;
    latency->low = fmin(latency->low, layer->found);
    latency->high = fmax(latency->high, layer->found);
    latency->trusted = false;
    layer->is_changed = true;
    return differs;
}

/* All pairs have shown the order of the layers at one time; typical pairs, which something may have
 * slowed since, do not change it. */
static bool contradict(settled *layers, int count)
{
    bool changed = false;
    for (int i = 1; i < count; i++)
        if (layers[i - 1].latency.value > layers[i].latency.value) { /* false if one is unknown */
            changed = go_back(&layers[i - 1]) || changed;
            changed = go_back(&layers[i]) || changed;
        }
    return changed;
}

/* The intervals hold what the pairs of the layer took when it was found. */
static int store(const srv_network_job *job, int number, const settled *layer, servet_error *error)
{
    char name[SERVET_NAME_MAX];
    servet_value latency = srv_network_rounded(layer->latency);
    double bytes = job->options->layer_bytes;
    servet_value bandwidth = srv_network_rounded(srv_bandwidth_of(&layer->latency, bytes));
    servet_modes modes = bandwidth_modes_of(&layer->modes, bytes);
    name_fact(number, "latency_us", name);
    int code = servet_profile_set_repeats(job->profile, 0, name, &latency, &layer->modes, error);
    name_fact(number, "bandwidth", name);
    return code == SERVET_OK
               ? servet_profile_set_repeats(job->profile, 0, name, &bandwidth, &modes, error)
               : code;
}

int srv_network_settle_repeats(const srv_network_job *job, servet_error *error)
{
    settled layers[SRV_NETWORK_LAYERS_MAX];
    int count = srv_network_job_layers(job), code = SERVET_OK;
    if (count > SRV_NETWORK_LAYERS_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "%d layers of communication", count);
    for (int i = 0; i < count; i++)
        layers[i] = settle_layer(job, i + 1);
    while (contradict(layers, count))
        ;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        if (layers[i].is_changed)
            code = store(job, i + 1, &layers[i], error);
    return code;
}
