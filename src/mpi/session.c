/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/output/series.h"
#include "core/error.h"
#include "facts/network.h"
#include "machine/machine.h"
#include "run/measure.h"
#include "run/network/replay.h"

static double elapsed(const mpi_session *on)
{
    return on->network->ops->elapsed(on->network);
}

/* --- progress --------------------------------------------------------------------------------- */

/* Shows the progress. While nodes are measured, the main thread calls it, and the client waits. The
 * duration is the time of all benchmarks, or the budget if it is smaller; it is known as soon as
 * they are planned. */
static int show_progress(void *context, const servet_progress *now)
{
    mpi_session *on = context;
    double budget = on->scope->budget, all = on->costs.quiet + on->costs.network.all;
    on->progress.expected = budget > 0 ? fmin(budget, all) : all;
    servet_progress whole = {.what = now->what,
                             .done = on->from + (on->to - on->from) * now->done,
                             .seconds = elapsed(on)};
    return cli_progress_show(&on->progress, &whole);
}

/* --- the profile so far ----------------------------------------------------------------------- */

/* Lists the benchmarks that are still to be measured, with commas between them. */
static void list_unfinished(const mpi_session *on, char list[SERVET_TEXT_MAX])
{
    char network[SERVET_TEXT_MAX];
    bool nodes = on->scope->nodes && !on->nodes_done;
    unsigned wanted = on->scope->messages ? on->scope->network.only : 0;
    srv_plan_list(srv_network_plan, wanted & ~srv_network_done(on->profile), network);
    snprintf(list, SERVET_TEXT_MAX, "%s%s%.250s", nodes ? "node" : "", nodes && *network ? "," : "",
             network);
}

/* Stores the run, which includes this job and the jobs that it continues. */
static int record_run(mpi_session *on, servet_error *error)
{
    servet_run run = {0};
    servet_value before = on->earlier.duration;
    double seconds = (servet_value_known(&before) ? before.value : 0) + elapsed(on);
    servet_profile_run(on->profile, &run);
    snprintf(run.options, sizeof run.options, "%s", on->scope->command);
    memcpy(run.started, on->earlier.started, sizeof run.started);
    list_unfinished(on, run.unfinished);
    mpi_nodes_add_noise(&run, &on->earlier);
    run.duration =
        (servet_value){seconds, seconds, seconds, 1, SERVET_UNIT_SECOND, SERVET_METHOD_TIMED, true};
    return servet_profile_set_run(on->profile, &run, error);
}

static int save(mpi_session *on, servet_error *error)
{
    int code = record_run(on, error);
    if (code == SERVET_OK)
        code = servet_profile_write(on->profile, on->output.progress, error);
    if (code == SERVET_OK && on->fills_place)
        code = servet_profile_write(on->profile, on->output.profile, error);
    on->saved = elapsed(on);
    return code;
}

static int keep(void *context, servet_error *error)
{
    return save(context, error);
}

/* Moves the facts of communication into a new profile of the nodes. */
static int adopt_network(mpi_session *on, servet_profile *profile, servet_error *error)
{
    servet_run run = {0}, before = {0};
    if (!on->profile)
        return SERVET_OK;
    servet_profile_run(profile, &run);
    servet_profile_run(on->profile, &before);
    memcpy(run.cut, before.cut, sizeof run.cut);
    servet_profile_adopt_network(profile, on->profile);
    return servet_profile_set_run(profile, &run, error);
}

/* Makes the profile again from the nodes that are measured now. */
static int keep_nodes(mpi_session *on, servet_error *error)
{
    servet_profile *profile;
    int code = mpi_nodes_profile(&on->nodes, on->scope->command, &profile, error);
    if (code != SERVET_OK)
        return code;
    code = adopt_network(on, profile, error);
    servet_profile_close(on->profile);
    on->profile = profile;
    return code == SERVET_OK ? save(on, error) : code;
}

/* Least time between two writings of the profile of all nodes: thousands of nodes may finish at the
 * same time. The results of each node are on the disk already. */
static const double KEEP_SECONDS = 5;

static void on_node(void *context)
{
    mpi_session *on = context;
    if (elapsed(on) > on->saved + KEEP_SECONDS)
        (void)keep_nodes(on, &(servet_error)SERVET_ERROR_INIT);
}

/* --- starting or continuing ------------------------------------------------------------------- */

/* Returns true if the existing profile is an earlier state of this one. */
static bool is_in_place(const mpi_session *on)
{
    servet_profile *there;
    servet_run then;
    if (servet_profile_open(&there, on->output.profile, NULL) != SERVET_OK)
        return false;
    bool same = servet_profile_run(there, &then) == SERVET_OK &&
                strcmp(then.started, on->earlier.started) == 0;
    servet_profile_close(there);
    return same;
}

/* Takes over the profile of an earlier job. Its facts of the network are valid only for its nodes:
 * they may be those of an even earlier job, if a job on other nodes was killed before it stored
 * anything. */
static int take_up(mpi_session *on, servet_profile *earlier, servet_error *error)
{
    servet_error other = SERVET_ERROR_INIT;
    int code = srv_network_check_same(earlier, on->network, &other);
    if (code == SERVET_OK)
        on->profile = earlier;
    else
        servet_profile_close(earlier);
    if (code != SERVET_EARGUMENT)
        return code == SERVET_OK ? code : srv_fail(error, code, "%s", other.text);
    (void)cli_series_remove(on->output.fresh, true);
    return SERVET_OK;
}

static int recall(mpi_session *on, servet_error *error)
{
    servet_profile *earlier;
    if (access(on->output.progress, F_OK) != 0)
        return SERVET_OK;
    int code = servet_profile_open(&earlier, on->output.progress, error);
    if (code != SERVET_OK)
        return code;
    servet_profile_run(earlier, &on->earlier);
    on->fills_place = on->fills_place || is_in_place(on);
    if (on->relation.match == MPI_JOB_SAME)
        return take_up(on, earlier, error);
    servet_profile_close(earlier);
    return code;
}

static int resume(mpi_session *on, servet_error *error)
{
    char path[CLI_PATH_MAX];
    if (snprintf(path, sizeof path, "%s/job.txt", on->output.fresh) >= (int)sizeof path)
        return srv_fail(error, SERVET_EIO, "the path of the job's description is too long");
    int code = mpi_job_resume(on->network, path, on->scope->command, &on->relation, error);
    if (code != SERVET_OK || on->relation.match == MPI_JOB_NEW)
        return code;
    if (on->relation.match == MPI_JOB_MOVED)
        (void)cli_series_remove(on->output.fresh, true);
    if (on->relation.lost_series)
        (void)cli_series_remove(on->output.fresh, false);
    return recall(on, error);
}

static void tell_costs(const mpi_session *on)
{
    if (!on->progress.quiet)
        mpi_costs_print(&on->costs, on->scope->budget, stderr);
}

static int begin(mpi_session *on, servet_error *error)
{
    on->earlier = srv_run_begin(on->scope->command);
    on->fills_place = access(on->output.profile, F_OK) != 0;
    on->nodes = (mpi_nodes){
        .network = on->network, .folder = on->output.fresh, .kept = on_node, .context = on};
    int code = resume(on, error);
    on->nodes_done = code == SERVET_OK && mpi_nodes_left(&on->nodes) == 0;
    if (code == SERVET_OK && on->scope->nodes && !on->nodes_done) {
        code = mpi_costs_find(on->network, on->scope, on->profile, true, &on->costs, error);
        if (code == SERVET_OK)
            tell_costs(on);
    }
    return code == SERVET_OK ? keep_nodes(on, error) : code;
}

/* --- the nodes -------------------------------------------------------------------------------- */

static int measure_nodes(mpi_session *on, servet_error *error)
{
    servet_measure_options measuring = SERVET_MEASURE_OPTIONS_INIT;
    char path[CLI_PATH_MAX];
    if (snprintf(path, sizeof path, "%s/node-", on->output.fresh) >= (int)sizeof path)
        return srv_fail(error, SERVET_EIO, "the path of the nodes' progress is too long");
    measuring.command = on->scope->command;
    measuring.raw_dir = on->relation.has_series ? on->output.fresh : NULL;
    measuring.progress = show_progress;
    measuring.context = on;
    measuring.progress_file = path;
    measuring.resume = on->relation.match != MPI_JOB_NEW;
    measuring.budget_seconds = mpi_costs_of_nodes(&on->costs, on->scope->budget);
    return mpi_nodes_measure(&on->nodes, &measuring, error);
}

/* Keeps the results when not all nodes could be measured; no profile is written if it has no facts
 * and no job can continue from it. */
static void keep_rest(mpi_session *on, int code)
{
    servet_error ignored = SERVET_ERROR_INIT;
    bool nothing = mpi_nodes_left(&on->nodes) == on->nodes.count && !srv_network_done(on->profile);
    if (nothing && on->fills_place && !cli_output_can_go_on(code))
        (void)unlink(on->output.profile);
    else if (code != SERVET_EINTERRUPTED)
        (void)keep_nodes(on, &ignored);
}

static int run_nodes(mpi_session *on, servet_error *error)
{
    on->to = on->costs.nodes / on->costs.all;
    int code = measure_nodes(on, error);
    on->nodes_done = code == SERVET_OK;
    if (code == SERVET_OK)
        return keep_nodes(on, error);
    keep_rest(on, code);
    return code;
}

/* --- the network ------------------------------------------------------------------------------ */

/* Finds the sets of cores of this node that share a resource, as the OS reports them. */
static int find_objects(srv_sets *objects, servet_error *error)
{
    srv_machine *machine;
    int code = srv_hardware_create(&machine, error);
    if (code != SERVET_OK)
        return code;
    code = machine->ops->objects(machine, objects, error);
    srv_machine_destroy(machine);
    return code;
}

/* Measures the network. If that fails, stores the results so far, unless a signal ended it: then
 * there is no time. */
static int measure_network(mpi_session *on, const srv_network_options *options, servet_error *error)
{
    int code = srv_record_network(on->network, options, on->scope->command, on->profile, error);
    int kept = code == SERVET_EINTERRUPTED ? SERVET_OK : save(on, error);
    return code == SERVET_OK ? kept : code;
}

/* Takes the costs of the network from its measurement if no node is measured before, so that no
 * message is sent twice. */
static void take_costs(void *context, const srv_network_costs *costs)
{
    mpi_session *on = context;
    if (on->costs.all > 0)
        return;
    on->costs = (mpi_costs){.network = *costs, .all = costs->all};
    tell_costs(on);
}

static int run_network(mpi_session *on, servet_error *error)
{
    double budget = on->scope->budget;
    srv_sets objects = {NULL, 0};
    srv_network_options options = on->scope->network;
    int code = find_objects(&objects, error);
    options.spent_seconds = fmin(elapsed(on), fmax(0, budget - 1));
    options.budget_seconds = budget > 0 ? budget - options.spent_seconds : 0;
    options.raw_dir = on->output.fresh;
    options.objects = &objects;
    options.progress = show_progress;
    options.keep = keep;
    options.planned = take_costs;
    options.context = on;
    on->from = on->to;
    on->to = 1;
    if (code == SERVET_OK)
        code = measure_network(on, &options, error);
    srv_sets_finish(&objects);
    return code;
}

/* --- both ------------------------------------------------------------------------------------- */

int mpi_session_measure(mpi_session *session, servet_error *error)
{
    int code = begin(session, error);
    if (code == SERVET_OK && session->scope->nodes && !session->nodes_done)
        code = run_nodes(session, error);
    if (code == SERVET_OK && session->scope->messages)
        code = run_network(session, error);
    return code == SERVET_OK ? record_run(session, error) : code;
}

void mpi_session_finish(mpi_session *session)
{
    mpi_nodes_finish(&session->nodes);
    servet_profile_close(session->profile);
}
