/* SPDX-License-Identifier: BSD-3-Clause */
/* Times against sizes, for the typical pair of each layer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "facts/messages/benchmark.h"
#include "facts/messages/detect.h"
#include "facts/store.h"
#include "run/network/job.h"

/* A switch of protocols is refined between the two sizes around it until they are this near. */
static const double NEAR = 1.05;
enum { REFINEMENTS_MAX = 5 };

/* Visits whose quartiles show outliers. */
enum { FENCED_MIN = 8 };

/* Sizes on either side whose errors count for a size. */
enum { AROUND = 2 };

typedef struct curve {
    srv_network_job *job;
    int number; /* of the layer, from 1 */
    srv_sizes_plan plan;
    srv_sizes sizes;
    servet_protocol protocol[SRV_PROTOCOLS_MAX];
    int protocol_count;
    double bytes[SRV_SIZES_MAX], seconds[SRV_SIZES_MAX], errors[SRV_SIZES_MAX];
} curve;

/* Standard error of the median, relative, if nine of ten normal visits are in the spread: from
 * FENCED_MIN visits on that of the visits without outliers, which decides what is measured again.
 */
static double error_of(const srv_sizes *sizes, int at)
{
    const double deviations = 2 * 1.645, of_median = 1.253;
    const srv_message_size *size = &sizes->size[at];
    const servet_value *time = &size->time;
    double visits[SRV_SIZE_VISITS_MAX], *sorted = visits, spread = time->high - time->low;
    size_t n = (size_t)size->visits;
    for (size_t i = 0; i < n; i++)
        visits[i] = size->visit[i].value;
    srv_sort(visits, n);
    if (n >= FENCED_MIN) {
        size_t kept = srv_fence(&sorted, n);
        spread = srv_sorted_quantile(sorted, kept, 0.95) - srv_sorted_quantile(sorted, kept, 0.05);
    }
    return of_median * spread / deviations / sqrt((double)n) / time->value;
}

static int detect(curve *on, servet_error *error)
{
    const srv_sizes *sizes = &on->sizes;
    for (int i = 0; i < sizes->count; i++) {
        on->bytes[i] = sizes->size[i].bytes;
        on->seconds[i] = sizes->size[i].time.value;
        /* Few visits may agree by chance: the error of a size is that of sizes around it, too. */
        int first = i < AROUND ? 0 : i - AROUND, count = 0;
        double squares = 0;
        for (int k = first; k <= i + AROUND && k < sizes->count; k++, count++)
            squares += pow(error_of(sizes, k), 2);
        on->errors[i] = sqrt(squares / count);
    }
    srv_message_curve seen = {on->bytes, on->seconds, sizes->count, on->errors};
    return srv_detect_protocols(&seen, SRV_MESSAGE_NOISE, on->protocol, &on->protocol_count, error);
}

/* Measures the middle of the interval of each switch; `*added`: at least one size was measured. */
static int refine(curve *on, bool *added, servet_error *error)
{
    int code = SERVET_OK;
    *added = false;
    for (int i = 1; i < on->protocol_count && code == SERVET_OK; i++) {
        const servet_value *from = &on->protocol[i].from;
        int place = -1;
        if (from->high > NEAR * from->low)
            code = srv_bench_sizes_add(&on->plan, floor(sqrt(from->low * from->high)), &on->sizes,
                                       &place, error);
        *added = *added || place >= 0;
    }
    return code == SERVET_OK && *added ? detect(on, error) : code;
}

static int measure(curve *on, servet_error *error)
{
    int code = srv_bench_sizes(&on->plan, &on->sizes, error);
    if (code == SERVET_OK)
        code = detect(on, error);
    bool added = true;
    for (int i = 0; i < REFINEMENTS_MAX && added && code == SERVET_OK; i++)
        code = refine(on, &added, error);
    return code;
}

static int store_points(const curve *on, servet_message *points, servet_error *error)
{
    servet_protocol protocols[SRV_PROTOCOLS_MAX];
    for (int i = 0; i < on->sizes.count; i++) {
        points[i] = (servet_message){.bytes = on->sizes.size[i].bytes,
                                     .time = srv_network_rounded(on->sizes.size[i].time)};
        points[i].time.trusted = true;
    }
    for (int i = 0; i < on->protocol_count; i++) {
        protocols[i] = on->protocol[i];
        protocols[i].latency = srv_network_rounded(protocols[i].latency);
        protocols[i].bandwidth = srv_network_rounded(protocols[i].bandwidth);
    }
    int code = srv_store(SRV_JOB(on->job), points, sizeof *points, on->sizes.count, error,
                         "network.layers.%d.points", on->number);
    return code == SERVET_OK
               ? srv_store(SRV_JOB(on->job), protocols, sizeof *protocols, on->protocol_count,
                           error, "network.layers.%d.protocols", on->number)
               : code;
}

static int store_modes(const curve *on, int index, servet_error *error)
{
    servet_modes modes;
    char key[SERVET_NAME_MAX];
    srv_repeats_modes(on->sizes.size[index].visit, on->sizes.size[index].visits, &modes);
    if (modes.count == 0)
        return SERVET_OK;
    servet_value time = on->sizes.size[index].time;
    srv_modes_join(&time, &modes);
    time = srv_network_rounded(time);
    time.trusted = true;
    snprintf(key, sizeof key, "layers.%d.points.%d.time_us", on->number, index + 1);
    return servet_profile_set_repeats(on->job->profile, 0, key, &time, &modes, error);
}

static int store(const curve *on, servet_error *error)
{
    if (on->sizes.count == 0)
        return SERVET_OK;
    servet_message *points = calloc((size_t)on->sizes.count, sizeof *points);
    int code = points ? store_points(on, points, error) : srv_fail_memory(error);
    for (int i = 0; i < on->sizes.count && code == SERVET_OK; i++)
        code = store_modes(on, i, error);
    free(points);
    return code;
}

static int measure_layer(srv_network_job *job, int number, servet_error *error)
{
    srv_network_layer layer = srv_network_job_layer(job, number);
    srv_messaging messaging = srv_network_job_messaging(job, layer.fact.between_nodes);
    curve *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->job = job;
    on->number = number;
    on->plan = (srv_sizes_plan){messaging, layer.pair,
                                srv_messaging_largest(messaging.byte_seconds, job->message_bytes)};
    int code = measure(on, error);
    if (code == SERVET_OK)
        code = store(on, error);
    free(on);
    return code;
}

int srv_network_measure_curves(srv_network_job *job, servet_error *error)
{
    return srv_network_job_each_layer(job, "network.layers.points", measure_layer, error);
}
