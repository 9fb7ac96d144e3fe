/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/request_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/error.h"
#include "machine/hardware/clock.h"

/* How often the client thread checks whether ranks hang, or a signal has come: Open MPI kills a
 * process that does not end within a second after its signal. */
static const long POLL_NS = 200000000;

int srv_request_queue_init(srv_request_queue *queue, int rank_count, servet_error *error)
{
    *queue = (srv_request_queue){.request = SRV_REQUEST_NONE};
    queue->awaited = calloc((size_t)rank_count, sizeof *queue->awaited);
    if (!queue->awaited)
        return srv_fail_memory(error);
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->changed, NULL);
    return SERVET_OK;
}

void srv_request_queue_finish(srv_request_queue *queue)
{
    free(queue->awaited);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->mutex);
}

/* --- the coordinator -------------------------------------------------------------------------- */

srv_request_type srv_request_queue_next(srv_request_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    while (queue->request == SRV_REQUEST_NONE)
        pthread_cond_wait(&queue->changed, &queue->mutex);
    srv_request_type request = queue->request;
    pthread_mutex_unlock(&queue->mutex);
    return request;
}

void srv_request_queue_complete(srv_request_queue *queue, int code, const servet_error *error)
{
    pthread_mutex_lock(&queue->mutex);
    queue->request = SRV_REQUEST_NONE;
    queue->code = code;
    queue->error = *error;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}

bool srv_request_queue_is_broken(srv_request_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    bool broken = queue->broken;
    pthread_mutex_unlock(&queue->mutex);
    return broken;
}

void srv_request_queue_await(srv_request_queue *queue, int rank, bool awaited)
{
    pthread_mutex_lock(&queue->mutex);
    queue->awaited[rank] = awaited;
    pthread_mutex_unlock(&queue->mutex);
}

/* The client does not give up while it writes. */
void srv_request_queue_deliver(srv_request_queue *queue, int node, const char *profile, size_t size)
{
    pthread_mutex_lock(&queue->mutex);
    if (!queue->broken && queue->survey.keep)
        queue->survey.keep(queue->survey.context, node, profile, size);
    pthread_mutex_unlock(&queue->mutex);
}

void srv_request_queue_set_pinging(srv_request_queue *queue, bool pinging)
{
    pthread_mutex_lock(&queue->mutex);
    queue->pinging = pinging;
    pthread_mutex_unlock(&queue->mutex);
}

void srv_request_queue_set_deadline(srv_request_queue *queue, double seconds)
{
    pthread_mutex_lock(&queue->mutex);
    queue->deadline_ns = srv_clock_raw_ns() + 1e9 * seconds;
    pthread_mutex_unlock(&queue->mutex);
}

/* --- who hangs -------------------------------------------------------------------------------- */

static void print_rank(const srv_rank_table *table, int rank, char *text, size_t size)
{
    const srv_rank *location = &table->rank[rank];
    snprintf(text, size, "rank %d (%s, core %d)", rank, table->node[location->node].name,
             location->core);
}

/*
 * While rank 0 waits for its own partner it receives from no other rank: then that pair hangs.
 * Otherwise it is the first pair with no answer of either rank, or of one.
 */
static int blame_pair(const srv_request_queue *queue)
{
    int worst = 0, unanswered = 0;
    for (int i = 0; i < queue->plan.pair_count; i++) {
        const srv_rank_pair *pair = &queue->plan.pair[i];
        int score = queue->awaited[pair->from] + queue->awaited[pair->to];
        if (queue->awaited[0] && (pair->from == 0 || pair->to == 0))
            return i;
        if (score > unanswered) {
            unanswered = score;
            worst = i;
        }
    }
    return worst;
}

/* If rank 0 sends to one rank and receives from another, it may wait for either. */
static void print_other(const srv_request_queue *queue, const srv_rank_table *table,
                        const srv_rank_pair *blamed, char *text, size_t size)
{
    for (int i = 0; i < queue->plan.pair_count && queue->awaited[0]; i++) {
        const srv_rank_pair *pair = &queue->plan.pair[i];
        if (pair->to != 0 || blamed->from != 0)
            continue;
        int n = snprintf(text, size, ", or to it from ");
        print_rank(table, pair->from, text + n, size - (size_t)n);
    }
}

static int fail_exchange(const srv_request_queue *queue, const srv_rank_table *table,
                         servet_error *error)
{
    enum { LOCATION_MAX = SERVET_NAME_MAX + 32 };
    char from[LOCATION_MAX], to[LOCATION_MAX];
    const srv_rank_pair *pair = &queue->plan.pair[blame_pair(queue)];
    print_rank(table, pair->from, from, sizeof from);
    print_rank(table, pair->to, to, sizeof to);
    char other[LOCATION_MAX + 32] = "";
    print_other(queue, table, pair, other, sizeof other);
    return srv_fail(error, SERVET_ECOMMUNICATION, "messages from %s to %s%s hang", from, to, other);
}

static int fail_silent(const srv_request_queue *queue, const srv_rank_table *table,
                       servet_error *error)
{
    char text[SERVET_NAME_MAX + 32] = "a rank";
    for (int i = table->rank_count - 1; i >= 0; i--)
        if (queue->awaited[i])
            print_rank(table, i, text, sizeof text);
    return srv_fail(error, SERVET_ECOMMUNICATION, "%s does not respond", text);
}

static int fail_nodes(const srv_request_queue *queue, const srv_rank_table *table,
                      servet_error *error)
{
    for (int i = 0; i < table->node_count; i++)
        if (queue->awaited[table->leader[i]])
            return srv_fail(error, SERVET_ECOMMUNICATION, "node %s does not finish measuring",
                            table->node[i].name);
    return srv_fail(error, SERVET_ECOMMUNICATION, "the nodes do not finish measuring");
}

/* --- the client ------------------------------------------------------------------------------- */

static bool hangs(const srv_request_queue *queue)
{
    return queue->deadline_ns > 0 && srv_clock_raw_ns() > queue->deadline_ns;
}

static void wait_for_change(srv_request_queue *queue)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += POLL_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&queue->changed, &queue->mutex, &until);
}

/* After an interrupt the other ranks still work. */
static bool anyone_awaited(const srv_request_queue *queue, int rank_count)
{
    for (int i = 0; i < rank_count; i++)
        if (queue->awaited[i])
            return true;
    return false;
}

static int give_up(srv_request_queue *queue, srv_request_type request, const srv_rank_table *table,
                   servet_error *error)
{
    queue->broken = true;
    if (!hangs(queue))
        return srv_fail(error, SERVET_EINTERRUPTED, "interrupted");
    if (queue->pinging || request == SRV_REQUEST_NOISE)
        return fail_silent(queue, table, error);
    return request == SRV_REQUEST_EXCHANGE ? fail_exchange(queue, table, error)
                                           : fail_nodes(queue, table, error);
}

static int wait_for_answer(srv_request_queue *queue, srv_request_type request,
                           const srv_rank_table *table, servet_error *error)
{
    while (queue->request != SRV_REQUEST_NONE && !hangs(queue) && !(queue->stop && queue->stop()))
        wait_for_change(queue);
    if (queue->request != SRV_REQUEST_NONE)
        return give_up(queue, request, table, error);
    queue->broken = anyone_awaited(queue, table->rank_count);
    return queue->code == SERVET_OK ? SERVET_OK
                                    : srv_fail(error, queue->code, "%s", queue->error.text);
}

int srv_request_queue_submit(srv_request_queue *queue, srv_request_type request,
                             const srv_rank_table *table, servet_error *error)
{
    if (queue->broken)
        return srv_fail(error, SERVET_ECOMMUNICATION, "ranks of this job do not respond");
    pthread_mutex_lock(&queue->mutex);
    queue->deadline_ns = 0;
    queue->request = request;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
    if (queue->serve)
        queue->serve(queue->context);
    pthread_mutex_lock(&queue->mutex);
    int code = wait_for_answer(queue, request, table, error);
    pthread_mutex_unlock(&queue->mutex);
    return code;
}
