/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/reorder.h"

#include <stdlib.h>

#include "comm/make.h"
#include "comm/order.h"
#include "comm/slots.h"
#include "servet/mpi.h"

/* Computes an order by traffic: rank order[r] becomes rank r. */
static int order_by_traffic(const servet_traffic *traffic, const srv_peers *peers,
                            const servet_profile *profile, int *order, servet_error *error)
{
    if (servet_traffic_processes(traffic) != peers->count)
        return srv_fail(error, SERVET_EARGUMENT, "messages of %d processes, for %d ranks",
                        servet_traffic_processes(traffic), peers->count);
    servet_map_seat *slots = malloc((size_t)peers->count * sizeof *slots);
    if (!slots)
        return srv_fail_memory(error);
    int code = srv_slots_take(peers, slots, error);
    if (code == SERVET_OK)
        code = servet_map_reorder(profile, traffic, slots, order, error);
    free(slots);
    return code;
}

static int read_matrix(servet_traffic **traffic, const srv_sends *sends, servet_error *error)
{
    int code = servet_traffic_create(traffic, sends->ranks, error);
    for (int j = 0; j < sends->ranks && code == SERVET_OK; j++)
        for (int i = 0; i < sends->ranks && code == SERVET_OK; i++) {
            double bytes = sends->matrix[(size_t)j * (size_t)sends->ranks + (size_t)i];
            if (bytes != 0)
                code = servet_traffic_add(*traffic, i, j, bytes, error);
        }
    return code;
}

static int find_order(const srv_sends *sends, const srv_peers *peers, const servet_profile *profile,
                      int *order, servet_error *error)
{
    servet_traffic *made = NULL;
    int code = SERVET_OK;
    if (!sends->traffic && sends->matrix)
        code = read_matrix(&made, sends, error);
    else if (!sends->traffic && sends->pattern >= 0)
        code = servet_traffic_pattern(&made, (servet_pattern)sends->pattern, peers->count,
                                      sends->bytes, error);
    const servet_traffic *traffic = made ? made : sends->traffic;
    if (code == SERVET_OK)
        code = traffic ? order_by_traffic(traffic, peers, profile, order, error)
                       : srv_order_find(peers, profile, order, error);
    servet_traffic_destroy(made);
    return code;
}

static int find_colours(const void *request, const srv_peers *peers, const servet_profile *profile,
                        srv_colour_key *colour_keys, servet_error *error)
{
    int *order = malloc((size_t)peers->count * sizeof *order);
    if (!order)
        return srv_fail_memory(error);
    int code = find_order(request, peers, profile, order, error);
    for (int i = 0; i < peers->count && code == SERVET_OK; i++)
        colour_keys[order[i]].key = i;
    free(order);
    return code;
}

int srv_comm_reorder(MPI_Comm comm, const servet_profile *profile, const srv_sends *sends,
                     MPI_Comm *newcomm, servet_error *error)
{
    return srv_comm_make(comm, profile, find_colours, sends, newcomm, error);
}

int servet_comm_reorder_by(MPI_Comm comm, const servet_profile *profile,
                           const servet_traffic *traffic, MPI_Comm *newcomm, servet_error *error)
{
    const srv_sends sends = {.traffic = traffic, .pattern = -1};
    return srv_comm_reorder(comm, profile, &sends, newcomm, error);
}

int servet_comm_reorder(MPI_Comm comm, const servet_traffic *traffic, MPI_Comm *newcomm)
{
    return servet_comm_reorder_by(comm, NULL, traffic, newcomm, NULL);
}
