/* SPDX-License-Identifier: BSD-3-Clause */
/* All cores of a layer send at once. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "facts/messages/benchmark_concurrent.h"
#include "facts/messages/stage_pairs.h"
#include "run/network/job.h"
#include "run/raw_file.h"
#include "facts/store.h"

/* Small ones, for latency, and large ones, for bandwidth; the layers' own size is between. */
enum { SIZES_MAX = 4 };
static const double SIZES[] = {64, 1024, 1 << 20};

typedef struct scaling {
    srv_network_job *job;
    int number; /* of the layer, from 1 */
    srv_rank_pair *pairs;
    int pair_count;
    double bytes[SIZES_MAX];
    srv_concurrent_point point[SIZES_MAX * SRV_CONCURRENT_NUMBERS_MAX];
    int count;
} scaling;

/* The sizes, ascending, the layers' own among them. */
static int list_sizes(double own, double bytes[SIZES_MAX])
{
    int count = 0;
    bool placed = false;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        if (!placed && own <= SIZES[i]) {
            placed = true;
            if (own < SIZES[i])
                bytes[count++] = own;
        }
        bytes[count++] = SIZES[i];
    }
    if (!placed)
        bytes[count++] = own;
    return count;
}

static int probe(scaling *on, servet_error *error)
{
    bool between_nodes = srv_network_job_layer(on->job, on->number).fact.between_nodes;
    servet_network about = {.nodes = 0};
    (void)servet_network_get(on->job->profile, &about);
    srv_concurrent_plan plan = {.messaging = srv_network_job_messaging(on->job, between_nodes),
                                .pairs = on->pairs,
                                .count = on->pair_count,
                                .bytes = on->bytes,
                                .size_count = list_sizes(about.message_bytes, on->bytes)};
    return srv_bench_concurrent(&plan, on->point, &on->count, error);
}

/* --- what it says ----------------------------------------------------------------------------- */

static servet_value timed(double value, double low, double high, int samples, servet_unit unit)
{
    return (servet_value){value, low, high, samples, unit, SERVET_METHOD_TIMED, true};
}

static int store(const scaling *on, servet_error *error)
{
    servet_together *together = calloc((size_t)on->count + 1, sizeof *together);
    const srv_concurrent_point *alone = on->point;
    if (!together)
        return srv_fail_memory(error);
    for (int i = 0; i < on->count; i++) {
        const srv_concurrent_point *point = &on->point[i];
        alone = point->messages == 1 ? point : alone;
        servet_value time =
            timed(point->seconds, point->low, point->high, point->messages, SERVET_UNIT_SECOND);
        servet_value ratio = timed(point->seconds / alone->seconds, point->low / alone->high,
                                   point->high / alone->low, point->messages, SERVET_UNIT_NONE);
        time.trusted = ratio.trusted = point->supported;
        together[i] = (servet_together){.messages = point->messages,
                                        .bytes = point->bytes,
                                        .time = srv_network_rounded(time),
                                        .ratio = srv_network_rounded(ratio)};
    }
    int code = on->count ? srv_store(SRV_JOB(on->job), together, sizeof *together, on->count, error,
                                     "network.layers.%d.together", on->number)
                         : SERVET_OK;
    free(together);
    return code;
}

/* --- a layer ---------------------------------------------------------------------------------- */

static int save(const scaling *on, servet_error *error)
{
    char name[48];
    srv_raw_file raw;
    snprintf(name, sizeof name, "together-layer-%d.csv", on->number);
    if (srv_raw_begin(&raw, on->job->options->raw_dir, name, error)) {
        fprintf(raw.stream, "# %s buffers\nbytes,messages,seconds,low,high\n",
                srv_network_job_buffers(on->job, SRV_BUFFERS_WARM));
        for (int i = 0; i < on->count; i++) {
            const srv_concurrent_point *point = &on->point[i];
            fprintf(raw.stream, "%.0f,%d,%.5g,%.5g,%.5g\n", point->bytes, point->messages,
                    point->seconds, point->low, point->high);
        }
    }
    return srv_raw_end(&raw, error);
}

static int measure_layer(srv_network_job *job, int number, servet_error *error)
{
    scaling *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->job = job;
    on->number = number;
    int code = srv_network_layer_pairs(job, number, &on->pairs, &on->pair_count, error);
    if (code == SERVET_OK && on->pair_count > 0)
        code = probe(on, error);
    if (code == SERVET_OK)
        code = save(on, error);
    if (code == SERVET_OK)
        code = store(on, error);
    free(on->pairs);
    free(on);
    return code;
}

int srv_network_measure_scalability(srv_network_job *job, servet_error *error)
{
    return srv_network_job_each_layer(job, "network.layers.together", measure_layer, error);
}
