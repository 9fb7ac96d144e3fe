/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/preside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/* No rank that works is silent for so long beyond what it was told to do: a message of 32 MiB takes
 * 27 s at 10 Mbit/s. Together with the end of the job this stays within a minute. */
static const double HANG_SECONDS = 45;

/* Times that were expected may be wrong by this: an estimate from few messages, a sick node. */
static const double DOUBT = 3;

/* --- passages -----------------------------------------------------------------------------------
 */

/* The slowest of the answers so far, and what the passage has failed with. */
typedef struct phase {
    srv_order_kind kind;
    double slowest;
    int code;
    servet_error error;
} phase;

static void take_reply(srv_office *office, phase *now, int rank, const srv_reply *reply)
{
    const srv_plan *plan = &office->desk.plan;
    int pair = plan->timed[rank];
    srv_desk_await(&office->desk, rank, false);
    if (reply->code != SERVET_OK)
        now->code = srv_fail(&now->error, reply->code, "rank %d: %.200s", rank, reply->text);
    now->slowest = fmax(now->slowest, reply->seconds);
    if (now->kind == SRV_ORDER_SAMPLE && pair != SRV_NO_PAIR)
        memcpy(office->desk.samples + (size_t)pair * SRV_PASSAGE_SAMPLES_MAX, reply->samples,
               sizeof reply->samples);
}

static void order_part(srv_office *office, srv_order_kind kind, int rank)
{
    srv_order order = {kind, office->desk.plan.part[rank]};
    srv_desk_await(&office->desk, rank, true);
    if (rank != 0)
        srv_wire_send(office->member->comm, &order, sizeof order, rank, SRV_TAG_ORDER);
}

static void play_own(srv_office *office, phase *now)
{
    srv_reply reply;
    srv_order order = {now->kind, office->desk.plan.part[0]};
    srv_member_play(office->member, &order, &reply);
    take_reply(office, now, 0, &reply);
}

/* Has all who take part do one thing, which should take that long. Rank 0 comes first among the
 * members, if it is one. */
static void run_phase(srv_office *office, phase *now, srv_order_kind kind, double expected)
{
    const srv_plan *plan = &office->desk.plan;
    now->kind = kind;
    now->slowest = 0;
    srv_desk_limit(&office->desk, HANG_SECONDS + DOUBT * expected);
    bool own = plan->member[0] == 0;
    srv_reply reply;
    for (int i = 0; i < plan->count; i++)
        order_part(office, now->kind, plan->member[i]);
    if (own)
        play_own(office, now);
    for (int i = own; i < plan->count; i++) {
        int rank = srv_wire_receive(office->member->comm, &reply, sizeof reply, MPI_ANY_SOURCE,
                                    SRV_TAG_REPLY);
        take_reply(office, now, rank, &reply);
    }
}

/* Seconds that the samples will take; in a ping-pong messages go both ways. */
static double expect(const srv_plan *plan, double slowest)
{
    return 2 * slowest * srv_plan_messages(plan);
}

static void sample(srv_office *office, phase *now)
{
    srv_plan *plan = &office->desk.plan;
    double tried = plan->part[plan->member[0]].warm_up;
    for (bool last = false; !last && now->code == SERVET_OK; tried = srv_plan_messages(plan)) {
        last = srv_plan_repeat(plan, now->slowest, tried);
        run_phase(office, now, SRV_ORDER_SAMPLE, expect(plan, now->slowest));
    }
}

static int run_pass(srv_office *office, servet_error *error)
{
    phase now = {.error = SERVET_ERROR_INIT};
    run_phase(office, &now, SRV_ORDER_PREPARE, 0);
    if (now.code == SERVET_OK)
        run_phase(office, &now, SRV_ORDER_WARM_UP, 0);
    if (now.code == SERVET_OK)
        sample(office, &now);
    *error = now.error;
    return now.code;
}

/* --- nodes --------------------------------------------------------------------------------------
 */

/* Files are named for rank 0's node; the others hand in their profiles only. */
static srv_node_order order_for_others(const servet_measure_options *options)
{
    srv_node_order order;
    memset(&order, 0, sizeof order);
    order.options = *options;
    order.options.raw_dir = order.options.command = order.options.machine = NULL;
    order.options.progress_file = NULL;
    order.options.progress = NULL;
    order.options.context = NULL;
    order.options.resume = false;
    order.has_machine = options->machine != NULL;
    snprintf(order.command, sizeof order.command, "%s", options->command ? options->command : "");
    snprintf(order.machine, sizeof order.machine, "%s", options->machine ? options->machine : "");
    return order;
}

static void order_nodes(srv_office *office, const servet_measure_options *options)
{
    srv_order order = {.kind = SRV_ORDER_NODE};
    srv_node_order what = order_for_others(options);
    for (int i = 0; i < office->roster.node_count; i++) {
        int rank = office->roster.leader[i];
        srv_desk_await(&office->desk, rank, true);
        if (rank == 0)
            continue;
        srv_wire_send(office->member->comm, &order, sizeof order, rank, SRV_TAG_ORDER);
        srv_wire_send(office->member->comm, &what, sizeof what, rank, SRV_TAG_NODE);
    }
}

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

static void receive_node(srv_office *office)
{
    srv_reply reply;
    srv_desk *desk = &office->desk;
    int rank =
        srv_wire_receive(office->member->comm, &reply, sizeof reply, MPI_ANY_SOURCE, SRV_TAG_REPLY);
    int node = office->roster.rank[rank].node;
    receive_profile(office, rank, &reply, &desk->profiles[node], &desk->errors[node]);
    srv_desk_await(desk, rank, false);
}

/* The others were told at the same time; what they all do takes about as long everywhere. */
static int run_nodes(srv_office *office, servet_error *error)
{
    srv_desk *desk = &office->desk;
    double expected = desk->options->budget_seconds;
    if (expected <= 0 && servet_measure_cost(desk->options, &expected, error) != SERVET_OK)
        return error->code;
    order_nodes(office, desk->options);
    srv_desk_limit(desk, HANG_SECONDS + DOUBT * expected);
    int own =
        srv_member_measure(office->member, desk->options, &desk->profiles[0], &desk->errors[0]);
    srv_desk_await(desk, 0, false);
    if (own == SERVET_EINTERRUPTED)
        return srv_fail(error, own, "%s", desk->errors[0].text);
    for (int i = 1; i < office->roster.node_count; i++)
        receive_node(office);
    return SERVET_OK;
}

/* --- the desk -----------------------------------------------------------------------------------
 */

static void send_home(srv_office *office)
{
    srv_order order = {.kind = SRV_ORDER_HOME};
    for (int i = 1; i < office->roster.rank_count; i++)
        srv_wire_send(office->member->comm, &order, sizeof order, i, SRV_TAG_ORDER);
}

void srv_preside(srv_office *office)
{
    for (;;) {
        servet_error error = SERVET_ERROR_INIT;
        srv_request request = srv_desk_next(&office->desk);
        if (request == SRV_REQUEST_HOME)
            break;
        int code =
            request == SRV_REQUEST_PASS ? run_pass(office, &error) : run_nodes(office, &error);
        srv_desk_answer(&office->desk, code, &error);
    }
    send_home(office);
    srv_desk_answer(&office->desk, SERVET_OK, &(servet_error)SERVET_ERROR_INIT);
}
