/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/network.h"

#include <limits.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/names.h"
#include "core/ranges.h"

SRV_NAMES(srv_buffers_name, srv_buffers, SRV_BUFFERS_LIST)

int srv_group_size(const srv_rank_pair *pairs, int count, int first)
{
    int end = first + 1;
    while (end < count && pairs[end].from == pairs[first].from)
        end++;
    return end - first;
}

static int check_groups(const srv_exchange *exchange, servet_error *error)
{
    for (int i = 0; i < exchange->count; i += srv_group_size(exchange->pairs, exchange->count, i))
        if (exchange->pairs[i].from != exchange->pairs[i].to)
            return srv_fail(error, SERVET_EARGUMENT,
                            "a group of ranks begins with %d, not with its root %d",
                            exchange->pairs[i].to, exchange->pairs[i].from);
    if (fmod(exchange->bytes, sizeof(double)) != 0)
        return srv_fail(error, SERVET_EARGUMENT, "%g bytes are no whole number of doubles",
                        exchange->bytes);
    return SERVET_OK;
}

enum { SENDS = 1, RECEIVES = 2 };

/* Fails where a rank has this to do already; else it has. */
static bool engage(unsigned char *busy, int rank, int what)
{
    bool free = !(busy[rank] & what);
    busy[rank] = (unsigned char)(busy[rank] | what);
    return free;
}

static int check_pairs(const srv_exchange *exchange, unsigned char *busy, int rank_count,
                       servet_error *error)
{
    bool collective = srv_flow_is_collective(exchange->flow);
    int both = srv_flow_returns(exchange->flow) ? SENDS | RECEIVES : 0;
    for (int i = 0; i < exchange->count; i++) {
        int from = exchange->pairs[i].from, to = exchange->pairs[i].to;
        if (from < 0 || to < 0 || from >= rank_count || to >= rank_count ||
            (from == to && !collective))
            return srv_fail(error, SERVET_EARGUMENT,
                            "ranks %d and %d are not a valid pair of a job of %d ranks", from, to,
                            rank_count);
        if (!engage(busy, from, collective ? 0 : both | SENDS) ||
            !engage(busy, to, both | RECEIVES))
            return srv_fail(error, SERVET_EARGUMENT, "rank %d or %d is in several pairs", from, to);
    }
    return SERVET_OK;
}

int srv_exchange_check(const srv_exchange *exchange, int rank_count, servet_error *error)
{
    if (exchange->count < 1)
        return srv_fail(error, SERVET_EARGUMENT, "there must be at least one pair of ranks");
    if (exchange->batch < 0 ||
        exchange->batch > (srv_flow_returns(exchange->flow) ? SRV_BATCH_MAX : 1))
        return srv_fail(error, SERVET_EARGUMENT, "a batch of %d messages is out of range",
                        exchange->batch);
    if (!(exchange->bytes >= 0 && exchange->bytes <= INT_MAX / srv_batch_of(exchange)))
        return srv_fail(error, SERVET_EARGUMENT, "a message of %g bytes is out of range",
                        exchange->bytes);
    if (!(exchange->seconds >= 0))
        return srv_fail(error, SERVET_EARGUMENT, "a time of %g s for messages is out of range",
                        exchange->seconds);
    unsigned char *busy = calloc((size_t)rank_count, 1);
    int code = busy ? check_pairs(exchange, busy, rank_count, error) : srv_fail_memory(error);
    free(busy);
    return code == SERVET_OK && srv_flow_is_collective(exchange->flow)
               ? check_groups(exchange, error)
               : code;
}

/* --- ranks by cores --------------------------------------------------------------------------- */

typedef struct rank_core {
    int node, core, rank;
} rank_core;

static int by_core(const void *a, const void *b)
{
    const rank_core *x = a, *y = b;
    int node = (x->node > y->node) - (x->node < y->node);
    int core = (x->core > y->core) - (x->core < y->core);
    return node ? node : core ? core : x->rank - y->rank;
}

int *srv_ranks_by_core(const srv_rank *ranks, int count, const srv_network_node *on_machines)
{
    rank_core *cores = malloc((size_t)count * sizeof *cores);
    int *sorted = malloc((size_t)count * sizeof *sorted);
    for (int i = 0; i < count && cores; i++) {
        int node = ranks[i].node;
        cores[i] = (rank_core){on_machines ? on_machines[node].machine : node, ranks[i].core, i};
    }
    if (cores)
        qsort(cores, (size_t)count, sizeof *cores, by_core);
    for (int i = 0; i < count && cores && sorted; i++)
        sorted[i] = cores[i].rank;
    if (!cores)
        free(sorted);
    free(cores);
    return cores ? sorted : NULL;
}

int srv_ranks_list_cores(const srv_rank *ranks, int count, srv_network_node *nodes,
                         servet_error *error)
{
    int *sorted = srv_ranks_by_core(ranks, count, NULL);
    int *cores = malloc((size_t)count * sizeof *cores);
    int code = sorted && cores ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK;) {
        int node = ranks[sorted[i]].node, different = 0;
        for (; i < count && ranks[sorted[i]].node == node; i++)
            if (different == 0 || cores[different - 1] != ranks[sorted[i]].core)
                cores[different++] = ranks[sorted[i]].core;
        while (!srv_ranges_write(cores, different, nodes[node].cores, sizeof nodes[node].cores))
            different /= 2;
    }
    free(sorted);
    free(cores);
    return code;
}

/* --- operations ------------------------------------------------------------------------------- */

int srv_network_measure_nodes(srv_network *network, const srv_survey *survey, servet_error *errors,
                              servet_error *error)
{
    if (network->ops->measure_nodes)
        return network->ops->measure_nodes(network, survey, errors, error);
    return srv_fail(error, SERVET_EUNSUPPORTED,
                    "the nodes of a recorded network cannot be measured");
}

int srv_network_part(srv_network *network, const char *name, servet_error *error)
{
    return network->ops->part ? network->ops->part(network, name, error) : SERVET_OK;
}

const srv_network_node *srv_network_nodes(srv_network *network, int *count)
{
    const srv_rank *ranks;
    const srv_network_node *nodes = NULL;
    int rank_count;
    *count = 0;
    network->ops->describe(network, &ranks, &rank_count, &nodes, count, NULL);
    return nodes;
}

const char **srv_network_node_names(const srv_network_node *nodes, int count)
{
    const char **names = calloc((size_t)count + 1, sizeof *names);
    for (int i = 0; i < count && names; i++)
        names[i] = nodes[i].name;
    return names;
}

void srv_network_destroy(srv_network *network)
{
    if (network)
        network->ops->destroy(network);
}
