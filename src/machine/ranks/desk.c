/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/error.h"
#include "machine/hardware/clock.h"

/* How often the asking thread looks whether the others hang, or it is to give up: Open MPI kills
 * who is not gone a second after it was told to go. */
static const long LOOK_NS = 200000000;

int srv_desk_init(srv_desk *desk, int rank_count, servet_error *error)
{
    *desk = (srv_desk){.request = SRV_REQUEST_NONE};
    desk->awaited = calloc((size_t)rank_count, sizeof *desk->awaited);
    if (!desk->awaited)
        return srv_fail_memory(error);
    pthread_mutex_init(&desk->mutex, NULL);
    pthread_cond_init(&desk->changed, NULL);
    return SERVET_OK;
}

void srv_desk_finish(srv_desk *desk)
{
    free(desk->awaited);
    pthread_cond_destroy(&desk->changed);
    pthread_mutex_destroy(&desk->mutex);
}

/* --- the main thread ----------------------------------------------------------------------------
 */

srv_desk_request srv_desk_next(srv_desk *desk)
{
    pthread_mutex_lock(&desk->mutex);
    while (desk->request == SRV_REQUEST_NONE)
        pthread_cond_wait(&desk->changed, &desk->mutex);
    srv_desk_request request = desk->request;
    pthread_mutex_unlock(&desk->mutex);
    return request;
}

void srv_desk_answer(srv_desk *desk, int code, const servet_error *error)
{
    pthread_mutex_lock(&desk->mutex);
    desk->request = SRV_REQUEST_NONE;
    desk->code = code;
    desk->error = *error;
    pthread_cond_broadcast(&desk->changed);
    pthread_mutex_unlock(&desk->mutex);
}

bool srv_desk_is_broken(srv_desk *desk)
{
    pthread_mutex_lock(&desk->mutex);
    bool broken = desk->broken;
    pthread_mutex_unlock(&desk->mutex);
    return broken;
}

void srv_desk_await(srv_desk *desk, int rank, bool awaited)
{
    pthread_mutex_lock(&desk->mutex);
    desk->awaited[rank] = awaited;
    pthread_mutex_unlock(&desk->mutex);
}

/* Nobody gives up while it is at it. */
void srv_desk_keep(srv_desk *desk, int node, const servet_profile *profile)
{
    pthread_mutex_lock(&desk->mutex);
    if (!desk->broken && desk->survey.keep)
        desk->survey.keep(desk->survey.context, node, profile);
    pthread_mutex_unlock(&desk->mutex);
}

void srv_desk_call(srv_desk *desk, bool calling)
{
    pthread_mutex_lock(&desk->mutex);
    desk->calling = calling;
    pthread_mutex_unlock(&desk->mutex);
}

void srv_desk_limit(srv_desk *desk, double seconds)
{
    pthread_mutex_lock(&desk->mutex);
    desk->limit_ns = srv_clock_raw_ns() + 1e9 * seconds;
    pthread_mutex_unlock(&desk->mutex);
}

/* --- who hangs ----------------------------------------------------------------------------------
 */

static void print_rank(const srv_roster *roster, int rank, char *text, size_t size)
{
    const srv_rank *place = &roster->rank[rank];
    snprintf(text, size, "rank %d (%s, core %d)", rank, roster->node[place->node].name,
             place->core);
}

/*
 * While rank 0 waits for its own partner it hears of nobody else: then that pair is to blame. Else
 * it is the first one of which neither rank has answered, or one has not.
 */
static int blame_pair(const srv_desk *desk)
{
    int worst = 0, unanswered = 0;
    for (int i = 0; i < desk->plan.pair_count; i++) {
        const srv_rank_pair *pair = &desk->plan.pair[i];
        int score = desk->awaited[pair->from] + desk->awaited[pair->to];
        if (desk->awaited[0] && (pair->from == 0 || pair->to == 0))
            return i;
        if (score > unanswered) {
            unanswered = score;
            worst = i;
        }
    }
    return worst;
}

/* Where rank 0 sends to one and hears from another, it may be either that it waits for. */
static void print_other(const srv_desk *desk, const srv_roster *roster, const srv_rank_pair *blamed,
                        char *text, size_t size)
{
    for (int i = 0; i < desk->plan.pair_count && desk->awaited[0]; i++) {
        const srv_rank_pair *pair = &desk->plan.pair[i];
        if (pair->to != 0 || blamed->from != 0)
            continue;
        int n = snprintf(text, size, ", or to it from ");
        print_rank(roster, pair->from, text + n, size - (size_t)n);
    }
}

static int fail_pass(const srv_desk *desk, const srv_roster *roster, servet_error *error)
{
    enum { PLACE_MAX = SERVET_NAME_MAX + 32 };
    char from[PLACE_MAX], to[PLACE_MAX];
    const srv_rank_pair *pair = &desk->plan.pair[blame_pair(desk)];
    print_rank(roster, pair->from, from, sizeof from);
    print_rank(roster, pair->to, to, sizeof to);
    char other[PLACE_MAX + 32] = "";
    print_other(desk, roster, pair, other, sizeof other);
    return srv_fail(error, SERVET_ECOMMUNICATION, "messages from %s to %s%s hang", from, to, other);
}

static int fail_silent(const srv_desk *desk, const srv_roster *roster, servet_error *error)
{
    char text[SERVET_NAME_MAX + 32] = "a rank";
    for (int i = roster->rank_count - 1; i >= 0; i--)
        if (desk->awaited[i])
            print_rank(roster, i, text, sizeof text);
    return srv_fail(error, SERVET_ECOMMUNICATION, "%s does not answer", text);
}

static int fail_nodes(const srv_desk *desk, const srv_roster *roster, servet_error *error)
{
    for (int i = 0; i < roster->node_count; i++)
        if (desk->awaited[roster->leader[i]])
            return srv_fail(error, SERVET_ECOMMUNICATION, "node %s does not end measuring",
                            roster->node[i].name);
    return srv_fail(error, SERVET_ECOMMUNICATION, "the nodes do not end measuring");
}

/* --- the asking thread --------------------------------------------------------------------------
 */

static bool hangs(const srv_desk *desk)
{
    return desk->limit_ns > 0 && srv_clock_raw_ns() > desk->limit_ns;
}

static void wait_for_change(srv_desk *desk)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&desk->changed, &desk->mutex, &until);
}

/* Whoever was interrupted has left the others at work. */
static bool anyone_awaited(const srv_desk *desk, int rank_count)
{
    for (int i = 0; i < rank_count; i++)
        if (desk->awaited[i])
            return true;
    return false;
}

static bool is_to_stop(const srv_desk *desk)
{
    return desk->stop && desk->stop();
}

static int give_up(srv_desk *desk, srv_desk_request request, const srv_roster *roster,
                   servet_error *error)
{
    desk->broken = true;
    if (!hangs(desk))
        return srv_fail(error, SERVET_EINTERRUPTED, "interrupted");
    if (desk->calling || request == SRV_REQUEST_NOISE)
        return fail_silent(desk, roster, error);
    return request == SRV_REQUEST_PASS ? fail_pass(desk, roster, error)
                                       : fail_nodes(desk, roster, error);
}

static int wait_for_answer(srv_desk *desk, srv_desk_request request, const srv_roster *roster,
                           servet_error *error)
{
    while (desk->request != SRV_REQUEST_NONE && !hangs(desk) && !is_to_stop(desk))
        wait_for_change(desk);
    if (desk->request != SRV_REQUEST_NONE)
        return give_up(desk, request, roster, error);
    desk->broken = anyone_awaited(desk, roster->rank_count);
    return desk->code == SERVET_OK ? SERVET_OK
                                   : srv_fail(error, desk->code, "%s", desk->error.text);
}

int srv_desk_ask(srv_desk *desk, srv_desk_request request, const srv_roster *roster,
                 servet_error *error)
{
    if (desk->broken)
        return srv_fail(error, SERVET_ECOMMUNICATION, "ranks of this job hang");
    pthread_mutex_lock(&desk->mutex);
    desk->limit_ns = 0;
    desk->request = request;
    pthread_cond_broadcast(&desk->changed);
    int code = wait_for_answer(desk, request, roster, error);
    pthread_mutex_unlock(&desk->mutex);
    return code;
}
