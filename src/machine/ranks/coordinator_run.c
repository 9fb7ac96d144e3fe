/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/coordinator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/* --- noise ------------------------------------------------------------------------------------ */

/* Observations and use of the ranks of a machine. */
typedef struct machine_use {
    double busy, own, least_wall, most_wall;
    int processors;
} machine_use;

static void add_use(machine_use *sum, const srv_rank_use *use)
{
    bool first = sum->processors == 0;
    sum->busy = fmax(sum->busy, use->busy);
    sum->own += use->own;
    sum->least_wall = first ? use->wall : fmin(sum->least_wall, use->wall);
    sum->most_wall = fmax(sum->most_wall, use->wall);
    sum->processors = use->processors;
}

/* Answers of ranks at other moments describe other times and do not count. */
static const double SAME_TIME = 0.9;

/* Share of a machine's processors that others than the job used; NaN: not known. */
static double foreign_share(const machine_use *sum)
{
    double all = sum->most_wall * sum->processors;
    if (!(all > 0) || isnan(sum->busy) || sum->least_wall < SAME_TIME * sum->most_wall)
        return NAN;
    return fmin(fmax((sum->busy - sum->own) / all, 0), 1);
}

/* Only if all ranks answered: the time of a silent rank would seem to be foreign. */
static void find_foreign(srv_coordinator *coordinator)
{
    const srv_rank_table *table = &coordinator->table;
    srv_request_queue *queue = &coordinator->queue;
    machine_use *sums = calloc((size_t)table->node_count, sizeof *sums);
    for (int i = 0; sums && i < table->rank_count; i++)
        add_use(&sums[table->node[table->rank[i].node].machine], &queue->uses[i]);
    for (int i = 0; sums && i < table->rank_count; i++)
        queue->noises[i].absence.foreign =
            foreign_share(&sums[table->node[table->rank[i].node].machine]);
    free(sums);
}

static void take_noise(srv_request_queue *queue, int rank, const srv_reply *reply)
{
    queue->noises[rank] = (srv_rank_noise){reply->noise, reply->absence};
    queue->uses[rank] = reply->use;
    srv_request_queue_await(queue, rank, false);
}

/* Ranks measure the noise on their cores, all at once. */
static int measure_noise(srv_coordinator *coordinator)
{
    srv_request_queue *queue = &coordinator->queue;
    srv_command command = {.type = SRV_COMMAND_NOISE, .seconds = queue->noise_seconds};
    srv_reply reply;
    bool own = false;
    srv_request_queue_set_deadline(queue, SRV_HANG_SECONDS + SRV_TIMEOUT_FACTOR * command.seconds);
    for (int i = 0; i < queue->noise_count; i++) {
        int rank = queue->noise_ranks[i];
        srv_request_queue_await(queue, rank, true);
        if (rank == 0)
            own = true;
        else
            srv_control_send(coordinator->worker->comm, &command, sizeof command, rank,
                             SRV_TAG_COMMAND);
    }
    if (own) {
        srv_worker_execute(coordinator->worker, &command, &reply);
        take_noise(queue, 0, &reply);
    }
    for (int i = own; i < queue->noise_count; i++) {
        int rank = srv_control_receive(coordinator->worker->comm, &reply, sizeof reply,
                                       MPI_ANY_SOURCE, SRV_TAG_REPLY);
        take_noise(queue, rank, &reply);
    }
    if (queue->noise_count == coordinator->table.rank_count)
        find_foreign(coordinator);
    return SERVET_OK;
}

/* --- pings ------------------------------------------------------------------------------------ */

/* Exchanges of a minute may leave most nodes out. Ranks that wait need up to 20 ms to answer: of
 * each interval that is a part in five hundred. */
static const double PING_SECONDS = 10;

static int ping_nodes(srv_coordinator *coordinator)
{
    srv_command command = {.type = SRV_COMMAND_PING};
    int pinged = 0;
    for (int i = 0; i < coordinator->table.node_count; i++) {
        int rank = coordinator->table.leader[i];
        if (rank == 0)
            continue;
        srv_request_queue_await(&coordinator->queue, rank, true);
        srv_control_send(coordinator->worker->comm, &command, sizeof command, rank,
                         SRV_TAG_COMMAND);
        pinged++;
    }
    return pinged;
}

/* A node that is lost is to be found out soon, also one that has nothing to do. */
static void ping(srv_coordinator *coordinator)
{
    srv_reply reply;
    if (srv_clock_raw_ns() < coordinator->pinged_ns + 1e9 * PING_SECONDS)
        return;
    srv_request_queue_set_pinging(&coordinator->queue, true);
    srv_request_queue_set_deadline(&coordinator->queue, SRV_SILENCE_SECONDS);
    for (int left = ping_nodes(coordinator); left > 0; left--) {
        int rank = srv_control_receive(coordinator->worker->comm, &reply, sizeof reply,
                                       MPI_ANY_SOURCE, SRV_TAG_REPLY);
        srv_request_queue_await(&coordinator->queue, rank, false);
    }
    srv_request_queue_set_pinging(&coordinator->queue, false);
    coordinator->pinged_ns = srv_clock_raw_ns();
}

/* --- exchanges -------------------------------------------------------------------------------- */

/* The slowest of the answers so far, and the error of the exchange. */
typedef struct phase {
    srv_command_type type;
    double slowest;
    int code;
    servet_error error;
} phase;

static void take_reply(srv_coordinator *coordinator, phase *now, int rank, const srv_reply *reply)
{
    const srv_exchange_plan *plan = &coordinator->queue.plan;
    int pair = plan->timed[rank];
    srv_request_queue_await(&coordinator->queue, rank, false);
    if (reply->code != SERVET_OK)
        now->code = srv_fail(&now->error, reply->code, "rank %d: %.200s", rank, reply->text);
    now->slowest = fmax(now->slowest, reply->seconds);
    if (now->type == SRV_COMMAND_SAMPLE && pair != SRV_NO_PAIR)
        memcpy(coordinator->queue.samples + (size_t)pair * SRV_EXCHANGE_SAMPLES_MAX, reply->samples,
               sizeof reply->samples);
}

static void send_part(srv_coordinator *coordinator, srv_command_type type, int rank)
{
    const srv_exchange_plan *plan = &coordinator->queue.plan;
    MPI_Comm comm = coordinator->worker->comm;
    srv_command command = {.type = type, .part = plan->part[rank]};
    const int *member = plan->member + command.part.group;
    size_t bytes = (size_t)command.part.members * sizeof *member;
    srv_request_queue_await(&coordinator->queue, rank, true);
    if (rank != 0)
        srv_control_send(comm, &command, sizeof command, rank, SRV_TAG_COMMAND);
    if (rank != 0 && srv_control_has_members(&command))
        srv_control_send(comm, member, bytes, rank, SRV_TAG_COMMAND);
    else if (srv_control_has_members(&command))
        memcpy(coordinator->worker->timer.member, member, bytes);
}

static void execute_own(srv_coordinator *coordinator, phase *now)
{
    srv_reply reply;
    srv_command command = {.type = now->type, .part = coordinator->queue.plan.part[0]};
    srv_worker_execute(coordinator->worker, &command, &reply);
    take_reply(coordinator, now, 0, &reply);
}

/* Has all who take part do one thing within some seconds. Rank 0 comes first among the
 * participants, if it is one. */
static void run_phase(srv_coordinator *coordinator, phase *now, srv_command_type type, double limit)
{
    const srv_exchange_plan *plan = &coordinator->queue.plan;
    now->type = type;
    now->slowest = 0;
    srv_request_queue_set_deadline(&coordinator->queue, limit);
    bool own = plan->participant[0] == 0;
    srv_reply reply;
    for (int i = 0; i < plan->count; i++)
        send_part(coordinator, now->type, plan->participant[i]);
    if (own)
        execute_own(coordinator, now);
    for (int i = own; i < plan->count; i++) {
        int rank = srv_control_receive(coordinator->worker->comm, &reply, sizeof reply,
                                       MPI_ANY_SOURCE, SRV_TAG_REPLY);
        take_reply(coordinator, now, rank, &reply);
    }
}

/* Largest error of estimates from messages that take many seconds. */
static const double MARGIN_SECONDS = 30;

/* Time limit for the samples, in seconds; in a ping-pong messages go both ways. */
static double sample_limit(const srv_exchange_plan *plan, double slowest)
{
    int ways = srv_flow_returns(plan->part[plan->participant[0]].flow) ? 2 : 1;
    double expected = ways * slowest * srv_exchange_plan_messages(plan);
    return SRV_SILENCE_SECONDS + expected +
           fmin((SRV_TIMEOUT_FACTOR - 1) * expected, MARGIN_SECONDS);
}

/* The number of messages determines the memory that they rotate through. */
static void sample(srv_coordinator *coordinator, phase *now)
{
    srv_exchange_plan *plan = &coordinator->queue.plan;
    const srv_exchange_part *part = &plan->part[plan->participant[0]];
    double tried = part->warm_up, slowest = now->slowest;
    for (bool last = false; !last && now->code == SERVET_OK;
         tried = srv_exchange_plan_messages(plan)) {
        last = srv_exchange_plan_repeat(plan, slowest, tried);
        if (part->buffers == SRV_BUFFERS_ROTATED)
            run_phase(coordinator, now, SRV_COMMAND_PREPARE, SRV_HANG_SECONDS);
        if (now->code == SERVET_OK)
            run_phase(coordinator, now, SRV_COMMAND_SAMPLE, sample_limit(plan, slowest));
        slowest = now->slowest;
    }
}

static int run_exchange(srv_coordinator *coordinator, servet_error *error)
{
    phase now = {.error = SERVET_ERROR_INIT};
    ping(coordinator);
    run_phase(coordinator, &now, SRV_COMMAND_PREPARE, SRV_HANG_SECONDS);
    if (now.code == SERVET_OK)
        run_phase(coordinator, &now, SRV_COMMAND_WARM_UP, SRV_HANG_SECONDS);
    if (now.code == SERVET_OK)
        sample(coordinator, &now);
    *error = now.error;
    return now.code;
}

/* --- requests --------------------------------------------------------------------------------- */

bool srv_coordinator_serve(srv_coordinator *coordinator)
{
    servet_error error = SERVET_ERROR_INIT;
    int code = SERVET_OK;
    srv_request_type request = srv_request_queue_next(&coordinator->queue);
    const srv_command end = {.type = SRV_COMMAND_SHUTDOWN};
    if (request == SRV_REQUEST_SHUTDOWN)
        for (int i = 1; i < coordinator->table.rank_count; i++)
            srv_control_send(coordinator->worker->comm, &end, sizeof end, i, SRV_TAG_COMMAND);
    else
        code = request == SRV_REQUEST_EXCHANGE ? run_exchange(coordinator, &error)
               : request == SRV_REQUEST_NOISE  ? measure_noise(coordinator)
                                               : srv_coordinator_measure_nodes(coordinator, &error);
    srv_request_queue_complete(&coordinator->queue, code, &error);
    return request != SRV_REQUEST_SHUTDOWN;
}
