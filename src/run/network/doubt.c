/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/job.h"

#include <stdio.h>

#include "core/ranges.h"

/* Resources of messages besides the cores of their ranks: within a node, and while all its
 * processes send at once, caches and memory that other programs use, too. */
typedef enum resting { ON_CORES, ON_MEMORY } resting;

static void reason_of(const srv_network_job *job, int rank, resting on,
                      char reason[SERVET_TEXT_MAX])
{
    srv_seen_reason(&job->course->monitor.now[rank], true, reason);
    if (!*reason && on == ON_MEMORY)
        srv_seen_shared_reason(&job->course->monitor.now[rank], reason);
}

static bool is_doubtful(const srv_network_job *job, int rank, resting on)
{
    char reason[SERVET_TEXT_MAX];
    reason_of(job, rank, on, reason);
    return *reason != '\0';
}

static resting resting_of(const srv_network_layer *layer)
{
    return layer->fact.between_nodes ? ON_CORES : ON_MEMORY;
}

/* Share of the ranks that sampled that had too much noise. */
typedef struct doubtful {
    double share;
    int rank; /* one of them; -1: none is */
    resting on;
} doubtful;

static doubtful doubtful_pair(const srv_network_job *job, const srv_network_layer *layer)
{
    resting on = resting_of(layer);
    if (is_doubtful(job, layer->pair.from, on))
        return (doubtful){1, layer->pair.from, on};
    return is_doubtful(job, layer->pair.to, on) ? (doubtful){1, layer->pair.to, on}
                                                : (doubtful){0, -1, on};
}

/* Counts all ranks of the nodes first..end-1, or the first of each. */
static doubtful doubtful_ranks(const srv_network_job *job, int first, int end, bool first_only,
                               resting on)
{
    int examined = 0, count = 0, one = -1;
    for (int node = first; node < end; node++)
        for (int place = job->first[node];
             place < (first_only ? job->first[node] + 1 : job->first[node + 1]); place++) {
            int rank = job->of_node[place];
            bool is = is_doubtful(job, rank, on);
            examined++;
            count += is;
            one = is && one < 0 ? rank : one;
        }
    return (doubtful){(double)count / examined, one, on};
}

/* "node07: other work took 51 % of the core's time" */
static void say_why(const srv_network_job *job, const doubtful *doubt, char reason[SERVET_TEXT_MAX])
{
    char text[SERVET_TEXT_MAX];
    reason_of(job, doubt->rank, doubt->on, text);
    snprintf(reason, SERVET_TEXT_MAX, "%.64s: %.180s",
             job->nodes[job->ranks[doubt->rank].node].name, text);
}

/* --- what to doubt ---------------------------------------------------------------------------- */

/* Finds who may have spoilt a benchmark's facts of a layer. */
typedef doubtful suspect(const srv_network_job *job, const srv_network_layer *layer);

/* Its typical pair, or a good part of all. */
static doubtful suspect_of_layer(const srv_network_job *job, const srv_network_layer *layer)
{
    doubtful pair = doubtful_pair(job, layer);
    doubtful all =
        doubtful_ranks(job, 0, job->node_count, layer->fact.between_nodes, resting_of(layer));
    return pair.rank >= 0 || all.share <= SRV_DISTURBED ? pair : all;
}

/* Who sends among many waits for the others: one of them that is held up holds up more. */
static doubtful suspect_of_many(const srv_network_job *job, const srv_network_layer *layer)
{
    int node = job->ranks[layer->pair.from].node;
    return layer->fact.between_nodes ? doubtful_ranks(job, 0, job->node_count, false, ON_MEMORY)
                                     : doubtful_ranks(job, node, node + 1, false, ON_MEMORY);
}

/* Who may have spoilt the facts of each layer; else those of the whole network. */
static suspect *const suspects[] = {[SRV_WITNESS_LAYER] = suspect_of_layer,
                                    [SRV_WITNESS_PAIR] = doubtful_pair,
                                    [SRV_WITNESS_MANY] = suspect_of_many,
                                    [SRV_WITNESS_ALL] = NULL};

static int distrust(const srv_network_job *job, const doubtful *found, const char *facts,
                    int number, servet_error *error)
{
    char names[2 * SERVET_TEXT_MAX], reason[SERVET_TEXT_MAX];
    if (found->rank < 0)
        return SERVET_OK;
    srv_plan_name_facts(facts, number, names, sizeof names);
    say_why(job, found, reason);
    return servet_profile_distrust(job->profile, 0, names, reason, error);
}

static int distrust_layers(const srv_network_job *job, suspect *find, const char *facts,
                           servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 1; i <= srv_network_job_layers(job) && code == SERVET_OK; i++) {
        srv_network_layer layer = srv_network_job_layer(job, i);
        doubtful found = find(job, &layer);
        code = distrust(job, &found, facts, i, error);
    }
    return code;
}

/* The first ranks of a good part of the nodes at an end of a link; -1: those of fewer, or none. */
static doubtful doubtful_end(const srv_network_job *job, const char *nodes)
{
    doubtful all = {0, -1, ON_CORES};
    int count = 0;
    for (int node = 0; node < job->node_count; node++)
        if (srv_ranges_contain(nodes, node)) {
            doubtful one = doubtful_ranks(job, node, node + 1, true, ON_CORES);
            all.rank = one.rank >= 0 ? one.rank : all.rank;
            all.share += one.share;
            count++;
        }
    return all.share > SRV_DISTURBED * count ? all : (doubtful){0, -1, ON_CORES};
}

static int distrust_links(const srv_network_job *job, servet_error *error)
{
    servet_slow_link link;
    int code = SERVET_OK;
    for (int i = 1; code == SERVET_OK &&
                    SERVET_ITEM(job->profile, "network.slow_links", &link, i) == SERVET_OK;
         i++) {
        doubtful from = doubtful_end(job, link.from), to = doubtful_end(job, link.to);
        code = distrust(job, from.rank >= 0 ? &from : &to, "network.slow_links.#.factor", i, error);
    }
    return code;
}

int srv_network_doubt(const srv_network_job *job, const srv_benchmark *row, servet_error *error)
{
    suspect *find = suspects[row->witness];
    int nodes = job->options->nodes ? job->options->nodes : job->node_count;
    bool first = row->witness == SRV_WITNESS_FIRST;
    doubtful all = doubtful_ranks(job, 0, nodes, first, first ? ON_CORES : ON_MEMORY);
    int code = find ? distrust_layers(job, find, row->facts, error)
                    : distrust(job, &all, row->facts, 0, error);
    return code == SERVET_OK && row->witness == SRV_WITNESS_LAYER ? distrust_links(job, error)
                                                                  : code;
}
