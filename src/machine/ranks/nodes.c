/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/nodes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"

/* How often rank 0 listens while it measures: each time disturbs by some microseconds. */
static const double LISTEN_SECONDS = 1;

enum { NO_NODE = -1 };

typedef struct vigil {
    srv_office *office;
    double *heard_ns; /* of each node: when it gave the last sign of life */
    double listened_ns;
    int silent; /* the node that hangs, or NO_NODE */
} vigil;

/* --- orders -------------------------------------------------------------------------------------
 */

static void copy_text(char *text, size_t size, const char *from, bool *there)
{
    *there = from != NULL;
    snprintf(text, size, "%s", from ? from : "");
}

/* Raw series are named for rank 0's node; the others hand in their profiles only. */
static srv_node_order order_for_others(const servet_measure_options *options)
{
    srv_node_order order;
    bool has_command;
    memset(&order, 0, sizeof order);
    order.options = *options;
    order.options.raw_dir = order.options.command = order.options.machine = NULL;
    order.options.progress_file = NULL;
    order.options.progress = NULL;
    order.options.context = NULL;
    copy_text(order.command, sizeof order.command, options->command, &has_command);
    copy_text(order.machine, sizeof order.machine, options->machine, &order.has_machine);
    copy_text(order.progress, sizeof order.progress, options->progress_file, &order.has_progress);
    return order;
}

static void order_nodes(vigil *on)
{
    srv_office *office = on->office;
    srv_wire_order order = {.kind = SRV_ORDER_NODE};
    srv_node_order what = order_for_others(&office->desk.options);
    for (int i = 0; i < office->roster.node_count; i++) {
        int rank = office->roster.leader[i];
        on->heard_ns[i] = srv_clock_raw_ns();
        if (office->desk.known[i])
            continue;
        srv_desk_await(&office->desk, rank, true);
        if (rank == 0)
            continue;
        srv_wire_send(office->member->comm, &order, sizeof order, rank, SRV_TAG_ORDER);
        srv_wire_send(office->member->comm, &what, sizeof what, rank, SRV_TAG_NODE);
    }
}

/* --- answers ------------------------------------------------------------------------------------
 */

/* A file without a name lets the one reader of profiles read what came as text. */
static int open_text(const char *text, size_t size, servet_profile **profile, servet_error *error)
{
    char path[32];
    FILE *file = tmpfile();
    if (!file)
        return srv_fail(error, SERVET_EIO, "no temporary file for the profile of a node");
    bool written = fwrite(text, 1, size, file) == size && fflush(file) == 0;
    snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
    int code = written ? servet_profile_open(profile, path, error)
                       : srv_fail(error, SERVET_EIO, "cannot store the profile of a node");
    fclose(file);
    return code;
}

static int receive_profile(srv_office *office, int rank, const srv_reply *reply,
                           servet_profile **profile, servet_error *error)
{
    *profile = NULL;
    if (reply->code != SERVET_OK)
        return srv_fail(error, reply->code, "%s", reply->text);
    size_t size = (size_t)reply->text_bytes;
    char *text = malloc(size);
    if (!text)
        return srv_fail_memory(error);
    srv_wire_receive(office->member->comm, text, size, rank, SRV_TAG_NODE);
    int code = open_text(text, size, profile, error);
    free(text);
    return code;
}

static void hear_one(vigil *on)
{
    srv_reply reply;
    srv_office *office = on->office;
    srv_desk *desk = &office->desk;
    int rank =
        srv_wire_receive(office->member->comm, &reply, sizeof reply, MPI_ANY_SOURCE, SRV_TAG_REPLY);
    int node = office->roster.rank[rank].node;
    on->heard_ns[node] = srv_clock_raw_ns();
    if (reply.at_work)
        return;
    servet_profile *profile;
    if (receive_profile(office, rank, &reply, &profile, &desk->errors[node]) == SERVET_OK)
        srv_desk_keep(desk, node, profile);
    servet_profile_close(profile);
    srv_desk_await(desk, rank, false);
}

/* --- signs of life ------------------------------------------------------------------------------
 */

static bool is_awaited(const vigil *on, int node)
{
    int rank = on->office->roster.leader[node];
    return rank != 0 && on->office->desk.awaited[rank];
}

static bool any_awaited(const vigil *on)
{
    for (int i = 0; i < on->office->roster.node_count; i++)
        if (is_awaited(on, i))
            return true;
    return false;
}

/* Takes what has come, waiting so long for the first; then looks who is silent. */
static void listen(vigil *on, double seconds)
{
    for (; srv_wire_arrived(on->office->member->comm, SRV_TAG_REPLY, seconds); seconds = 0)
        hear_one(on);
    on->listened_ns = srv_clock_raw_ns();
    for (int i = 0; i < on->office->roster.node_count; i++)
        if (is_awaited(on, i) && on->listened_ns > on->heard_ns[i] + 1e9 * SRV_HANG_SECONDS)
            on->silent = i;
}

/* Between the questions to rank 0's own node. */
static int on_progress(void *context, const servet_progress *progress)
{
    vigil *on = context;
    const servet_measure_options *options = &on->office->desk.options;
    if (srv_desk_is_broken(&on->office->desk))
        return 1; /* who asked is gone */
    if (srv_clock_raw_ns() > on->listened_ns + 1e9 * LISTEN_SECONDS)
        listen(on, 0);
    if (on->silent != NO_NODE)
        return 1;
    return options->progress ? options->progress(options->context, progress) : 0;
}

/* --- all of it ----------------------------------------------------------------------------------
 */

/* Rank 0's own node. */
static int measure_own(vigil *on)
{
    srv_desk *desk = &on->office->desk;
    int node = on->office->roster.rank[0].node;
    servet_measure_options options = desk->options;
    servet_profile *profile;
    if (desk->known[node])
        return SERVET_OK;
    options.progress = on_progress;
    options.context = on;
    int code = srv_member_measure(on->office->member, &options, &profile, &desk->errors[node]);
    if (code == SERVET_OK) {
        srv_desk_keep(desk, node, profile);
        servet_profile_close(profile);
    }
    srv_desk_await(desk, 0, false);
    return code;
}

static int lead(vigil *on, servet_error *error)
{
    const srv_desk *desk = &on->office->desk;
    const srv_roster *roster = &on->office->roster;
    order_nodes(on);
    int own = measure_own(on);
    while (on->silent == NO_NODE && own != SERVET_EINTERRUPTED && any_awaited(on))
        listen(on, LISTEN_SECONDS);
    if (on->silent != NO_NODE)
        return srv_fail(error, SERVET_ECOMMUNICATION,
                        "node %s is silent: nothing was heard of it for %.0f s",
                        roster->node[on->silent].name, SRV_HANG_SECONDS);
    if (own == SERVET_EINTERRUPTED)
        return srv_fail(error, own, "%s", desk->errors[roster->rank[0].node].text);
    return SERVET_OK;
}

/* The others are told at the same time; what they all do takes about as long everywhere. */
int srv_preside_nodes(srv_office *office, servet_error *error)
{
    srv_desk *desk = &office->desk;
    double expected = desk->options.budget_seconds;
    if (expected <= 0 && servet_measure_cost(&desk->options, &expected, error) != SERVET_OK)
        return error->code;
    vigil on = {.office = office, .silent = NO_NODE};
    on.heard_ns = calloc((size_t)office->roster.node_count, sizeof *on.heard_ns);
    if (!on.heard_ns)
        return srv_fail_memory(error);
    srv_desk_limit(desk, SRV_HANG_SECONDS + SRV_DOUBT * expected);
    int code = lead(&on, error);
    free(on.heard_ns);
    return code;
}
