/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/preside.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "machine/ranks/nodes.h"
#include "machine/ranks/noise.h"

/* --- the roll -----------------------------------------------------------------------------------
 */

/* Passages of a minute may leave most nodes out. Ranks that wait need up to 20 ms to answer: of
 * each interval that is a part in five hundred. */
static const double CALL_SECONDS = 10;

static int call_nodes(srv_office *office)
{
    srv_wire_order order = {.kind = SRV_ORDER_ANSWER};
    int called = 0;
    for (int i = 0; i < office->roster.node_count; i++) {
        int rank = office->roster.leader[i];
        if (rank == 0)
            continue;
        srv_desk_await(&office->desk, rank, true);
        srv_wire_send(office->member->comm, &order, sizeof order, rank, SRV_TAG_ORDER);
        called++;
    }
    return called;
}

/* A node that is lost is to be found out soon, also one that has nothing to do. */
static void call_roll(srv_office *office)
{
    srv_reply reply;
    if (srv_clock_raw_ns() < office->called_ns + 1e9 * CALL_SECONDS)
        return;
    srv_desk_call(&office->desk, true);
    srv_desk_limit(&office->desk, SRV_SILENCE_SECONDS);
    for (int left = call_nodes(office); left > 0; left--) {
        int rank = srv_wire_receive(office->member->comm, &reply, sizeof reply, MPI_ANY_SOURCE,
                                    SRV_TAG_REPLY);
        srv_desk_await(&office->desk, rank, false);
    }
    srv_desk_call(&office->desk, false);
    office->called_ns = srv_clock_raw_ns();
}

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
    srv_wire_order order = {.kind = kind, .part = office->desk.plan.part[rank]};
    srv_desk_await(&office->desk, rank, true);
    if (rank != 0)
        srv_wire_send(office->member->comm, &order, sizeof order, rank, SRV_TAG_ORDER);
}

static void play_own(srv_office *office, phase *now)
{
    srv_reply reply;
    srv_wire_order order = {.kind = now->kind, .part = office->desk.plan.part[0]};
    srv_member_play(office->member, &order, &reply);
    take_reply(office, now, 0, &reply);
}

/* Has all who take part do one thing within some seconds. Rank 0 comes first among the members, if
 * it is one. */
static void run_phase(srv_office *office, phase *now, srv_order_kind kind, double limit)
{
    const srv_plan *plan = &office->desk.plan;
    now->kind = kind;
    now->slowest = 0;
    srv_desk_limit(&office->desk, limit);
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

/* What rests on messages of many seconds is not off by more than half a minute. */
static const double DOUBT_SECONDS = 30;

/* Within how many seconds the samples must be there; in a ping-pong messages go both ways. */
static double sample_limit(const srv_plan *plan, double slowest)
{
    int ways = plan->part[plan->member[0]].flow == SRV_FLOW_PING_PONG ? 2 : 1;
    double expected = ways * slowest * srv_plan_messages(plan);
    return SRV_SILENCE_SECONDS + expected + fmin((SRV_DOUBT - 1) * expected, DOUBT_SECONDS);
}

/* How many messages go says how much memory they rotate through. */
static void sample(srv_office *office, phase *now)
{
    srv_plan *plan = &office->desk.plan;
    const srv_part *part = &plan->part[plan->member[0]];
    double tried = part->warm_up, slowest = now->slowest;
    for (bool last = false; !last && now->code == SERVET_OK; tried = srv_plan_messages(plan)) {
        last = srv_plan_repeat(plan, slowest, tried);
        if (part->buffers == SRV_BUFFERS_ROTATED)
            run_phase(office, now, SRV_ORDER_PREPARE, SRV_HANG_SECONDS);
        if (now->code == SERVET_OK)
            run_phase(office, now, SRV_ORDER_SAMPLE, sample_limit(plan, slowest));
        slowest = now->slowest;
    }
}

static int run_pass(srv_office *office, servet_error *error)
{
    phase now = {.error = SERVET_ERROR_INIT};
    call_roll(office);
    run_phase(office, &now, SRV_ORDER_PREPARE, SRV_HANG_SECONDS);
    if (now.code == SERVET_OK)
        run_phase(office, &now, SRV_ORDER_WARM_UP, SRV_HANG_SECONDS);
    if (now.code == SERVET_OK)
        sample(office, &now);
    *error = now.error;
    return now.code;
}

/* --- the desk -----------------------------------------------------------------------------------
 */

static void send_home(srv_office *office)
{
    srv_wire_order order = {.kind = SRV_ORDER_HOME};
    for (int i = 1; i < office->roster.rank_count; i++)
        srv_wire_send(office->member->comm, &order, sizeof order, i, SRV_TAG_ORDER);
}

static int serve(srv_office *office, srv_desk_request request, servet_error *error)
{
    if (request == SRV_REQUEST_PASS)
        return run_pass(office, error);
    return request == SRV_REQUEST_NOISE ? srv_preside_noise(office)
                                        : srv_preside_nodes(office, error);
}

void srv_preside(srv_office *office)
{
    for (;;) {
        servet_error error = SERVET_ERROR_INIT;
        srv_desk_request request = srv_desk_next(&office->desk);
        if (request == SRV_REQUEST_HOME)
            break;
        int code = serve(office, request, &error);
        srv_desk_answer(&office->desk, code, &error);
    }
    send_home(office);
    srv_desk_answer(&office->desk, SERVET_OK, &(servet_error)SERVET_ERROR_INIT);
}
