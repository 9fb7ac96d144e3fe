/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>
#include <stdlib.h>

#include "comm/make.h"
#include "comm/order.h"
#include "comm/peers.h"
#include "core/ranges.h"
#include "servet/map.h"
#include "servet/mpi.h"

/* The traffic of the ranks, on rank 0. The first of these forms that is given counts; if none is,
 * neighbouring ranks are placed close to each other. */
typedef struct sends_given {
    const servet_traffic *traffic; /* NULL: not given */
    const double *matrix; /* bytes from rank i to rank j at [j * ranks + i]; NULL: not given */
    int ranks;            /* rows of the matrix */
    int pattern;          /* a servet_pattern; negative: not given */
    double bytes;         /* size of a message of the pattern */
} sends_given;

/* Takes the first core that is not taken yet; returns -1 if there is none. */
static int take_core(const char *cores, bool *taken)
{
    int first, last;
    while (srv_ranges_next(&cores, &first, &last))
        for (int core = first; core <= last; core++)
            if (!taken[core]) {
                taken[core] = true;
                return core;
            }
    return -1;
}

/* Finds slots for the ranks, in slots[0..peers->count-1]: each rank gets the first core that it may
 * run on and that no earlier rank has. Errors: SERVET_EARGUMENT (no core is left, or the system did
 * not report the binding of a rank), SERVET_EMEMORY. */
static int slots_take(const srv_peers *peers, servet_map_seat *slots, servet_error *error)
{
    bool *taken = calloc((size_t)peers->host_count * SRV_PEER_CORES_MAX, sizeof *taken);
    int code = taken ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < peers->count && code == SERVET_OK; i++) {
        const srv_peer *peer = &peers->peer[i];
        const char *name = peers->host[peer->host].name;
        int core = take_core(peer->cores, taken + (size_t)peer->host * SRV_PEER_CORES_MAX);
        slots[i] = (servet_map_seat){.host = name, .core = core};
        if (core < 0)
            code = srv_fail(error, SERVET_EARGUMENT,
                            "rank %d has no core of its own: those that it may run on (%.64s of "
                            "%.64s) have a rank each",
                            i, *peer->cores ? peer->cores : "?", name);
    }
    free(taken);
    return code;
}

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
    int code = slots_take(peers, slots, error);
    if (code == SERVET_OK)
        code = servet_map_reorder(profile, traffic, slots, order, error);
    free(slots);
    return code;
}

static int read_matrix(servet_traffic **traffic, const sends_given *sends, servet_error *error)
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

static int find_order(const sends_given *sends, const srv_peers *peers,
                      const servet_profile *profile, int *order, servet_error *error)
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

int servet_comm_reorder_by(MPI_Comm comm, const servet_profile *profile,
                           const servet_traffic *traffic, MPI_Comm *newcomm, servet_error *error)
{
    const sends_given sends = {.traffic = traffic, .pattern = -1};
    return srv_comm_make(comm, profile, find_colours, &sends, newcomm, error);
}

int servet_comm_reorder(MPI_Comm comm, const servet_traffic *traffic, MPI_Comm *newcomm)
{
    return servet_comm_reorder_by(comm, NULL, traffic, newcomm, NULL);
}

int servet_comm_split_layer_f(MPI_Fint comm, const servet_profile *profile, int layer,
                              MPI_Fint *newcomm, servet_error *error)
{
    MPI_Comm made;
    int code = servet_comm_split_layer_by(MPI_Comm_f2c(comm), profile, layer, &made, error);
    *newcomm = MPI_Comm_c2f(made);
    return code;
}

int servet_comm_reorder_f(MPI_Fint comm, const servet_profile *profile, int pattern, double bytes,
                          const double *sends, int ranks, MPI_Fint *newcomm, servet_error *error)
{
    const sends_given given = {NULL, sends, ranks, pattern, bytes};
    MPI_Comm made;
    int code = srv_comm_make(MPI_Comm_f2c(comm), profile, find_colours, &given, &made, error);
    *newcomm = MPI_Comm_c2f(made);
    return code;
}

int servet_comm_times_create_f(MPI_Fint comm, const servet_profile *profile,
                               servet_comm_times **times, servet_error *error)
{
    return servet_comm_times_create(MPI_Comm_f2c(comm), profile, times, error);
}
