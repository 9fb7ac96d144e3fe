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

/* --- commands --------------------------------------------------------------------------------- */

/* Takes a rank's reply. */
typedef void taker(srv_coordinator *coordinator, void *context, int rank, const srv_reply *reply);

/* Sends a rank its command, and the ranks of its group if it has one; rank 0 only notes these. */
static void send_command(srv_coordinator *coordinator, const srv_command *command, int rank)
{
    MPI_Comm comm = coordinator->worker->comm;
    if (rank != 0)
        srv_control_send(comm, command, sizeof *command, rank, SRV_TAG_COMMAND);
    if (!srv_control_has_members(command))
        return;
    const int *member = coordinator->queue.plan.member + command->part.group;
    size_t bytes = (size_t)command->part.members * sizeof *member;
    if (rank != 0)
        srv_control_send(comm, member, bytes, rank, SRV_TAG_COMMAND);
    else
        memcpy(coordinator->worker->timer.member, member, bytes);
}

/* Has ranks execute a command at the same time, each with its part of an exchange if there are
 * `parts`; `take` (NULL: none) gets their replies. Rank 0 executes its own in between. */
static void command_ranks(srv_coordinator *coordinator, const int *ranks, int count,
                          srv_command command, const srv_exchange_part *parts, taker *take,
                          void *context)
{
    bool own = false;
    srv_reply reply;
    for (int i = 0; i < count; i++) {
        if (parts)
            command.part = parts[ranks[i]];
        srv_request_queue_await(&coordinator->queue, ranks[i], true);
        send_command(coordinator, &command, ranks[i]);
        own = own || ranks[i] == 0;
    }
    for (int i = 0, rank = 0; i < count; i++) {
        if (own && i == 0) {
            command.part = parts ? parts[0] : command.part;
            srv_worker_execute(coordinator->worker, &command, &reply);
        } else
            rank = srv_control_receive(coordinator->worker->comm, &reply, sizeof reply,
                                       MPI_ANY_SOURCE, SRV_TAG_REPLY);
        srv_request_queue_await(&coordinator->queue, rank, false);
        if (take)
            take(coordinator, context, rank, &reply);
    }
}

static void take_noise(srv_coordinator *coordinator, void *context, int rank,
                       const srv_reply *reply)
{
    (void)context;
    coordinator->queue.noises[rank] = (srv_rank_noise){reply->noise, reply->absence};
    coordinator->queue.uses[rank] = reply->use;
}

/* Ranks measure the noise on their cores, all at once. */
static int measure_noise(srv_coordinator *coordinator)
{
    srv_request_queue *queue = &coordinator->queue;
    srv_command command = {.type = SRV_COMMAND_NOISE, .seconds = queue->noise_seconds};
    srv_request_queue_set_deadline(queue, SRV_HANG_SECONDS + SRV_TIMEOUT_FACTOR * command.seconds);
    command_ranks(coordinator, queue->noise_ranks, queue->noise_count, command, NULL, take_noise,
                  NULL);
    if (queue->noise_count == coordinator->table.rank_count)
        find_foreign(coordinator);
    return SERVET_OK;
}

/* --- pings ------------------------------------------------------------------------------------ */

/* Exchanges of a minute may leave most nodes out. Ranks that wait need up to 20 ms to answer: of
 * each interval that is a part in five hundred. */
static const double PING_SECONDS = 10;

/* A node that is lost is to be found out soon, also one that has nothing to do. */
static void ping(srv_coordinator *coordinator)
{
    const srv_rank_table *table = &coordinator->table;
    if (srv_clock_raw_ns() < coordinator->pinged_ns + 1e9 * PING_SECONDS)
        return;
    srv_request_queue_set_pinging(&coordinator->queue, true);
    srv_request_queue_set_deadline(&coordinator->queue, SRV_SILENCE_SECONDS);
    command_ranks(coordinator, table->leader, table->node_count,
                  (srv_command){.type = SRV_COMMAND_PING}, NULL, NULL, NULL);
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

static void take_part(srv_coordinator *coordinator, void *context, int rank, const srv_reply *reply)
{
    phase *now = context;
    int pair = coordinator->queue.plan.timed[rank];
    if (reply->code != SERVET_OK)
        now->code = srv_fail(&now->error, reply->code, "rank %d: %.200s", rank, reply->text);
    now->slowest = fmax(now->slowest, reply->seconds);
    if (now->type == SRV_COMMAND_SAMPLE && pair != SRV_NO_PAIR)
        memcpy(coordinator->queue.samples + (size_t)pair * SRV_EXCHANGE_SAMPLES_MAX, reply->samples,
               sizeof reply->samples);
}

/* Has all who take part do one thing within some seconds. */
static void run_phase(srv_coordinator *coordinator, phase *now, srv_command_type type, double limit)
{
    const srv_exchange_plan *plan = &coordinator->queue.plan;
    now->type = type;
    now->slowest = 0;
    srv_request_queue_set_deadline(&coordinator->queue, limit);
    command_ranks(coordinator, plan->participant, plan->count, (srv_command){.type = type},
                  plan->part, take_part, now);
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
