/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/network.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "measure/network_job.h"
#include "measure/network_repeat.h"
#include "measure/network_watch.h"

#define TEXT(name, text) text,
static const char *const names[] = {SRV_NETWORK_BENCHMARK_LIST(TEXT)};
#undef TEXT

const char *srv_network_benchmark_name(srv_network_benchmark benchmark)
{
    return (unsigned)benchmark < SRV_NETWORK_BENCHMARK_COUNT ? names[benchmark] : "?";
}

/* --- the plan -----------------------------------------------------------------------------------
 */

#define BIT(id) (1u << (id))

/* In the order of srv_network_benchmark. Of the time that is left each has its weight among those
 * still to come: pairs of many nodes and large messages on slow links take the most. */
static const struct {
    const char *what;
    unsigned needs;
    double weight;
    int (*run)(srv_network_job *job, servet_error *error);
} plan[SRV_NETWORK_BENCHMARK_COUNT] = {
    {"layers of communication", 0, 4, srv_network_measure_layers},
    {"message sizes", BIT(SRV_NETWORK_LAYERS), 2, srv_network_measure_curves},
    {"messages at once", BIT(SRV_NETWORK_LAYERS) | BIT(SRV_NETWORK_CURVES), 1,
     srv_network_measure_scalability},
    {"distances between nodes", 0, 3, srv_network_measure_distance},
    {"processes at the network", BIT(SRV_NETWORK_LAYERS), 2, srv_network_measure_access},
};

static unsigned wanted(unsigned only)
{
    unsigned set = only ? only : BIT(SRV_NETWORK_BENCHMARK_COUNT) - 1;
    for (int i = SRV_NETWORK_BENCHMARK_COUNT - 1; i >= 0; i--)
        if (set & BIT(i))
            set |= plan[i].needs;
    return set;
}

static double weight_of(unsigned set)
{
    double weight = 0;
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT; i++)
        if (set & BIT(i))
            weight += plan[i].weight;
    return weight;
}

/* --- one after the other ------------------------------------------------------------------------
 */

static int check(const srv_network_options *options, int node_count, servet_error *error)
{
    if (options->only >= BIT(SRV_NETWORK_BENCHMARK_COUNT))
        return srv_fail(error, SERVET_EARGUMENT, "there is no such benchmark");
    if (!(options->layer_bytes >= 1) || !(options->message_bytes >= 1))
        return srv_fail(error, SERVET_EARGUMENT, "messages have at least 1 byte");
    if (!(options->budget_seconds >= 0))
        return srv_fail(error, SERVET_EARGUMENT, "a budget is a number of seconds");
    if (options->nodes < 0 || options->nodes == 1 || options->nodes > node_count)
        return srv_fail(error, SERVET_EARGUMENT, "%d nodes cannot be asked: the job has %d",
                        options->nodes, node_count);
    return SERVET_OK;
}

/* What is not on record stays unmeasured, and others can still be decided. */
static int tell_untold(const srv_network_job *job, int id, int code, const servet_error *why,
                       servet_error *error)
{
    const srv_network_options *options = job->options;
    if (code != SERVET_EUNMEASURED || !options->untold)
        return srv_fail_at(error, code, why->file, why->line, "%s", why->text);
    options->untold(options->context, (srv_network_benchmark)id, why->text);
    return SERVET_OK;
}

static int run_one(const srv_network_job *whole, int id, unsigned left, double all,
                   srv_network_watch *watch, servet_error *error)
{
    srv_network_job job = *whole;
    servet_error failed = SERVET_ERROR_INIT;
    int code = srv_network_part(job.network, names[id], &failed);
    if (code != SERVET_OK)
        return tell_untold(&job, id, code, &failed, error);
    double now = job.network->ops->elapsed(job.network), weight = weight_of(left);
    job.what = plan[id].what;
    job.from = 1 - weight / all;
    job.to = job.from + plan[id].weight / all;
    job.until = now + fmax(0, whole->until - now) * plan[id].weight / weight;
    srv_network_watch_next(watch);
    code = plan[id].run(&job, &failed);
    if (code != SERVET_OK)
        return tell_untold(&job, id, code, &failed, error);
    code = srv_network_watch_look(watch, error);
    if (code == SERVET_OK)
        code = srv_network_part(job.network, NULL, error);
    if (code != SERVET_OK)
        return code;
    srv_network_watch_judge(watch, (srv_network_benchmark)id);
    job.facts->done |= BIT(id);
    return job.options->keep ? job.options->keep(job.options->context, job.facts, error)
                             : SERVET_OK;
}

/* A job that was killed has not come to this. */
static int settle(srv_network_job *job, servet_error *error)
{
    servet_error failed = SERVET_ERROR_INIT;
    int code = srv_network_part(job->network, "repeats", &failed);
    if (code != SERVET_OK)
        return code == SERVET_EUNMEASURED ? SERVET_OK : srv_fail(error, code, "%s", failed.text);
    code = srv_network_settle_repeats(job, error);
    return code == SERVET_OK ? srv_network_part(job->network, NULL, error) : code;
}

static int run_all(srv_network_job *job, servet_error *error)
{
    const srv_network_options *options = job->options;
    double now = job->network->ops->elapsed(job->network);
    unsigned left = wanted(options->only) & ~job->facts->done;
    double all = weight_of(left);
    srv_network_watch watch;
    srv_repeats repeats;
    srv_repeats_begin(&repeats, job->network, srv_network_now, 1);
    job->repeats = &repeats;
    job->until = options->budget_seconds > 0 ? now + options->budget_seconds : INFINITY;
    int code = srv_network_watch_begin(&watch, job, error);
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT && code == SERVET_OK; i++)
        if (left & BIT(i) && !(plan[i].needs & ~job->facts->done)) {
            code = run_one(job, i, left, all, &watch, error);
            left &= ~BIT(i);
        }
    if (code == SERVET_OK)
        code = settle(job, error);
    if (code == SERVET_OK && options->keep && repeats.count > 0)
        code = options->keep(options->context, job->facts, error);
    srv_network_watch_finish(&watch);
    srv_repeats_finish(&repeats);
    return code;
}

/* What is known of the job itself. */
static int describe(const srv_network_job *job, servet_error *error)
{
    srv_network_facts *facts = job->facts;
    facts->node_count = job->node_count;
    facts->rank_count = job->rank_count;
    if (facts->seen)
        return SERVET_OK;
    facts->seen = calloc((size_t)job->rank_count, sizeof *facts->seen);
    for (int i = 0; facts->seen && i < job->rank_count; i++)
        facts->seen[i] = srv_seen_nothing;
    return facts->seen ? SERVET_OK : srv_fail_memory(error);
}

int srv_measure_network(srv_network *network, const srv_network_options *options,
                        srv_network_facts *facts, servet_error *error)
{
    srv_network_job job;
    int code = srv_network_job_init(&job, network, options, facts, error);
    if (code == SERVET_OK)
        code = check(options, job.node_count, error);
    if (code == SERVET_OK)
        code = describe(&job, error);
    if (code == SERVET_OK)
        code = run_all(&job, error);
    srv_network_job_finish(&job);
    return code;
}

/* --- facts --------------------------------------------------------------------------------------
 */

static void finish_layer(srv_network_layer *layer)
{
    srv_sets_finish(&layer->groups);
    free(layer->curve);
    free(layer->together);
}

void srv_network_forget_layers(srv_network_facts *facts)
{
    while (facts->layer_count > 0)
        finish_layer(&facts->layer[--facts->layer_count]);
}

void srv_network_facts_finish(srv_network_facts *facts)
{
    srv_network_forget_layers(facts);
    free(facts->distance.ratio);
    free(facts->access.ratio);
    free(facts->seen);
    *facts = (srv_network_facts){0};
}
