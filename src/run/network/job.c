/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/job.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/names.h"
#include "core/places.h"
#include "core/ranges.h"

SRV_NAMES(srv_network_benchmark_name, srv_network_benchmark, SRV_NETWORK_BENCHMARK_LIST)

/* --- ranks by nodes --------------------------------------------------------------------------- */

static int sort_ranks(srv_network_job *job, servet_error *error)
{
    job->of_node = srv_ranks_by_core(job->ranks, job->rank_count, NULL);
    job->first = calloc((size_t)job->node_count + 1, sizeof *job->first);
    if (!job->of_node || !job->first)
        return srv_fail_memory(error);
    for (int i = 0; i < job->rank_count; i++)
        job->first[job->ranks[i].node + 1]++;
    for (int node = 0; node < job->node_count; node++)
        job->first[node + 1] += job->first[node];
    return SERVET_OK;
}

int srv_network_job_init(srv_network_job *job, srv_network *network,
                         const srv_network_options *options, servet_profile *profile,
                         servet_error *error)
{
    *job = (srv_network_job){.network = network,
                             .options = options,
                             .profile = profile,
                             .slot = {.to = 1, .until = INFINITY}};
    int code = network->ops->describe(network, &job->ranks, &job->rank_count, &job->nodes,
                                      &job->node_count, error);
    return code == SERVET_OK ? sort_ranks(job, error) : code;
}

void srv_network_job_finish(srv_network_job *job)
{
    free(job->of_node);
    free(job->first);
}

int srv_network_job_size(const srv_network_job *job, int node)
{
    return job->first[node + 1] - job->first[node];
}

bool srv_network_job_is_twin(const srv_network_job *job, int place)
{
    const srv_rank *own = &job->ranks[job->of_node[place]];
    return place > job->first[own->node] && job->ranks[job->of_node[place - 1]].core == own->core;
}

/* --- time ------------------------------------------------------------------------------------- */

srv_network_job srv_network_job_part(const srv_network_job *job, double from, double to)
{
    srv_network_job part = *job;
    part.slot = srv_slot_part(&job->slot, job->network->ops->elapsed(job->network), from, to);
    return part;
}

static int on_progress(void *context, const char *what, double done)
{
    (void)what;
    const srv_network_job *job = context;
    const srv_network_options *options = job->options;
    double whole = srv_slot_done(&job->slot, done);
    if (!options->progress)
        return 0;
    servet_progress progress = {job->what, whole, job->network->ops->elapsed(job->network)};
    return options->progress(options->context, &progress);
}

srv_messaging srv_network_job_messaging(srv_network_job *job, bool between_nodes)
{
    return (srv_messaging){.sampler = {.network = job->network,
                                       .deadline = {job->slot.until, job->slot.cut},
                                       .progress = on_progress,
                                       .context = job},
                           .buffers = job->options->buffers,
                           .byte_seconds = between_nodes ? job->byte_between : job->byte_within};
}

const char *srv_network_job_buffers(const srv_network_job *job, srv_buffers usual)
{
    return srv_buffers_name(job->options->buffers ? *job->options->buffers : usual);
}

/* --- groups ----------------------------------------------------------------------------------- */

/* Puts those ranks that a part of a group's text names into it. */
static void put(const srv_network_job *job, const srv_places_part *part, int number, int *group)
{
    for (int node = part->first_node; node <= part->last_node && node < job->node_count; node++)
        for (int i = job->first[node]; i < job->first[node + 1]; i++) {
            int rank = job->of_node[i], core = job->ranks[rank].core;
            if (core >= part->first_core && core <= part->last_core)
                group[rank] = number;
        }
}

int *srv_network_job_groups(const srv_network_job *job, int number)
{
    int *group = malloc((size_t)job->rank_count * sizeof *group), count = 0;
    const char *at;
    for (int i = 0; group && i < job->rank_count; i++)
        group[i] = -1;
    (void)servet_network_group_count(job->profile, number, &count);
    for (int i = 0; group && i < count; i++)
        if (servet_network_group(job->profile, number, i, &at) == SERVET_OK)
            for (srv_places_part part; srv_places_next(&at, &part);)
                put(job, &part, i, group);
    return group;
}

/* --- facts ------------------------------------------------------------------------------------ */

int srv_network_job_layers(const srv_network_job *job)
{
    int count = 0;
    (void)servet_network_layer_count(job->profile, &count);
    return count;
}

/* The rank on a core; -1 for none. */
static int rank_at(const srv_network_job *job, servet_place place)
{
    for (int i = 0; i < job->rank_count; i++)
        if (job->ranks[i].node == place.node && job->ranks[i].core == place.core)
            return i;
    return -1;
}

srv_network_layer srv_network_job_layer(const srv_network_job *job, int number)
{
    srv_network_layer layer = {.pair = {-1, -1}};
    if (servet_network_layer_get(job->profile, number, &layer.fact) == SERVET_OK)
        layer.pair = (srv_rank_pair){rank_at(job, layer.fact.from), rank_at(job, layer.fact.to)};
    return layer;
}

bool srv_network_is_slow(const servet_profile *profile, int node)
{
    servet_value slowness;
    return servet_network_slowness(profile, node, &slowness) == SERVET_OK &&
           slowness.value >= SERVET_SLOW_NODE;
}

static bool joins(const char *some, const char *others, int from, int to)
{
    return srv_ranges_contain(some, from) && srv_ranges_contain(others, to);
}

bool srv_network_is_slow_way(const servet_profile *profile, int from, int to)
{
    servet_slow_link link;
    bool slow = false;
    for (int i = 1; !slow && SERVET_ITEM(profile, "network.slow_links", &link, i) == SERVET_OK; i++)
        slow = joins(link.from, link.to, from, to) || joins(link.from, link.to, to, from);
    return slow;
}

enum { DIGITS = 5 };

static double rounded(double number)
{
    if (number == 0 || !isfinite(number))
        return number;
    double unit = pow(10, fabs(DIGITS - 1 - floor(log10(fabs(number)))));
    return fabs(number) < pow(10, DIGITS) ? round(number * unit) / unit
                                          : round(number / unit) * unit;
}

servet_value srv_network_rounded(servet_value value)
{
    value.value = rounded(value.value);
    value.low = rounded(value.low);
    value.high = rounded(value.high);
    return value;
}

int srv_network_job_describe(const srv_network_job *job, const servet_network *about,
                             servet_error *error)
{
    const char **names = srv_network_node_names(job->nodes, job->node_count);
    if (!names)
        return srv_fail_memory(error);
    int code = servet_profile_set_network(job->profile, about, names, error);
    free(names);
    return code;
}

int srv_network_job_keep(const srv_network_job *job, servet_error *error)
{
    return srv_course_keep(job->course, error);
}

int srv_network_job_each_layer(const srv_network_job *job, const char *path,
                               int (*measure)(srv_network_job *part, int number,
                                              servet_error *error),
                               servet_error *error)
{
    double all = srv_network_job_layers(job);
    int code = SERVET_OK, known;
    for (int i = 0; i < all && code == SERVET_OK; i++) {
        srv_network_job part = srv_network_job_part(job, i / all, (i + 1) / all);
        if (servet_profile_count(job->profile, NULL, path, (int[]){i + 1}, &known) == SERVET_OK)
            continue; /* measured by an earlier job */
        code = measure(&part, i + 1, error);
        if (code == SERVET_OK)
            code = srv_network_job_keep(job, error);
    }
    return code;
}
