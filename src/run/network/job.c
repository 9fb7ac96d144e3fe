/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/places.h"

/* --- ranks by nodes --------------------------------------------------------------------------- */

typedef struct numbered_rank {
    srv_rank at;
    int rank;
} numbered_rank;

static int by_place(const void *a, const void *b)
{
    const numbered_rank *x = a, *y = b;
    int node = x->at.node - y->at.node, core = x->at.core - y->at.core;
    return node ? node : core ? core : x->rank - y->rank;
}

static int sort_ranks(srv_network_job *job, servet_error *error)
{
    size_t n = (size_t)job->rank_count;
    numbered_rank *numbered = calloc(n, sizeof *numbered);
    job->of_node = calloc(n, sizeof *job->of_node);
    job->first = calloc((size_t)job->node_count + 1, sizeof *job->first);
    if (!numbered || !job->of_node || !job->first) {
        free(numbered);
        return srv_fail_memory(error);
    }
    for (int i = 0; i < job->rank_count; i++) {
        numbered[i] = (numbered_rank){job->ranks[i], i};
        job->first[job->ranks[i].node + 1]++;
    }
    for (int node = 0; node < job->node_count; node++)
        job->first[node + 1] += job->first[node];
    qsort(numbered, n, sizeof *numbered, by_place);
    for (int i = 0; i < job->rank_count; i++)
        job->of_node[i] = numbered[i].rank;
    free(numbered);
    return SERVET_OK;
}

int srv_network_job_init(srv_network_job *job, srv_network *network,
                         const srv_network_options *options, srv_network_facts *facts,
                         servet_error *error)
{
    *job = (srv_network_job){.network = network, .options = options, .facts = facts, .to = 1};
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
    double now = job->network->ops->elapsed(job->network), work = job->to - job->from;
    part.from = job->from + work * from;
    part.to = job->from + work * to;
    if (to < 1)
        part.until = now + fmax(0, job->until - now) * (to - from) / (1 - from);
    return part;
}

static int on_progress(void *context, double done)
{
    const srv_network_job *job = context;
    const srv_network_options *options = job->options;
    srv_repeats_tick(job->repeats, job->until);
    if (!options->progress)
        return 0;
    servet_progress progress = {.what = job->what,
                                .done = job->from + (job->to - job->from) * done,
                                .seconds = job->network->ops->elapsed(job->network)};
    return options->progress(options->context, &progress);
}

srv_messaging srv_network_job_messaging(srv_network_job *job, bool between_nodes)
{
    return (srv_messaging){.network = job->network,
                           .deadline = job->until,
                           .progress = on_progress,
                           .context = job,
                           .buffers = job->options->buffers,
                           .cut = job->cut,
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

int *srv_network_job_groups(const srv_network_job *job, int layer)
{
    const srv_sets *groups = &job->facts->layer[layer].groups;
    int *group = malloc((size_t)job->rank_count * sizeof *group);
    for (int i = 0; group && i < job->rank_count; i++)
        group[i] = -1;
    for (int i = 0; group && i < groups->count; i++) {
        const char *at = groups->set[i];
        for (srv_places_part part; srv_places_next(&at, &part);)
            put(job, &part, i, group);
    }
    return group;
}

int srv_network_job_keep(const srv_network_job *job, servet_error *error)
{
    return job->keep(job, error);
}
