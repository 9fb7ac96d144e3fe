/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/messages.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>

#include "core/error.h"
#include "sim/noise.h"
#include "sim/routes.h"
#include "sim/system.h"
#include "stats/collective.h"

/* The cost of a probe besides its messages: waking sleeping ranks, sending a command to each. */
static const double WAKE_SECONDS = 2e-3, TELL_SECONDS = 5e-6;

/* The least number of samples, as with MPI ranks, and the largest. */
enum { SAMPLES_MIN = 3, SAMPLES_MAX = 33 };

/* --- the ranks of a job on the model ---------------------------------------------------------- */

/* Place of a rank in the model, by logical numbers. */
typedef struct pu_place {
    int node, pu;
} pu_place;

typedef struct placed_job {
    srv_rank *ranks;  /* as srv_network_ops.describe returns them */
    pu_place *places; /* and where that is in the model */
    int rank_count;
    srv_network_node *nodes;
    int node_count;
} placed_job;

static int place(const srv_model *model, const srv_rank *wanted, int number, pu_place *at,
                 servet_error *error)
{
    if (!wanted) {
        *at = (pu_place){number / model->pu_count, number % model->pu_count};
        if (at->node >= model->node_count)
            return srv_fail(error, SERVET_EARGUMENT, "%s has no core for rank %d", model->name,
                            number);
        return SERVET_OK;
    }
    if (wanted->node < 0 || wanted->node >= model->node_count)
        return srv_fail(error, SERVET_EARGUMENT, "%s has no node %d for rank %d", model->name,
                        wanted->node, number);
    at->node = wanted->node;
    return srv_system_pu(model, wanted->core, &at->pu, error);
}

static int place_all(placed_job *job, const srv_model *model, const srv_rank *ranks,
                     servet_error *error)
{
    for (int i = 0; i < job->rank_count; i++) {
        int code = place(model, ranks ? &ranks[i] : NULL, i, &job->places[i], error);
        if (code != SERVET_OK)
            return code;
        job->ranks[i].core = model->os_index[job->places[i].pu];
    }
    return SERVET_OK;
}

/* Numbers the nodes in the order of their first ranks. */
static int describe_nodes(placed_job *job, const srv_model *model, servet_error *error)
{
    int *number = calloc((size_t)model->node_count, sizeof *number);
    if (!number)
        return srv_fail_memory(error);
    for (int i = 0; i < job->rank_count; i++) {
        int *own = &number[job->places[i].node];
        if (*own == 0) {
            srv_network_node *node = &job->nodes[job->node_count];
            node->machine = job->node_count;
            snprintf(node->name, SERVET_NAME_MAX, "%.48s-%d", model->name, job->places[i].node);
            *own = ++job->node_count;
        }
        job->ranks[i].node = *own - 1;
        job->nodes[*own - 1].rank_count++;
    }
    free(number);
    return srv_ranks_list_cores(job->ranks, job->rank_count, job->nodes, error);
}

/* Places the ranks as srv_messages_create() describes; forget_ranks() is due in any case. */
static int place_ranks(placed_job *job, const srv_model *model, const srv_rank *ranks,
                       int rank_count, servet_error *error)
{
    *job = (placed_job){.rank_count = rank_count};
    if (rank_count < 1)
        return srv_fail(error, SERVET_EARGUMENT, "a job must have at least one rank");
    size_t n = (size_t)rank_count;
    job->ranks = calloc(n, sizeof *job->ranks);
    job->places = calloc(n, sizeof *job->places);
    job->nodes =
        calloc(n < (size_t)model->node_count ? n : (size_t)model->node_count, sizeof *job->nodes);
    if (!job->ranks || !job->places || !job->nodes)
        return srv_fail_memory(error);
    int code = place_all(job, model, ranks, error);
    return code == SERVET_OK ? describe_nodes(job, model, error) : code;
}

static void forget_ranks(placed_job *job)
{
    free(job->ranks);
    free(job->places);
    free(job->nodes);
}

/* --- the network ------------------------------------------------------------------------------ */

typedef struct messages {
    srv_network network;
    srv_model *model;
    placed_job job;
    uint64_t random; /* of the noise */
    double clock;    /* s */
} messages;

static messages *self(srv_network *network)
{
    return (messages *)network;
}

static int describe(srv_network *network, const srv_rank **ranks, int *rank_count,
                    const srv_network_node **nodes, int *node_count, servet_error *error)
{
    (void)error;
    const placed_job *job = &self(network)->job;
    *ranks = job->ranks;
    *rank_count = job->rank_count;
    *nodes = job->nodes;
    *node_count = job->node_count;
    return SERVET_OK;
}

/* --- an exchange ------------------------------------------------------------------------------ */

/* Room for all pairs at once. */
typedef struct passing {
    const srv_exchange *exchange;
    srv_message *message;
    double *rate;
    double *seconds; /* of a message of each pair, undisturbed */
    /* of a collective operation: the first pair of each message's group, and at that of each group
     */
    int *group;
    srv_collective_round *round; /* the one in progress */
    double *longest;             /* s of its messages so far */
    double *tried;               /* s of an algorithm so far */
} passing;

static bool allocate(passing *on, const srv_exchange *exchange)
{
    size_t n = (size_t)exchange->count;
    *on = (passing){.exchange = exchange,
                    .message = calloc(n, sizeof *on->message),
                    .rate = calloc(n, sizeof *on->rate),
                    .seconds = calloc(n, sizeof *on->seconds),
                    .group = calloc(n, sizeof *on->group),
                    .round = calloc(n, sizeof *on->round),
                    .longest = calloc(n, sizeof *on->longest),
                    .tried = calloc(n, sizeof *on->tried)};
    return on->message && on->rate && on->seconds && on->group && on->round && on->longest &&
           on->tried;
}

static void release(passing *on)
{
    free(on->message);
    free(on->rate);
    free(on->seconds);
    free(on->group);
    free(on->round);
    free(on->longest);
    free(on->tried);
}

static srv_message message_between(const placed_job *job, int from, int to, double bytes)
{
    const pu_place *a = &job->places[from], *b = &job->places[to];
    return (srv_message){a->node, a->pu, b->node, b->pu, bytes};
}

/* Adds to the seconds of each pair the time of a batch while all pairs send in one direction. */
static int go(messages *sim, passing *on, bool back, servet_error *error)
{
    const srv_exchange *exchange = on->exchange;
    for (int i = 0; i < exchange->count; i++) {
        srv_rank_pair pair = exchange->pairs[i];
        on->message[i] = back ? message_between(&sim->job, pair.to, pair.from, exchange->bytes)
                              : message_between(&sim->job, pair.from, pair.to, exchange->bytes);
    }
    int code = srv_routes_messages(sim->model, on->message, exchange->count, on->rate, error);
    for (int i = 0; i < exchange->count && code == SERVET_OK; i++)
        on->seconds[i] +=
            srv_routes_batch(sim->model, &on->message[i], on->rate[i], srv_batch_of(exchange),
                             exchange->flow != SRV_FLOW_AT_ONCE);
    return code;
}

/* --- a collective operation ------------------------------------------------------------------- */

/* Adds the messages of a group in a round of an algorithm, if it has as many rounds; returns the
 * number of messages with them. */
static int add_group(const messages *sim, passing *on, int first, int algorithm, int number,
                     int count)
{
    const srv_exchange *exchange = on->exchange;
    int size = srv_group_size(exchange->pairs, exchange->count, first);
    srv_collective_round rounds[SRV_COLLECTIVE_ROUNDS_MAX], *round = &on->round[first];
    if (number >= srv_collective_rounds(srv_flow_op(exchange->flow), algorithm, size,
                                        exchange->bytes, rounds))
        return count;
    *round = rounds[number];
    for (int i = 0; i < size; i++) {
        int to = srv_collective_receiver(round, i, size);
        if (to < 0)
            continue;
        on->message[count] = message_between(&sim->job, exchange->pairs[first + i].to,
                                             exchange->pairs[first + to].to, round->bytes);
        on->group[count++] = first;
    }
    return count;
}

/* Adds the time of a round, all groups at once: of the slowest message of each. */
static int time_round(const messages *sim, passing *on, int algorithm, int number, int *count,
                      servet_error *error)
{
    const srv_exchange *exchange = on->exchange;
    int all = exchange->count;
    *count = 0;
    for (int i = 0; i < all; i += srv_group_size(exchange->pairs, all, i))
        *count = add_group(sim, on, i, algorithm, number, *count);
    int code =
        *count ? srv_routes_messages(sim->model, on->message, *count, on->rate, error) : SERVET_OK;
    for (int i = 0; i < *count && code == SERVET_OK; i++) {
        double *longest = &on->longest[on->group[i]];
        *longest =
            fmax(*longest, srv_routes_batch(sim->model, &on->message[i], on->rate[i], 1, true));
    }
    for (int i = 0; i < all; i++) {
        on->tried[i] += on->longest[i] * on->round[i].times;
        on->longest[i] = 0;
    }
    return code;
}

/* A group takes the fastest algorithm, as an MPI library that chooses well. */
static int time_collective(const messages *sim, passing *on, servet_error *error)
{
    const srv_exchange *exchange = on->exchange;
    int algorithms = srv_collective_algorithms(srv_flow_op(exchange->flow)), code = SERVET_OK;
    for (int a = 0; a < algorithms && code == SERVET_OK; a++) {
        for (int i = 0; i < exchange->count; i++)
            on->tried[i] = 0;
        for (int number = 0, count = 1; count > 0 && code == SERVET_OK; number++)
            code = time_round(sim, on, a, number, &count, error);
        for (int i = 0, first = 0; i < exchange->count; i++) {
            first = exchange->pairs[i].from == exchange->pairs[first].from ? first : i;
            on->seconds[i] = a ? fmin(on->seconds[i], on->tried[first]) : on->tried[first];
        }
    }
    return code;
}

/* Half a round trip; replies compete with other replies. */
static int time_messages(messages *sim, passing *on, servet_error *error)
{
    if (srv_flow_is_collective(on->exchange->flow))
        return time_collective(sim, on, error);
    int code = go(sim, on, false, error);
    if (code != SERVET_OK || !srv_flow_returns(on->exchange->flow))
        return code;
    code = go(sim, on, true, error);
    for (int i = 0; i < on->exchange->count; i++)
        on->seconds[i] /= 2;
    return code;
}

static double slowest(const passing *on)
{
    double seconds = 0;
    for (int i = 0; i < on->exchange->count; i++)
        seconds = fmax(seconds, on->seconds[i]);
    return seconds;
}

static void sample(messages *sim, const passing *on, srv_spread *times)
{
    double left = on->exchange->seconds / slowest(on), samples[SAMPLES_MAX];
    size_t n = (size_t)fmax(SAMPLES_MIN, fmin(left, SAMPLES_MAX));
    for (int i = 0; i < on->exchange->count; i++) {
        for (size_t k = 0; k < n; k++)
            samples[k] = 1e-9 * srv_noise_apply(&sim->model->noise, &sim->random,
                                                1e9 * on->seconds[i], 1e9 * sim->clock);
        times[i] = srv_spread_of(samples, n);
    }
}

/* All pairs send equally many messages, so the slowest pair decides. */
static void let_time_pass(messages *sim, const passing *on)
{
    const srv_exchange *exchange = on->exchange;
    const srv_model_noise *noise = &sim->model->noise;
    double trip = slowest(on) * (srv_flow_returns(exchange->flow) ? 2 : 1);
    double warm =
        fmin(ceil((double)SRV_WARM_UP_MAX / srv_batch_of(exchange)),
             ceil(srv_warm_bytes_of(exchange) / srv_batch_of(exchange) / fmax(1, exchange->bytes)));
    double seconds = warm * trip + fmax(exchange->seconds, SAMPLES_MIN * trip);
    seconds *= srv_noise_drift(noise, 1e9 * sim->clock) / (1 - noise->steal);
    sim->clock += WAKE_SECONDS + 2 * exchange->count * TELL_SECONDS + seconds;
}

static int exchange_messages(srv_network *network, const srv_exchange *exchange, srv_spread *times,
                             servet_error *error)
{
    messages *sim = self(network);
    passing on = {.exchange = exchange};
    int code = srv_exchange_check(exchange, sim->job.rank_count, error);
    if (code != SERVET_OK)
        return code;
    code = allocate(&on, exchange) ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK)
        code = time_messages(sim, &on, error);
    if (code == SERVET_OK) {
        sample(sim, &on, times);
        let_time_pass(sim, &on);
    }
    release(&on);
    return code;
}

/* --- the rest --------------------------------------------------------------------------------- */

/* All cores of a model have the same noise. */
static int noise(srv_network *network, const int *ranks, int count, double seconds,
                 srv_rank_noise *noises, servet_error *error)
{
    messages *sim = self(network);
    const srv_model_noise *disturbing = &sim->model->noise;
    (void)error;
    for (int i = 0; i < count; i++) {
        double share = srv_noise_stolen(disturbing, &sim->random, seconds * 1e9);
        double ghz = srv_system_ghz(sim->model, sim->job.places[ranks[i]].pu) /
                     srv_noise_drift(disturbing, 1e9 * sim->clock);
        noises[ranks[i]] =
            (srv_rank_noise){.core = {.lost = share, .steal = share, .others = 0, .ghz = ghz},
                             .absence = SRV_ABSENCE_UNKNOWN};
    }
    sim->clock += WAKE_SECONDS + 2 * count * TELL_SECONDS + seconds;
    return SERVET_OK;
}

static double elapsed(srv_network *network)
{
    return self(network)->clock;
}

static void destroy(srv_network *network)
{
    messages *sim = self(network);
    forget_ranks(&sim->job);
    srv_model_free(sim->model);
    free(sim);
}

int srv_messages_from(srv_network **network, srv_model *model, const srv_rank *ranks,
                      int rank_count, servet_error *error)
{
    static const srv_network_ops ops = {
        .describe = describe,
        .exchange = exchange_messages,
        .noise = noise,
        .elapsed = elapsed,
        .destroy = destroy,
    };
    messages *made = calloc(1, sizeof *made);
    if (!made) {
        srv_model_free(model);
        return srv_fail_memory(error);
    }
    *made = (messages){.network = {&ops}, .model = model, .random = 1};
    int code = place_ranks(&made->job, model, ranks, rank_count, error);
    if (code == SERVET_OK)
        *network = &made->network;
    else
        destroy(&made->network);
    return code;
}

int srv_messages_create(srv_network **network, const char *model, const srv_rank *ranks,
                        int rank_count, servet_error *error)
{
    srv_model *read;
    int code = srv_model_read(&read, model, error);
    return code == SERVET_OK ? srv_messages_from(network, read, ranks, rank_count, error) : code;
}
