/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/network.h"

#include <math.h>
#include <stdlib.h>

#include "core/bit.h"
#include "core/error.h"
#include "core/names.h"
#include "facts/network.h"
#include "run/network/job.h"
#include "run/network/repeat.h"
#include "run/plan.h"

/* --- what the profile has --------------------------------------------------------------------- */

/* A list of unfinished ones begins with "node,". */
_Static_assert(sizeof("node," SRV_NETWORK_BENCHMARK_LIST(SRV_JOINED)) <= SERVET_TEXT_MAX,
               "the names of all benchmarks fit into run.unfinished");

unsigned srv_network_done(const servet_profile *profile)
{
    servet_network about;
    return servet_network_get(profile, &about) == SERVET_OK
               ? srv_plan_set(srv_network_plan, about.benchmarks)
               : 0;
}

static int add_nodes(srv_network *network, servet_profile *profile, const servet_machine *machine,
                     servet_error *error)
{
    int node_count, index;
    const srv_network_node *nodes = srv_network_nodes(network, &node_count);
    int code = servet_profile_add_class(profile, "default", machine, &index, error);
    for (int i = 0; i < node_count && code == SERVET_OK; i++)
        code = servet_profile_add_node(profile, index, nodes[i].name, error);
    return code;
}

int srv_network_list_nodes(srv_network *network, const servet_run *run,
                           const servet_machine *machine, servet_profile **profile,
                           servet_error *error)
{
    servet_profile *made = NULL;
    int code = servet_profile_create(&made, error);
    if (code == SERVET_OK)
        code = servet_profile_set_run(made, run, error);
    if (code == SERVET_OK)
        code = add_nodes(network, made, machine, error);
    if (code == SERVET_OK)
        *profile = made;
    else
        servet_profile_close(made);
    return code;
}

static int is_same_job(const srv_network_job *job, bool *same, servet_error *error)
{
    const char **names = srv_network_node_names(job->nodes, job->node_count);
    if (!names)
        return srv_fail_memory(error);
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

static unsigned cut_of(const srv_network_job *job)
{
    servet_run run;
    return servet_profile_run(job->profile, &run) == SERVET_OK
               ? srv_plan_set(srv_network_plan, run.cut)
               : 0;
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
    servet_run run;
    if (code != SERVET_OK || servet_profile_run(job->profile, &run) != SERVET_OK)
        return code;
    srv_plan_list(srv_network_plan, cut, run.cut);
    return servet_profile_set_run(job->profile, &run, error);
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

/* The course of a job. */
typedef struct course {
    srv_course common;
    srv_network_job *job;
    double probed; /* s that the time of a byte took */
} course;

static srv_network_job *job_of(srv_course *on)
{
    return ((course *)on)->job;
}

static int measure(srv_course *on, const srv_benchmark *row, const srv_slot *slot,
                   servet_error *error)
{
    srv_network_job job = *job_of(on);
    job.what = row->what;
    job.slot = *slot;
    return row->run.job(&job, error);
}

static int note(srv_course *on, const srv_benchmark *row, servet_error *error)
{
    servet_network about = {.nodes = 0};
    (void)servet_network_get(on->profile, &about);
    srv_plan_list(on->plan, srv_plan_set(on->plan, about.benchmarks) | SRV_BIT(row->id),
                  about.benchmarks);
    return srv_network_job_describe(job_of(on), &about, error);
}

static void learn(srv_course *on)
{
    srv_network_scale_learn(job_of(on), &on->now);
}

static int doubt(srv_course *on, const srv_benchmark *row, servet_error *error)
{
    return row ? srv_network_doubt(job_of(on), row, error) : SERVET_OK;
}

static int keep(srv_course *on, servet_error *error)
{
    const srv_network_options *options = job_of(on)->options;
    return options->keep ? options->keep(options->context, error) : SERVET_OK;
}

static int settle(srv_course *on, servet_error *error)
{
    return srv_network_settle_repeats(job_of(on), error);
}

static bool missing(srv_course *on, const srv_benchmark *row, const char *why)
{
    const srv_network_options *options = job_of(on)->options;
    options->missing(options->context, (srv_network_benchmark)row->id, why);
    return false;
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

static course course_of(srv_network_job *job)
{
    static const srv_course_ops ops = {.measure = measure,
                                       .note = note,
                                       .learn = learn,
                                       .doubt = doubt,
                                       .keep = keep,
                                       .settle = settle,
                                       .repeats = "messages-repeats.csv"};
    const srv_network_options *options = job->options;
    return (course){.common = {.ops = &ops,
                               .network = job->network,
                               .plan = srv_network_plan,
                               .profile = job->profile,
                               .raw_dir = options->raw_dir,
                               .progress = options->progress,
                               .context = options->context,
                               .missing = options->missing ? missing : NULL,
                               .budget = options->budget_seconds},
                    .job = job};
}

static int begin(course *on, srv_network_job *job, servet_error *error)
{
    srv_course *common = &on->common;
    unsigned wanted = srv_plan_wanted(common->plan, job->options->only);
    unsigned done = srv_network_done(job->profile);
    double now = srv_network_now(job->network);
    common->until = common->budget > 0 ? now + common->budget : INFINITY;
    int code = srv_network_scale_find(job, &common->now, error);
    on->probed = srv_network_now(job->network) - now;
    job->course = common;
    job->byte_within = common->now.byte_within;
    job->byte_between = common->now.byte_between;
    job->message_bytes = common->now.message_bytes;
    if (code != SERVET_OK)
        return code;
    srv_network_costs costs = {{0}, 0};
    sum_costs(wanted & ~done, &common->now, &costs);
    if (job->options->planned)
        job->options->planned(job->options->context, &costs);
    return srv_course_begin(common, wanted, done, error);
}

/* Within what the layers cost, some of them are found. */
static int check_found(const course *on, servet_error *error)
{
    const servet_profile *profile = on->job->profile;
    servet_ratios about;
    servet_bisection halves;
    bool any = srv_network_job_layers(on->job) > 0 ||
               servet_network_bisection(profile, &halves) == SERVET_OK ||
               servet_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &about) == SERVET_OK ||
               servet_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &about) == SERVET_OK;
    if (any || !(on->common.cut | cut_of(on->job)))
        return SERVET_OK;
    /* The plan is of idle cores: on busy ones what it foresaw was not enough. */
    const srv_network_options *options = on->job->options;
    double budget = options->spent_seconds + options->budget_seconds;
    double before = options->spent_seconds + on->probed;
    double layers = srv_network_plan[SRV_NETWORK_LAYERS].cost(&on->common.begun);
    return srv_fail(
        error, SERVET_EUNMEASURED,
        "the budget of %.4g s was too short for any message between processes; it takes "
        "%.0f s at least",
        budget, ceil(fmax(before + layers, budget + 1)));
}

static int run_all(srv_network_job *job, servet_error *error)
{
    course on = course_of(job);
    srv_repeats_begin(&on.common.repeats, job->network, srv_network_now, 1);
    int code = begin(&on, job, error);
    if (code == SERVET_OK)
        code = srv_course_run(&on.common, error);
    if (code == SERVET_OK)
        code = check_found(&on, error);
    if (code == SERVET_OK)
        code = srv_course_settle(&on.common, error);
    srv_course_finish(&on.common);
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
