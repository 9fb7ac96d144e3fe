/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "machine/machine.h"
#include "measure/network_replay.h"
#include "measure/network_store.h"
#include "mpi/job.h"

static double elapsed(const mpi_session *on)
{
    return on->network->ops->elapsed(on->network);
}

/* While nodes are measured it is called from the main thread, and the asking one waits. */
static int show_progress(void *context, const servet_progress *now)
{
    mpi_session *on = context;
    servet_progress all = *now;
    all.done = on->from + (on->to - on->from) * now->done;
    all.seconds = elapsed(on);
    return cli_progress_show(&on->progress, &all);
}

/* --- what is known so far -----------------------------------------------------------------------
 */

/* The run is that of the whole job. */
static int record_run(mpi_session *on, servet_error *error)
{
    servet_run run;
    double seconds = on->before + elapsed(on);
    servet_profile_run(on->profile, &run);
    snprintf(run.options, sizeof run.options, "%s", on->asked->command);
    srv_network_list(on->asked->network & ~on->facts.done, run.unfinished);
    for (int i = 0; on->facts.seen && i < on->facts.rank_count; i++)
        srv_seen_record(&on->facts.seen[i], &run);
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
    return code;
}

/* --- beginning, or going on ---------------------------------------------------------------------
 */

/* Whether the profile that stands in its place is an earlier state of this one. */
static bool is_in_place(const mpi_session *on, const servet_run *run)
{
    servet_profile *there;
    servet_run then;
    if (servet_profile_open(&there, on->output.profile, NULL) != SERVET_OK)
        return false;
    bool same =
        servet_profile_run(there, &then) == SERVET_OK && strcmp(then.started, run->started) == 0;
    servet_profile_close(there);
    return same;
}

static int take_up(mpi_session *on, servet_error *error)
{
    servet_run run;
    int code = servet_profile_open(&on->profile, on->output.progress, error);
    if (code != SERVET_OK)
        return code;
    servet_profile_run(on->profile, &run);
    on->before = servet_value_known(&run.duration) ? run.duration.value : 0;
    on->fills_place = on->fills_place || is_in_place(on, &run);
    return SERVET_OK;
}

static int begin(mpi_session *on, bool *resumed, servet_error *error)
{
    char path[CLI_PATH_MAX];
    on->fills_place = access(on->output.profile, F_OK) != 0;
    if (snprintf(path, sizeof path, "%s/job.txt", on->output.fresh) >= (int)sizeof path)
        return srv_fail(error, SERVET_EIO, "the path of the job's description is too long");
    return mpi_job_take_up(on->network, path, on->asked->command, resumed, error);
}

/* --- the nodes ----------------------------------------------------------------------------------
 */

/* Half of a budget is for the nodes, unless they need less. */
static int node_budget(const mpi_session *on, servet_measure_options *measuring,
                       servet_error *error)
{
    double cost, budget = on->asked->budget;
    int code = servet_measure_cost(measuring, &cost, error);
    bool shared = on->asked->network != 0;
    measuring->budget_seconds = budget > 0 ? fmin(cost, shared ? budget / 2 : budget) : cost;
    return code;
}

static int measure_nodes(mpi_session *on, bool resumed, servet_error *error)
{
    servet_measure_options measuring = SERVET_MEASURE_OPTIONS_INIT;
    char path[CLI_PATH_MAX];
    if (snprintf(path, sizeof path, "%s/node-", on->output.fresh) >= (int)sizeof path)
        return srv_fail(error, SERVET_EIO, "the path of the nodes' progress is too long");
    measuring.command = on->asked->command;
    measuring.raw_dir = on->output.fresh;
    measuring.progress = show_progress;
    measuring.context = on;
    measuring.progress_file = path;
    measuring.resume = resumed;
    int code = node_budget(on, &measuring, error);
    return code == SERVET_OK
               ? mpi_nodes_measure(on->network, &measuring, &on->nodes, &on->profile, error)
               : code;
}

static int run_nodes(mpi_session *on, bool resumed, servet_error *error)
{
    on->from = 0;
    on->to = on->asked->network ? 0.5 : 1;
    if (resumed && access(on->output.progress, F_OK) == 0)
        return take_up(on, error);
    int code = on->asked->nodes
                   ? measure_nodes(on, resumed, error)
                   : mpi_nodes_list(on->network, on->asked->command, &on->profile, error);
    return code == SERVET_OK ? save(on, error) : code;
}

/* --- the network --------------------------------------------------------------------------------
 */

/* What the OS says that cores of this node share. */
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

static int keep_facts(void *context, const srv_network_facts *facts, servet_error *error)
{
    mpi_session *on = context;
    int code = srv_network_store(facts, on->network, on->profile, error);
    return code == SERVET_OK ? save(on, error) : code;
}

/* Goes on with what the profile knows. What a measurement that fails has found out stays known; at
 * a signal there is no time for more than is kept already. */
static int measure_network(mpi_session *on, const srv_network_options *asking, servet_error *error)
{
    int code = srv_network_recall(on->profile, on->network, &on->facts, error);
    if (code != SERVET_OK)
        return code;
    code =
        srv_record_network(on->network, asking, on->asked->command, on->profile, &on->facts, error);
    int kept = code == SERVET_EINTERRUPTED ? SERVET_OK : keep_facts(on, &on->facts, error);
    return code == SERVET_OK ? kept : code;
}

static int run_network(mpi_session *on, servet_error *error)
{
    const mpi_questions *asked = on->asked;
    srv_sets objects = {NULL, 0};
    srv_network_options asking = SRV_NETWORK_OPTIONS_INIT;
    int code = find_objects(&objects, error);
    asking.only = asked->network;
    asking.layer_bytes = asked->layer_bytes;
    asking.message_bytes = asked->message_bytes;
    asking.nodes = asked->first_nodes;
    asking.buffers = asked->buffers;
    asking.budget_seconds = asked->budget > 0 ? fmax(asked->budget - elapsed(on), 1) : 0;
    asking.raw_dir = on->output.fresh;
    asking.objects = &objects;
    asking.progress = show_progress;
    asking.keep = keep_facts;
    asking.context = on;
    on->from = on->to < 1 ? on->to : 0;
    on->to = 1;
    if (code == SERVET_OK)
        code = measure_network(on, &asking, error);
    srv_sets_finish(&objects);
    return code;
}

/* --- both ---------------------------------------------------------------------------------------
 */

int mpi_session_measure(mpi_session *session, servet_error *error)
{
    bool resumed = false;
    int code = begin(session, &resumed, error);
    if (code == SERVET_OK)
        code = run_nodes(session, resumed, error);
    if (code == SERVET_OK && session->asked->network)
        code = run_network(session, error);
    return code == SERVET_OK ? record_run(session, error) : code;
}

void mpi_session_finish(mpi_session *session)
{
    srv_network_facts_finish(&session->facts);
    mpi_nodes_finish(&session->nodes);
    servet_profile_close(session->profile);
}
