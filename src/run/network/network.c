/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/network.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bit.h"
#include "core/error.h"
#include "core/names.h"
#include "facts/network.h"
#include "run/network/cost.h"
#include "run/network/repeat.h"
#include "run/network/noise_monitor.h"
#include "run/plan.h"
#include "run/resume.h"

/* --- what the profile has --------------------------------------------------------------------- */

/* A list of unfinished ones begins with "node,". */
_Static_assert(sizeof("node," SRV_NETWORK_BENCHMARK_LIST(SRV_JOINED)) <= SERVET_NAME_MAX,
               "the names of all benchmarks fit into run.unfinished");

static const char *const words[] = {SRV_NETWORK_BENCHMARK_LIST(SRV_TEXT_OF) NULL};

unsigned srv_network_set(const char *list)
{
    return srv_benchmarks_of(words, list);
}

void srv_network_list(unsigned set, char text[SERVET_NAME_MAX])
{
    srv_benchmarks_list(words, set, text);
}

unsigned srv_network_done(const servet_profile *profile)
{
    servet_network about;
    return servet_network_get(profile, &about) == SERVET_OK ? srv_network_set(about.benchmarks) : 0;
}

static int is_same_job(const srv_network_job *job, bool *same, servet_error *error)
{
    const char **names = calloc((size_t)job->node_count + 1, sizeof *names);
    if (!names)
        return srv_fail_memory(error);
    for (int i = 0; i < job->node_count; i++)
        names[i] = job->nodes[i].name;
    *same = servet_profile_has_job(job->profile, job->rank_count, names, job->node_count);
    free(names);
    return SERVET_OK;
}

static int check_pairs(const srv_network_job *job, servet_error *error)
{
    for (int i = 1; i <= srv_network_job_layers(job); i++) {
        srv_rank_pair pair = srv_network_job_layer(job, i).pair;
        if (pair.from < 0 || pair.to < 0)
            return srv_fail(error, SERVET_EARGUMENT,
                            "layer %d was measured on cores where this job has no process", i);
    }
    return SERVET_OK;
}

static int check_same(const srv_network_job *job, servet_error *error)
{
    servet_network about;
    bool same = false;
    if (servet_network_get(job->profile, &about) != SERVET_OK)
        return SERVET_OK;
    int code = is_same_job(job, &same, error);
    if (code != SERVET_OK)
        return code;
    return same ? check_pairs(job, error)
                : srv_fail(error, SERVET_EARGUMENT,
                           "what is known of the network is from a job on other nodes, or with "
                           "another number of processes");
}

int srv_network_check_same(servet_profile *profile, srv_network *network, servet_error *error)
{
    srv_network_job job;
    int code = srv_network_job_init(&job, network, NULL, profile, error);
    if (code == SERVET_OK)
        code = check_same(&job, error);
    srv_network_job_finish(&job);
    return code;
}

/* Makes `cut` the benchmarks that left something out for lack of time, if the profile has a run. */
static int set_cut(const srv_network_job *job, unsigned cut, servet_error *error)
{
    servet_run run;
    if (servet_profile_run(job->profile, &run) != SERVET_OK)
        return SERVET_OK;
    srv_network_list(cut, run.cut);
    return servet_profile_set_run(job->profile, &run, error);
}

static unsigned cut_of(const srv_network_job *job)
{
    servet_run run;
    return servet_profile_run(job->profile, &run) == SERVET_OK ? srv_network_set(run.cut) : 0;
}

/* Continues with the facts of this job, or deletes those of another one. Benchmarks that had no
 * time left have time again. */
static int begin_profile(const srv_network_job *job, servet_error *error)
{
    const servet_network about = {.nodes = job->node_count, .ranks = job->rank_count};
    bool same = false;
    int code = is_same_job(job, &same, error);
    unsigned cut = same ? cut_of(job) & srv_network_done(job->profile) : 0;
    if (code == SERVET_OK)
        code = same ? check_pairs(job, error) : srv_network_job_describe(job, &about, error);
    return code == SERVET_OK ? set_cut(job, cut, error) : code;
}

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
    unsigned left, cut;
    srv_scale now, begun;
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
    if (code == SERVET_OK)
        code = srv_network_noise_monitor_distrust(job->monitor, job->benchmark, error);
    if (code == SERVET_OK)
        code = srv_network_noise_monitor_record(job->monitor, error);
    return code == SERVET_OK && options->keep ? options->keep(options->context, error) : code;
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
    const srv_benchmark *row = &srv_network_plan[id];
    double now = job.network->ops->elapsed(job.network), left = fmax(0, on->job->until - now);
    job.what = row->what;
    job.monitor = &on->monitor;
    job.benchmark = id;
    job.kept = &on->kept;
    job.keep = keep_now_and_then;
    job.from = 1 - srv_plan_cost(srv_network_plan, on->left, &on->begun) / on->all;
    job.to = job.from + row->cost(&on->begun) / on->all;
    job.until = now + srv_plan_share(row, srv_network_plan, on->left, &on->now, left);
    return job;
}

static int note_done(const course *on, srv_network_benchmark id, servet_error *error)
{
    servet_network about = {.nodes = 0};
    (void)servet_network_get(on->job->profile, &about);
    srv_network_list(srv_network_set(about.benchmarks) | SRV_BIT(id), about.benchmarks);
    return srv_network_job_describe(on->job, &about, error);
}

static int run_step(course *on, srv_network_benchmark id, servet_error *error)
{
    srv_network_job job = job_of(on, id);
    bool cut = false;
    job.cut = &cut;
    on->left &= ~SRV_BIT(id);
    srv_network_noise_monitor_next(&on->monitor);
    int code = srv_network_plan[id].run_job(&job, error);
    on->cut |= cut ? SRV_BIT(id) : 0;
    if (code == SERVET_OK)
        code = set_cut(on->job, cut_of(on->job) | on->cut, error);
    if (code == SERVET_OK)
        code = srv_network_noise_monitor_sample(&on->monitor, error);
    if (code == SERVET_OK)
        code = note_done(on, id, error);
    if (code != SERVET_OK)
        return code;
    srv_network_scale_learn(&job, &on->now);
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

static void sum_costs(unsigned left, const srv_scale *scale, srv_network_costs *costs)
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
    *on = (course){.job = job,
                   .left = srv_plan_wanted(srv_network_plan, job->options->only) &
                           ~srv_network_done(job->profile)};
    job->until = budget > 0 ? now + budget : INFINITY;
    int code = srv_network_scale_find(job, &on->now, error);
    on->probed = job->network->ops->elapsed(job->network) - now;
    on->begun = on->now;
    job->byte_within = on->now.byte_within;
    job->byte_between = on->now.byte_between;
    job->message_bytes = on->now.message_bytes;
    on->all = fmax(srv_plan_cost(srv_network_plan, on->left, &on->begun), DBL_MIN);
    if (code == SERVET_OK)
        tell_costs(on);
    return code == SERVET_OK ? srv_network_noise_monitor_begin(&on->monitor, job, error) : code;
}

/* Within what the layers cost, some of them are found. */
static int check_found(const course *on, servet_error *error)
{
    const servet_profile *profile = on->job->profile;
    servet_ratios about;
    bool any = srv_network_job_layers(on->job) > 0 ||
               servet_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &about) == SERVET_OK ||
               servet_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &about) == SERVET_OK;
    if (any || !(on->cut | cut_of(on->job)))
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
        if (on.left & SRV_BIT(i) && !(srv_network_plan[i].needs & ~srv_network_done(job->profile)))
            code = run_one(&on, (srv_network_benchmark)i, error);
    if (code == SERVET_OK)
        code = check_found(&on, error);
    if (code == SERVET_OK)
        code = settle(job, error);
    if (code == SERVET_OK && options->keep && repeats.count > 0)
        code = options->keep(options->context, error);
    srv_network_noise_monitor_finish(&on.monitor);
    srv_repeats_finish(&repeats);
    job->repeats = NULL;
    return code;
}

int srv_measure_network(srv_network *network, const srv_network_options *options,
                        servet_profile *profile, servet_error *error)
{
    srv_network_job job;
    int code = srv_network_job_init(&job, network, options, profile, error);
    if (code == SERVET_OK)
        code = check(options, job.node_count, error);
    if (code == SERVET_OK)
        code = begin_profile(&job, error);
    if (code == SERVET_OK)
        code = run_all(&job, error);
    srv_network_job_finish(&job);
    return code;
}

/* --- costs ------------------------------------------------------------------------------------ */

int srv_network_cost(srv_network *network, const srv_network_options *options,
                     servet_profile *profile, srv_network_costs *costs, servet_error *error)
{
    srv_network_job job;
    srv_scale scale;
    unsigned done = profile ? srv_network_done(profile) : 0;
    *costs = (srv_network_costs){{0}, 0};
    int code = srv_network_job_init(&job, network, options, profile, error);
    if (code == SERVET_OK)
        code = check(options, job.node_count, error);
    if (code == SERVET_OK)
        code = srv_network_scale_find(&job, &scale, error);
    if (code == SERVET_OK)
        sum_costs(srv_plan_wanted(srv_network_plan, options->only) & ~done, &scale, costs);
    srv_network_job_finish(&job);
    return code;
}
