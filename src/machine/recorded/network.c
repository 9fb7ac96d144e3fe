/* SPDX-License-Identifier: BSD-3-Clause */
/* Networks that are recorded, job by job, and replays of them. */
#include "machine/network.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "machine/recorded/record.h"

typedef struct recorded {
    srv_network head;
    srv_network *inner; /* NULL: this is a replay */
    srv_record record;
    srv_rank *ranks;
    srv_network_node *nodes;
    int rank_count, node_count;
} recorded;

static recorded *self(srv_network *network)
{
    return (recorded *)network;
}

/* --- probes ----------------------------------------------------------------------------------- */

_Static_assert(sizeof(srv_network_ops) == 8 * sizeof(void (*)(void)),
               "each probe has a function here; nodes are measured as machines, noise() waits");

static int describe(srv_network *network, const srv_rank **ranks, int *rank_count,
                    const srv_network_node **nodes, int *node_count, servet_error *error)
{
    const recorded *on = self(network);
    (void)error;
    *ranks = on->ranks;
    *rank_count = on->rank_count;
    *nodes = on->nodes;
    *node_count = on->node_count;
    return SERVET_OK;
}

static int exchange_messages(srv_network *network, const srv_exchange *exchange, srv_spread *times,
                             servet_error *error)
{
    recorded *on = self(network);
    srv_exchange request = *exchange;
    request.batch = srv_batch_of(exchange);
    srv_call call = {SRV_PROBE_EXCHANGE, &request, 1, times, exchange->count, NULL, NULL};
    int code = on->inner ? on->inner->ops->exchange(on->inner, exchange, times, error) : SERVET_OK;
    return srv_record_answer(&on->record, &call, code, error);
}

/* Answers are recorded in the order of the ranks of the request. */
static int noise(srv_network *network, const int *ranks, int count, double seconds,
                 srv_rank_noise *noises, servet_error *error)
{
    recorded *on = self(network);
    srv_rank_glance glance = {seconds, ranks, count};
    srv_rank_noise *seen = calloc((size_t)count + 1, sizeof *seen);
    srv_call call = {SRV_PROBE_RANK_NOISE, &glance, 1, seen, count, NULL, NULL};
    if (!seen)
        return srv_fail_memory(error);
    int code = on->inner ? on->inner->ops->noise(on->inner, ranks, count, seconds, noises, error)
                         : SERVET_OK;
    for (int i = 0; i < count && on->inner; i++)
        seen[i] = noises[ranks[i]];
    code = srv_record_answer(&on->record, &call, code, error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        noises[ranks[i]] = seen[i];
    free(seen);
    return code;
}

static double elapsed(srv_network *network)
{
    recorded *on = self(network);
    return srv_record_elapsed(&on->record, on->inner ? on->inner->ops->elapsed(on->inner) : 0);
}

static int part(srv_network *network, const char *name, servet_error *error)
{
    return srv_record_part(&self(network)->record, name, error);
}

static void destroy(srv_network *network)
{
    recorded *on = self(network);
    srv_record_finish(&on->record);
    free(on->ranks);
    free(on->nodes);
    free(on);
}

/* --- what is fixed ---------------------------------------------------------------------------- */

/* Records a list, or reads it. */
static int fix_list(recorded *on, srv_probe_kind kind, void **list, int *count, servet_error *error)
{
    srv_call call = {.kind = kind, .count = count, .list = list};
    return srv_record_answer(&on->record, &call, SERVET_OK, error);
}

static int fix_struct(recorded *on, srv_probe_kind kind, void *at, servet_error *error)
{
    srv_call call = {.kind = kind, .answer = at, .most = 1};
    return srv_record_answer(&on->record, &call, SERVET_OK, error);
}

static int fix(recorded *on, srv_network_record *record, servet_error *error)
{
    void *objects = record->objects.set, *nodes = on->nodes, *ranks = on->ranks;
    int code = fix_struct(on, SRV_PROBE_JOB, &record->job, error);
    if (code == SERVET_OK)
        code = fix_struct(on, SRV_PROBE_DESCRIBE, &record->machine, error);
    if (code == SERVET_OK)
        code = fix_list(on, SRV_PROBE_OBJECTS, &objects, &record->objects.count, error);
    if (code == SERVET_OK)
        code = fix_list(on, SRV_PROBE_HOSTS, &nodes, &on->node_count, error);
    if (code == SERVET_OK)
        code = fix_list(on, SRV_PROBE_RANKS, &ranks, &on->rank_count, error);
    record->objects.set = objects;
    on->nodes = nodes;
    on->ranks = ranks;
    return code;
}

/* --- recording -------------------------------------------------------------------------------- */

/* The first number that no job has. */
static int open_next(recorded *on, const char *folder, servet_error *error)
{
    char path[SRV_RECORD_PATH_MAX];
    int job = 0, code;
    do {
        code = srv_record_open(&on->record, folder, ++job, false, false, error);
        if (code == SERVET_OK)
            code = srv_record_path(&on->record, NULL, 1, path, error);
    } while (code == SERVET_OK && access(path, F_OK) == 0);
    return code;
}

static int copy_network(recorded *on, servet_error *error)
{
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int code = on->inner->ops->describe(on->inner, &ranks, &on->rank_count, &nodes, &on->node_count,
                                        error);
    if (code != SERVET_OK)
        return code;
    on->ranks = calloc((size_t)on->rank_count + 1, sizeof *ranks);
    on->nodes = calloc((size_t)on->node_count + 1, sizeof *nodes);
    if (!on->ranks || !on->nodes)
        return srv_fail_memory(error);
    memcpy(on->ranks, ranks, (size_t)on->rank_count * sizeof *ranks);
    memcpy(on->nodes, nodes, (size_t)on->node_count * sizeof *nodes);
    return SERVET_OK;
}

/* The file of fixed answers is stored at once: it counts the jobs. */
static int begin_recording(recorded *on, const char *folder, srv_network_record *record,
                           servet_error *error)
{
    int code = open_next(on, folder, error);
    if (code == SERVET_OK)
        code = copy_network(on, error);
    if (code == SERVET_OK)
        code = fix(on, record, error);
    if (code == SERVET_OK)
        code = srv_record_part(&on->record, NULL, error);
    return code == SERVET_OK ? srv_record_part(&on->record, SRV_RECORD_BEGIN, error) : code;
}

/* --- replaying -------------------------------------------------------------------------------- */

/* The number of ranks of each node is the one in its description. */
static int check_ranks(const recorded *on, servet_error *error)
{
    bool sound = on->node_count > 0 && on->rank_count > 0;
    int *found = calloc((size_t)on->node_count + 1, sizeof *found);
    if (!found)
        return srv_fail_memory(error);
    for (int i = 0; i < on->rank_count && sound; i++) {
        const srv_rank *rank = &on->ranks[i];
        sound = rank->node >= 0 && rank->node < on->node_count && rank->core >= 0;
        found[sound ? rank->node : 0]++;
    }
    for (int i = 0; i < on->node_count && sound; i++)
        sound = found[i] == on->nodes[i].rank_count && found[i] > 0 && on->nodes[i].machine >= 0;
    free(found);
    return sound
               ? SERVET_OK
               : srv_fail(error, SERVET_EFORMAT, "the recording lacks the locations of the ranks");
}

static int begin_replay(recorded *on, const char *folder, int number, srv_network_record *record,
                        servet_error *error)
{
    char path[SRV_RECORD_PATH_MAX];
    servet_error wrong = SERVET_ERROR_INIT;
    int code = srv_record_open(&on->record, folder, number, true, true, error);
    if (code != SERVET_OK)
        return code;
    code = fix(on, record, &wrong);
    if (code == SERVET_OK)
        code = check_ranks(on, &wrong);
    code = code == SERVET_EUNMEASURED ? SERVET_EFORMAT : code;
    if (code != SERVET_OK && srv_record_path(&on->record, NULL, 1, path, error) == SERVET_OK)
        return srv_fail_at(error, code, path, wrong.line, "%s", wrong.text);
    code = srv_record_part(&on->record, SRV_RECORD_BEGIN, &wrong);
    return code == SERVET_OK || code == SERVET_EUNMEASURED
               ? SERVET_OK
               : srv_fail_at(error, code, wrong.file, wrong.line, "%s", wrong.text);
}

/* --- both ------------------------------------------------------------------------------------- */

static int create(srv_network **network, srv_network *inner, const char *folder, int number,
                  srv_network_record *record, servet_error *error)
{
    static const srv_network_ops ops = {
        .describe = describe,
        .exchange = exchange_messages,
        .noise = noise,
        .elapsed = elapsed,
        .part = part,
        .destroy = destroy,
    };
    recorded *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->head.ops = &ops;
    on->inner = inner;
    int code = inner ? begin_recording(on, folder, record, error)
                     : begin_replay(on, folder, number, record, error);
    if (code == SERVET_OK)
        *network = &on->head;
    else
        destroy(&on->head);
    return code;
}

int srv_network_recorder_create(srv_network **network, srv_network *inner, const char *folder,
                                const srv_network_record *record, servet_error *error)
{
    srv_network_record kept = *record;
    return create(network, inner, folder, 0, &kept, error);
}

int srv_network_replay_create(srv_network **network, const char *folder, int number,
                              srv_network_record *record, servet_error *error)
{
    *record = (srv_network_record){0};
    return create(network, NULL, folder, number, record, error);
}
