/* SPDX-License-Identifier: BSD-3-Clause */
/* Times against sizes, for the typical pair of each layer. */
#include "facts/messages/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "facts/messages/benchmark_sizes.h"
#include "run/network/job.h"
#include "run/raw_file.h"

/* Medians of the same size differ by so much from visit to visit at least. */
static const double NOISE = 0.02;

/* A switch of protocols is refined between the two sizes around it until they are this near. */
static const double NEAR = 1.05;
enum { REFINEMENTS_MAX = 5 };

/* Sizes on either side whose errors count for a size. */
enum { AROUND = 2 };

typedef struct curve {
    srv_network_job *job;
    srv_network_layer *layer;
    srv_sizes_plan plan;
    srv_sizes sizes;
    double seconds[SRV_SIZES_MAX], errors[SRV_SIZES_MAX];
} curve;

/* The interval of a time holds nine of ten visits; of normal ones, the median has this standard
 * error, relative. */
static double error_of(const servet_value *time, int visits)
{
    const double deviations = 2 * 1.645, of_median = 1.253;
    return of_median * (time->high - time->low) / deviations / sqrt(visits) / time->value;
}

/* Few visits may agree by chance: the error of a size is that of sizes around it, too. */
static double error_around(const srv_sizes *sizes, int at)
{
    int first = at < AROUND ? 0 : at - AROUND, count = 0;
    double squares = 0;
    for (int i = first; i <= at + AROUND && i < sizes->count; i++, count++)
        squares += pow(error_of(&sizes->time[i], sizes->visits[i]), 2);
    return sqrt(squares / count);
}

static int detect(curve *on, servet_error *error)
{
    const srv_sizes *sizes = &on->sizes;
    for (int i = 0; i < sizes->count; i++) {
        on->seconds[i] = sizes->time[i].value;
        on->errors[i] = error_around(sizes, i);
    }
    srv_message_curve seen = {sizes->bytes, on->seconds, sizes->count, on->errors};
    return srv_detect_protocols(&seen, NOISE, on->layer->protocol, &on->layer->protocol_count,
                                error);
}

/* Measures the middle of the interval of each switch; `*added`: at least one size was measured. */
static int refine(curve *on, bool *added, servet_error *error)
{
    int code = SERVET_OK;
    *added = false;
    for (int i = 1; i < on->layer->protocol_count && code == SERVET_OK; i++) {
        const servet_value *from = &on->layer->protocol[i].from;
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

static int store(const curve *on, servet_error *error)
{
    int count = on->sizes.count;
    srv_message_point *points = calloc((size_t)count + 1, sizeof *points);
    if (!points)
        return srv_fail_memory(error);
    for (int i = 0; i < count; i++) {
        points[i] = (srv_message_point){.bytes = on->sizes.bytes[i], .time = on->sizes.time[i]};
        srv_repeats_modes(on->sizes.visit[i], on->sizes.visits[i], &points[i].modes);
        points[i].time.trusted = points[i].modes.count == 0;
    }
    free(on->layer->curve);
    on->layer->curve = points;
    on->layer->curve_count = count;
    return SERVET_OK;
}

static int save(const curve *on, int number, servet_error *error)
{
    char name[48];
    srv_raw_file raw;
    snprintf(name, sizeof name, "messages-layer-%d.csv", number);
    if (srv_raw_begin(&raw, on->job->options->raw_dir, name, error)) {
        fprintf(raw.stream,
                "# ranks %d and %d, %s buffers; half a round trip, median and interval\n",
                on->layer->pair.from, on->layer->pair.to,
                srv_network_job_buffers(on->job, SRV_BUFFERS_WARM));
        fputs("bytes,seconds,low,high\n", raw.stream);
        for (int i = 0; i < on->sizes.count; i++)
            fprintf(raw.stream, "%.0f,%.5g,%.5g,%.5g\n", on->sizes.bytes[i],
                    on->sizes.time[i].value, on->sizes.time[i].low, on->sizes.time[i].high);
    }
    return srv_raw_end(&raw, error);
}

/* Every visit with its moment. */
static int save_visits(const curve *on, int number, servet_error *error)
{
    char name[48];
    srv_raw_file raw;
    snprintf(name, sizeof name, "messages-visits-%d.csv", number);
    if (srv_raw_begin(&raw, on->job->options->raw_dir, name, error)) {
        fputs("bytes,moment,buffer,seconds\n", raw.stream);
        for (int i = 0; i < on->sizes.count; i++)
            for (int k = 0; k < on->sizes.visits[i]; k++) {
                const srv_repeat *visit = &on->sizes.visit[i][k];
                fprintf(raw.stream, "%.0f,%.6g,%d,%.6g\n", on->sizes.bytes[i], visit->moment,
                        visit->buffer, visit->value);
            }
    }
    return srv_raw_end(&raw, error);
}

static int measure_layer(srv_network_job *job, int index, servet_error *error)
{
    curve *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->job = job;
    on->layer = &job->facts->layer[index];
    srv_messaging messaging = srv_network_job_messaging(job, on->layer->between_nodes);
    on->plan = (srv_sizes_plan){messaging, on->layer->pair,
                                srv_messaging_largest(messaging.byte_seconds, job->message_bytes)};
    int code = measure(on, error);
    if (code == SERVET_OK)
        code = save(on, index + 1, error);
    if (code == SERVET_OK)
        code = save_visits(on, index + 1, error);
    if (code == SERVET_OK)
        code = store(on, error);
    free(on);
    return code;
}

int srv_network_measure_curves(srv_network_job *job, servet_error *error)
{
    int count = job->facts->layer_count, code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        srv_network_job part = srv_network_job_part(job, (double)i / count, (i + 1.) / count);
        if (job->facts->layer[i].curve_count > 0)
            continue; /* measured by an earlier job */
        code = measure_layer(&part, i, error);
        if (code == SERVET_OK)
            code = srv_network_job_keep(job, error);
    }
    return code;
}
