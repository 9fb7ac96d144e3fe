/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/coordinator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"

/* Interval in which rank 0 polls while it measures: each poll disturbs by some microseconds. */
static const double POLL_SECONDS = 1;

enum { NO_NODE = -1 };

typedef struct node_monitor {
    srv_coordinator *coordinator;
    double *heard_ns; /* of each node: of its last heartbeat */
    double polled_ns;
    int silent; /* the node that hangs, or NO_NODE */
} node_monitor;

/* --- commands --------------------------------------------------------------------------------- */

static void copy_text(char *text, size_t size, const char *from, bool *there)
{
    *there = from != NULL;
    snprintf(text, size, "%s", from ? from : "");
}

/* Raw series are named for rank 0's node; the others hand in their profiles only. */
static srv_node_command command_for_others(const servet_measure_options *options)
{
    srv_node_command node;
    bool has_command;
    memset(&node, 0, sizeof node);
    node.options = *options;
    node.options.raw_dir = node.options.command = node.options.machine = NULL;
    node.options.progress_file = NULL;
    node.options.progress = NULL;
    node.options.context = NULL;
    copy_text(node.command, sizeof node.command, options->command, &has_command);
    copy_text(node.machine, sizeof node.machine, options->machine, &node.has_machine);
    copy_text(node.progress, sizeof node.progress, options->progress_file, &node.has_progress);
    return node;
}

static void command_nodes(node_monitor *on)
{
    srv_coordinator *coordinator = on->coordinator;
    srv_command command = {.type = SRV_COMMAND_NODE};
    srv_node_command what = command_for_others(&coordinator->queue.options);
    for (int i = 0; i < coordinator->table.node_count; i++) {
        int rank = coordinator->table.leader[i];
        on->heard_ns[i] = srv_clock_raw_ns();
        if (coordinator->queue.known[i])
            continue;
        srv_request_queue_await(&coordinator->queue, rank, true);
        if (rank == 0)
            continue;
        srv_control_send(coordinator->worker->comm, &command, sizeof command, rank,
                         SRV_TAG_COMMAND);
        srv_control_send(coordinator->worker->comm, &what, sizeof what, rank, SRV_TAG_NODE);
    }
}

/* --- answers ---------------------------------------------------------------------------------- */

/* Errors are the node's, not those of the measurement. */
static void receive_profile(srv_coordinator *coordinator, int rank, const srv_reply *reply)
{
    int node = coordinator->table.rank[rank].node;
    servet_error *error = &coordinator->queue.errors[node];
    size_t size = (size_t)reply->text_bytes;
    char *profile = reply->code == SERVET_OK ? malloc(size) : NULL;
    if (profile) {
        srv_control_receive(coordinator->worker->comm, profile, size, rank, SRV_TAG_NODE);
        srv_request_queue_deliver(&coordinator->queue, node, profile, size);
    } else if (reply->code == SERVET_OK)
        srv_fail_memory(error);
    else
        srv_fail(error, reply->code, "%s", reply->text);
    free(profile);
}

static void receive_one(node_monitor *on)
{
    srv_reply reply;
    srv_coordinator *coordinator = on->coordinator;
    int rank = srv_control_receive(coordinator->worker->comm, &reply, sizeof reply, MPI_ANY_SOURCE,
                                   SRV_TAG_REPLY);
    on->heard_ns[coordinator->table.rank[rank].node] = srv_clock_raw_ns();
    if (reply.heartbeat)
        return;
    receive_profile(coordinator, rank, &reply);
    srv_request_queue_await(&coordinator->queue, rank, false);
}

/* --- heartbeats ------------------------------------------------------------------------------- */

static bool is_awaited(const node_monitor *on, int node)
{
    int rank = on->coordinator->table.leader[node];
    return rank != 0 && on->coordinator->queue.awaited[rank];
}

static bool any_awaited(const node_monitor *on)
{
    for (int i = 0; i < on->coordinator->table.node_count; i++)
        if (is_awaited(on, i))
            return true;
    return false;
}

/* Receives the answers that have arrived, waiting this long for the first; then checks for silent
 * ranks. */
static void poll(node_monitor *on, double seconds)
{
    for (; srv_control_arrived(on->coordinator->worker->comm, SRV_TAG_REPLY, seconds); seconds = 0)
        receive_one(on);
    on->polled_ns = srv_clock_raw_ns();
    for (int i = 0; i < on->coordinator->table.node_count; i++)
        if (is_awaited(on, i) && on->polled_ns > on->heard_ns[i] + 1e9 * SRV_HANG_SECONDS)
            on->silent = i;
}

/* Polls between the probes of rank 0's own node. */
static int on_progress(void *context, const servet_progress *progress)
{
    node_monitor *on = context;
    const servet_measure_options *options = &on->coordinator->queue.options;
    if (srv_request_queue_is_broken(&on->coordinator->queue))
        return 1; /* the client has ended */
    if (srv_clock_raw_ns() > on->polled_ns + 1e9 * POLL_SECONDS)
        poll(on, 0);
    if (on->silent != NO_NODE)
        return 1;
    return options->progress ? options->progress(options->context, progress) : 0;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Rank 0's own node. */
static int measure_own(node_monitor *on)
{
    srv_request_queue *queue = &on->coordinator->queue;
    int node = on->coordinator->table.rank[0].node;
    servet_measure_options options = queue->options;
    char *profile;
    size_t size;
    if (queue->known[node])
        return SERVET_OK;
    options.progress = on_progress;
    options.context = on;
    int code = srv_worker_measure(on->coordinator->worker, &options, &profile, &size,
                                  &queue->errors[node]);
    if (code == SERVET_OK) {
        srv_request_queue_deliver(queue, node, profile, size);
        free(profile);
    }
    srv_request_queue_await(queue, 0, false);
    return code;
}

static int lead(node_monitor *on, servet_error *error)
{
    const srv_request_queue *queue = &on->coordinator->queue;
    const srv_rank_table *table = &on->coordinator->table;
    command_nodes(on);
    int own = measure_own(on);
    while (on->silent == NO_NODE && own != SERVET_EINTERRUPTED && any_awaited(on))
        poll(on, POLL_SECONDS);
    if (on->silent != NO_NODE)
        return srv_fail(error, SERVET_ECOMMUNICATION,
                        "node %s does not respond: no progress for %.0f s",
                        table->node[on->silent].name, SRV_HANG_SECONDS);
    if (own == SERVET_EINTERRUPTED)
        return srv_fail(error, own, "%s", queue->errors[table->rank[0].node].text);
    return SERVET_OK;
}

/* The others get the command at the same time, and all need about the same time for it. */
int srv_coordinator_measure_nodes(srv_coordinator *coordinator, servet_error *error)
{
    srv_request_queue *queue = &coordinator->queue;
    const double budget = queue->options.budget_seconds;
    if (!coordinator->worker->measurer)
        return srv_fail(error, SERVET_EUNSUPPORTED, "this job does not measure its nodes");
    node_monitor on = {.coordinator = coordinator, .silent = NO_NODE};
    on.heard_ns = calloc((size_t)coordinator->table.node_count, sizeof *on.heard_ns);
    if (!on.heard_ns)
        return srv_fail_memory(error);
    /* Without a budget a node may take as long as it shows that it lives. */
    srv_request_queue_set_deadline(
        queue, budget > 0 ? SRV_HANG_SECONDS + SRV_TIMEOUT_FACTOR * budget : INFINITY);
    int code = lead(&on, error);
    free(on.heard_ns);
    return code;
}
