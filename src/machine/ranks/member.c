/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/member.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "machine/hardware/memory.h"
#include "servet/record.h"

/* What is left of a cache after twice its size has gone through it is next to nothing, even under
 * replacement that is not LRU. Where the OS reports no cache this much is assumed. */
static const double ROTATED_CACHES = 2, UNKNOWN_CACHE = 64 << 20;

/* All ranks of a node together may take this share of its memory for messages. */
static const double MEMORY_SHARE = 0.25;

/* Each of the two pools of a rank. */
static size_t rotated_bytes(srv_member *member)
{
    srv_reported reported;
    double largest = 0;
    if (srv_topology_reported(&member->topology, member->seat.core, &reported, NULL) == SERVET_OK)
        for (int i = 0; i < reported.count; i++)
            largest = fmax(largest, reported.level[i].bytes);
    double wanted = ROTATED_CACHES * (largest > 0 ? largest : UNKNOWN_CACHE);
    double granted = MEMORY_SHARE * srv_memory_available() / member->seat.peers / 2;
    return (size_t)fmin(wanted, granted);
}

int srv_member_init(srv_member *member, servet_error *error)
{
    *member = (srv_member){.stolen = SRV_STOLEN_INIT};
    MPI_Comm_dup(MPI_COMM_WORLD, &member->comm);
    MPI_Comm_rank(member->comm, &member->rank);
    MPI_Comm_size(member->comm, &member->rank_count);
    int code = srv_seat_take(member->comm, &member->topology, &member->seat, error);
    if (code != SERVET_OK)
        return code;
    srv_clock_init(&member->clock);
    member->traffic = (srv_traffic){
        .talk = {.comm = member->comm},
        .clock = &member->clock,
        .rotated_bytes = rotated_bytes(member),
    };
    return SERVET_OK;
}

void srv_member_look_around(srv_member *member)
{
    member->traffic.talk.crowded = srv_talk_is_crowded(&member->clock, member->seat.core);
}

void srv_member_finish(srv_member *member)
{
    srv_traffic_finish(&member->traffic);
    srv_topology_finish(&member->topology);
    MPI_Comm_free(&member->comm);
}

/* --- messages -----------------------------------------------------------------------------------
 */

static void set_error(srv_reply *reply, int code, const servet_error *error)
{
    reply->code = code;
    snprintf(reply->text, sizeof reply->text, "%s", error->text);
}

void srv_member_play(srv_member *member, const srv_wire_order *order, srv_reply *reply)
{
    servet_error error = SERVET_ERROR_INIT;
    srv_traffic *traffic = &member->traffic;
    *reply = (srv_reply){.code = SERVET_OK};
    if (order->kind == SRV_ORDER_PREPARE)
        set_error(reply, srv_traffic_prepare(traffic, &order->part, &error), &error);
    else if (order->kind == SRV_ORDER_WARM_UP)
        reply->seconds = srv_traffic_warm_up(traffic, &order->part);
    else if (order->kind == SRV_ORDER_NOISE)
        srv_disturbance_look(&member->clock, member->seat.core, order->seconds, &member->stolen,
                             &reply->noise);
    else if (order->kind == SRV_ORDER_SAMPLE)
        reply->seconds = srv_traffic_sample(traffic, &order->part, reply->samples);
}

/* --- its node -----------------------------------------------------------------------------------
 */

/* Where the node keeps its progress; NULL where that is not to be seen from here. */
static const char *find_progress(const char *beginning, const char *host,
                                 char path[SERVET_ERROR_FILE_MAX])
{
    snprintf(path, SERVET_ERROR_FILE_MAX, "%s", beginning);
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    if (!slash || access(path, W_OK | X_OK) != 0)
        return NULL;
    int length = snprintf(path, SERVET_ERROR_FILE_MAX, "%s%s.json", beginning, host);
    return length < SERVET_ERROR_FILE_MAX ? path : NULL;
}

int srv_member_measure(srv_member *member, const servet_measure_options *options,
                       servet_profile **profile, servet_error *error)
{
    char path[SERVET_ERROR_FILE_MAX];
    servet_measure_options own = *options;
    if (own.progress_file)
        own.progress_file = find_progress(own.progress_file, member->seat.host, path);
    srv_traffic_finish(&member->traffic); /* the benchmarks want that memory */
    srv_seat_leave(&member->topology);
    int code = servet_measure(&own, profile, error);
    int seated = srv_seat_return(&member->topology, &member->seat, error);
    if (code == SERVET_OK && seated != SERVET_OK) {
        servet_profile_close(*profile);
        return seated;
    }
    return code;
}

static char *dump(const servet_profile *profile, size_t *size)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);
    if (!stream)
        return NULL;
    bool written = servet_profile_dump(profile, stream, NULL) == SERVET_OK;
    if (fclose(stream) == 0 && written)
        return text;
    free(text);
    return NULL;
}

/* How often a node says that it is at work. */
static const double SIGN_SECONDS = 5;

typedef struct pulse {
    MPI_Comm comm;
    double sent_ns;
} pulse;

static int give_sign(void *context, const servet_progress *progress)
{
    pulse *on = context;
    double now = srv_clock_raw_ns();
    (void)progress;
    if (now > on->sent_ns + 1e9 * SIGN_SECONDS) {
        srv_reply reply = {.at_work = true};
        srv_wire_send(on->comm, &reply, sizeof reply, 0, SRV_TAG_REPLY);
        on->sent_ns = now;
    }
    return 0;
}

static char *measure_as_text(srv_member *member, srv_node_order *order, srv_reply *reply)
{
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile = NULL;
    size_t size = 0;
    pulse signs = {member->comm, srv_clock_raw_ns()};
    order->options.command = order->command;
    order->options.machine = order->has_machine ? order->machine : NULL;
    order->options.progress_file = order->has_progress ? order->progress : NULL;
    order->options.progress = give_sign;
    order->options.context = &signs;
    int code = srv_member_measure(member, &order->options, &profile, &error);
    char *text = code == SERVET_OK ? dump(profile, &size) : NULL;
    if (code == SERVET_OK && !text)
        code = srv_fail_memory(&error);
    servet_profile_close(profile);
    set_error(reply, code, &error);
    reply->text_bytes = (int)size;
    return text;
}

static void serve_node(srv_member *member)
{
    srv_node_order order;
    srv_reply reply = {0};
    srv_wire_receive(member->comm, &order, sizeof order, 0, SRV_TAG_NODE);
    char *text = measure_as_text(member, &order, &reply);
    srv_wire_send(member->comm, &reply, sizeof reply, 0, SRV_TAG_REPLY);
    if (text)
        srv_wire_send(member->comm, text, (size_t)reply.text_bytes, 0, SRV_TAG_NODE);
    free(text);
}

/* --- orders -------------------------------------------------------------------------------------
 */

void srv_member_serve(srv_member *member)
{
    srv_wire_order order;
    srv_reply reply;
    for (;;) {
        srv_wire_receive(member->comm, &order, sizeof order, 0, SRV_TAG_ORDER);
        if (order.kind == SRV_ORDER_HOME)
            return;
        if (order.kind == SRV_ORDER_NODE) {
            serve_node(member);
            continue;
        }
        srv_member_play(member, &order, &reply);
        srv_wire_send(member->comm, &reply, sizeof reply, 0, SRV_TAG_REPLY);
    }
}
