/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/network.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/bit.h"
#include "core/error.h"
#include "facts/network.h"
#include "run/network/cost.h"
#include "run/network/repeat.h"
#include "run/network/noise_monitor.h"
#include "run/plan.h"

/* --- one after the other ---------------------------------------------------------------------- */

static int check(const srv_network_options *options, int node_count, servet_error *error)
{
    if (options->only >= SRV_BIT(SRV_NETWORK_BENCHMARK_COUNT))
        return srv_fail(error, SERVET_EARGUMENT, "unknown benchmark");
    bool is_size = options->message_bytes == 0 || options->message_bytes >= 1;
    if (!(options->layer_bytes >= 1) || !is_size)
        return srv_fail(error, SERVET_EARGUMENT, "the message size must be at least 1 byte");
    if (!(options->budget_seconds >= 0))
        return srv_fail(error, SERVET_EARGUMENT,
                        "the budget must be a non-negative number of seconds");
    if (options->nodes < 0 || options->nodes == 1 || options->nodes > node_count)
        return srv_fail(error, SERVET_EARGUMENT, "%d nodes were requested, the job has %d",
                        options->nodes, node_count);
    return SERVET_OK;
}

/* State of a measurement: the remaining benchmarks, their cost as estimated now, and their cost as
 * estimated at the start, on which progress is based. */
typedef struct course {
    srv_network_job *job;
    unsigned left;
    srv_network_scale now, begun;
    double all;
    srv_network_noise_monitor monitor;
    double kept;
    double probed; /* s that the time of a byte took */
} course;

/* A sample of 0.1 s and a file now and then are little of that. */
static const double KEEP_SECONDS = 2;

/* The record of the facts is on the disk before the facts. */
static int keep(const srv_network_job *job, servet_error *error)
{
    const srv_network_options *options = job->options;
    *job->kept = srv_network_now(job->network);
    int code = srv_network_part(job->network, NULL, error);
    if (code != SERVET_OK)
        return code;
    srv_network_noise_monitor_distrust(job->monitor, job->benchmark);
    return options->keep ? options->keep(options->context, job->facts, error) : SERVET_OK;
}

static int keep_now_and_then(const srv_network_job *job, servet_error *error)
{
    if (srv_network_now(job->network) < *job->kept + KEEP_SECONDS)
        return SERVET_OK;
    int code = srv_network_noise_monitor_sample(job->monitor, error);
    if (code == SERVET_OK)
        code = keep(job, error);
    return code == SERVET_OK
               ? srv_network_part(job->network, srv_network_benchmark_name(job->benchmark), error)
               : code;
}

static srv_network_job job_of(course *on, srv_network_benchmark id)
{
    srv_network_job job = *on->job;
    const srv_network_step *step = &srv_network_plan[id];
    double now = job.network->ops->elapsed(job.network), left = fmax(0, on->job->until - now);
    job.what = step->what;
    job.monitor = &on->monitor;
    job.benchmark = id;
    job.kept = &on->kept;
    job.keep = keep_now_and_then;
    job.from = 1 - srv_network_set_cost(on->left, &on->begun) / on->all;
    job.to = job.from + step->cost(&on->begun) / on->all;
    job.until = now + srv_network_share(id, on->left, &on->now, left);
    return job;
}

static int run_step(course *on, srv_network_benchmark id, servet_error *error)
{
    srv_network_job job = job_of(on, id);
    bool cut = false;
    job.cut = &cut;
    on->left &= ~SRV_BIT(id);
    srv_network_noise_monitor_next(&on->monitor);
    int code = srv_network_plan[id].run(&job, error);
    job.facts->cut |= cut ? SRV_BIT(id) : 0;
    if (code == SERVET_OK)
        code = srv_network_noise_monitor_sample(&on->monitor, error);
    if (code != SERVET_OK)
        return code;
    job.facts->done |= SRV_BIT(id);
    srv_network_scale_learn(job.facts, &on->now);
    return keep(&job, error);
}

/* Benchmarks without a record stay unmeasured; others can still be decided. */
static int run_one(course *on, srv_network_benchmark id, servet_error *error)
{
    const srv_network_options *options = on->job->options;
    servet_error failed = SERVET_ERROR_INIT;
    int code = srv_network_part(on->job->network, srv_network_benchmark_name(id), &failed);
    if (code == SERVET_OK)
        code = run_step(on, id, &failed);
    if (code == SERVET_OK)
        return SERVET_OK;
    if (code != SERVET_EUNMEASURED || !options->missing)
        return srv_fail_at(error, code, failed.file, failed.line, "%s", failed.text);
    options->missing(options->context, id, failed.text);
    return SERVET_OK;
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

static void sum_costs(unsigned left, const srv_network_scale *scale, srv_network_costs *costs)
{
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT; i++) {
        if (!(left & SRV_BIT(i)))
            continue;
        costs->seconds[i] = srv_network_plan[i].cost(scale);
        costs->all += costs->seconds[i] + srv_noise_sample_seconds(0, 1);
    }
    if (left & SRV_BIT(SRV_NETWORK_LAYERS))
        costs->all += SRV_PLAN_LINGER_SECONDS;
}

static void tell_costs(const course *on)
{
    const srv_network_options *options = on->job->options;
    srv_network_costs costs = {{0}, 0};
    sum_costs(on->left, &on->begun, &costs);
    if (options->planned)
        options->planned(options->context, &costs);
}

/* Nothing to do costs nothing, and is done. */
static int begin(course *on, srv_network_job *job, servet_error *error)
{
    double now = job->network->ops->elapsed(job->network), budget = job->options->budget_seconds;
    *on = (course){.job = job, .left = srv_network_wanted(job->options->only) & ~job->facts->done};
    job->until = budget > 0 ? now + budget : INFINITY;
    int code = srv_network_scale_find(job, &on->now, error);
    on->probed = job->network->ops->elapsed(job->network) - now;
    on->begun = on->now;
    job->byte_within = on->now.byte_within;
    job->byte_between = on->now.byte_between;
    job->message_bytes = on->now.message_bytes;
    on->all = fmax(srv_network_set_cost(on->left, &on->begun), DBL_MIN);
    if (code == SERVET_OK)
        tell_costs(on);
    return code == SERVET_OK ? srv_network_noise_monitor_begin(&on->monitor, job, error) : code;
}

/* Within what the layers cost, some of them are found. */
static int check_found(const course *on, servet_error *error)
{
    const srv_network_facts *facts = on->job->facts;
    bool any = facts->layer_count > 0 || facts->distance.count > 0 || facts->access.count > 0;
    if (any || !facts->cut)
        return SERVET_OK;
    /* The plan is of idle cores: on busy ones what it foresaw was not enough. */
    const srv_network_options *options = on->job->options;
    double budget = options->spent_seconds + options->budget_seconds;
    double before = options->spent_seconds + on->probed;
    double layers = srv_network_plan[SRV_NETWORK_LAYERS].cost(&on->begun);
    return srv_fail(
        error, SERVET_EUNMEASURED,
        "the budget of %.4g s was too short for any message between processes; it takes "
        "%.0f s at least",
        budget, ceil(fmax(before + layers, budget + 1)));
}

static int run_all(srv_network_job *job, servet_error *error)
{
    const srv_network_options *options = job->options;
    course on;
    srv_repeats repeats;
    srv_repeats_begin(&repeats, job->network, srv_network_now, 1);
    job->repeats = &repeats;
    int code = begin(&on, job, error);
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT && code == SERVET_OK; i++)
        if (on.left & SRV_BIT(i) && !(srv_network_plan[i].needs & ~job->facts->done))
            code = run_one(&on, (srv_network_benchmark)i, error);
    if (code == SERVET_OK)
        code = check_found(&on, error);
    if (code == SERVET_OK)
        code = settle(job, error);
    if (code == SERVET_OK && options->keep && repeats.count > 0)
        code = options->keep(options->context, job->facts, error);
    srv_network_noise_monitor_finish(&on.monitor);
    srv_repeats_finish(&repeats);
    job->repeats = NULL;
    return code;
}

/* Describes the job itself. */
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

/* --- costs ------------------------------------------------------------------------------------ */

int srv_network_cost(srv_network *network, const srv_network_options *options,
                     srv_network_facts *facts, srv_network_costs *costs, servet_error *error)
{
    srv_network_job job;
    srv_network_scale scale;
    *costs = (srv_network_costs){{0}, 0};
    int code = srv_network_job_init(&job, network, options, facts, error);
    if (code == SERVET_OK)
        code = check(options, job.node_count, error);
    if (code == SERVET_OK)
        code = srv_network_scale_find(&job, &scale, error);
    if (code == SERVET_OK)
        sum_costs(srv_network_wanted(options->only) & ~facts->done, &scale, costs);
    srv_network_job_finish(&job);
    return code;
}
