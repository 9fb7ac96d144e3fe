/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers the time of a message between two ranks. Rank 0 finds the groups of all ranks, and sends
 * them to all ranks with the measured message times of each layer. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/groups.h"
#include "comm/make.h"
#include "core/ranges.h"
#include "servet/mpi.h"
#include "servet/record.h"

/* Sizes of the data that the ranks get. */
typedef struct extent {
    int ranks, layers, points;
} extent;

/* A layer, and the position of its curve among the points. */
typedef struct layer_times {
    int between_nodes, groups_trusted, first_point, point_count;
} layer_times;

/* The columns of the table of ranks: the host, the only core that the rank may run on (-1: it may
 * run on several), 1 if it may run on several groups of a layer, and its group in each layer (-1:
 * none). */
enum { HOST, CORE, SEVERAL, FIRST_GROUP };

struct servet_comm_times {
    extent of;
    char *data; /* memory of the next three members, with the same contents on all ranks */
    servet_message *points;
    layer_times *layer;
    int *row;
    servet_profile *curves; /* a profile with nothing but the message times of the layers */
};

static size_t row_length(const extent *of)
{
    return FIRST_GROUP + (size_t)of->layers;
}

static size_t data_size(const extent *of)
{
    return (size_t)of->points * sizeof(servet_message) + (size_t)of->layers * sizeof(layer_times) +
           (size_t)of->ranks * row_length(of) * sizeof(int);
}

static int make_room(servet_comm_times *times)
{
    times->data = calloc(1, data_size(&times->of) + 1);
    if (!times->data)
        return SERVET_EMEMORY;
    times->points = (void *)times->data;
    times->layer = (void *)(times->points + times->of.points);
    times->row = (void *)(times->layer + times->of.layers);
    return SERVET_OK;
}

static int *row_of(const servet_comm_times *times, int rank)
{
    return times->row + (size_t)rank * row_length(&times->of);
}

/* --- rank 0 ----------------------------------------------------------------------------------- */

static int measure(const srv_peers *peers, const servet_profile *profile, extent *of,
                   servet_error *error)
{
    *of = (extent){.ranks = peers->count};
    int code = servet_network_layer_count(profile, &of->layers);
    if (code != SERVET_OK)
        return srv_fail(error, code,
                        code == SERVET_EUNTRUSTED ? "communication layers: not trusted"
                                                  : "the profile has no communication layers");
    for (int i = 1, points; i <= of->layers; i++)
        if (servet_profile_count(profile, NULL, "network.layers.points", (int[]){i}, &points) ==
            SERVET_OK)
            of->points += points;
    return SERVET_OK;
}

/* Returns true if the layer's groups are trusted. That is a fact of the cluster: any class may
 * answer. */
static bool trusts_groups(const servet_profile *profile, int layer)
{
    const servet_at at = {.node_class = servet_profile_class_name(profile, 0),
                          .core = SERVET_ANY_CORE};
    servet_trust trust;
    char key[SERVET_NAME_MAX];
    snprintf(key, sizeof key, "layers.%d.groups", layer);
    return servet_profile_trust(profile, &at, key, &trust, NULL) == SERVET_OK && trust.trusted;
}

/* Copies layer `number`, whose points begin at `first`. */
static int copy_layer(servet_comm_times *times, const servet_profile *profile, int number,
                      int first, servet_error *error)
{
    servet_network_layer found;
    layer_times *layer = &times->layer[number - 1];
    int code = servet_network_layer_get(profile, number, &found);
    *layer = (layer_times){found.between_nodes, trusts_groups(profile, number), first, 0};
    if (code == SERVET_OK)
        code = servet_profile_count(profile, NULL, "network.layers.points", (int[]){number},
                                    &layer->point_count);
    if (code == SERVET_EUNMEASURED)
        code = SERVET_OK;
    for (int i = 0; i < layer->point_count && code == SERVET_OK; i++)
        code =
            SERVET_ITEM(profile, "network.layers.points", &times->points[first + i], number, i + 1);
    return code == SERVET_OK ? code
                             : srv_fail(error, code, "communication layer %d: %s", number,
                                        servet_error_text(code));
}

static int only_core(const char *cores)
{
    int first, last;
    return srv_ranges_count(cores) == 1 && srv_ranges_next(&cores, &first, &last) ? first : -1;
}

static int copy_groups(servet_comm_times *times, const srv_peers *peers,
                       const servet_profile *profile, int number, srv_rank_group *groups,
                       servet_error *error)
{
    int code = srv_groups_number(peers, profile, number, groups, error);
    for (int i = 0; i < times->of.ranks && code == SERVET_OK; i++) {
        row_of(times, i)[FIRST_GROUP + number - 1] = groups[i].group;
        row_of(times, i)[SEVERAL] |= groups[i].several;
    }
    return code;
}

static int fill(servet_comm_times *times, const srv_peers *peers, const servet_profile *profile,
                servet_error *error)
{
    srv_rank_group *groups = calloc((size_t)peers->count, sizeof *groups);
    int code = groups ? SERVET_OK : srv_fail_memory(error), first = 0;
    for (int i = 0; i < peers->count; i++) {
        row_of(times, i)[HOST] = peers->peer[i].host;
        row_of(times, i)[CORE] = only_core(peers->peer[i].cores);
    }
    for (int i = 1; i <= times->of.layers && code == SERVET_OK; i++) {
        code = copy_layer(times, profile, i, first, error);
        first += times->layer[i - 1].point_count;
        if (code == SERVET_OK)
            code = copy_groups(times, peers, profile, i, groups, error);
    }
    free(groups);
    return code;
}

static int find_times(void *context, const srv_peers *peers, const servet_profile *profile,
                      servet_error *error)
{
    servet_comm_times *times = context;
    int code = measure(peers, profile, &times->of, error);
    if (code != SERVET_OK)
        return code;
    return make_room(times) == SERVET_OK ? fill(times, peers, profile, error)
                                         : srv_fail_memory(error);
}

/* --- all ranks -------------------------------------------------------------------------------- */

/* Returns the failure of any rank on all ranks. */
static int agree_on_all(MPI_Comm comm, int code)
{
    int least;
    return MPI_Allreduce(&code, &least, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS
               ? least
               : SERVET_ECOMMUNICATION;
}

/* Sends the data of rank 0 to all ranks, in pieces whose size fits an int. */
static int spread(MPI_Comm comm, char *data, size_t size)
{
    enum { PIECE = 1 << 30 };
    for (size_t done = 0; done < size;) {
        int bytes = size - done < PIECE ? (int)(size - done) : PIECE;
        if (MPI_Bcast(data + done, bytes, MPI_BYTE, 0, comm) != MPI_SUCCESS)
            return SERVET_ECOMMUNICATION;
        done += (size_t)bytes;
    }
    return SERVET_OK;
}

static int share(MPI_Comm comm, servet_comm_times *times)
{
    if (MPI_Bcast(&times->of, sizeof times->of, MPI_BYTE, 0, comm) != MPI_SUCCESS)
        return SERVET_ECOMMUNICATION;
    int code = agree_on_all(comm, times->data ? SERVET_OK : make_room(times));
    return code == SERVET_OK ? spread(comm, times->data, data_size(&times->of)) : code;
}

static int add_curve(servet_profile *curves, int number, const servet_comm_times *times)
{
    const layer_times *layer = &times->layer[number - 1];
    if (layer->point_count == 0)
        return SERVET_OK;
    char path[SERVET_NAME_MAX];
    snprintf(path, sizeof path, "network.layers.%d.points", number);
    return servet_profile_set(curves, 0, path, times->points + layer->first_point,
                              sizeof *times->points, layer->point_count, NULL);
}

static int make_curves(servet_comm_times *times)
{
    const servet_network network = {.nodes = 1, .ranks = 1};
    int count = times->of.layers;
    servet_network_layer *layers = calloc((size_t)count + 1, sizeof *layers);
    int code = layers ? servet_profile_create(&times->curves, NULL) : SERVET_EMEMORY;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        layers[i].latency = servet_value_unknown(SERVET_UNIT_SECOND);
        layers[i].bandwidth = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    }
    if (code == SERVET_OK)
        code = servet_profile_set_network(times->curves, &network, (const char *[]){"any"}, NULL);
    if (code == SERVET_OK)
        code = servet_profile_set(times->curves, 0, "network.layers", layers, sizeof *layers, count,
                                  NULL);
    for (int i = 1; i <= count && code == SERVET_OK; i++)
        code = add_curve(times->curves, i, times);
    free(layers);
    return code;
}

int servet_comm_times_create(MPI_Comm comm, const servet_profile *profile,
                             servet_comm_times **times, servet_error *error)
{
    *times = NULL;
    servet_comm_times *made = calloc(1, sizeof *made);
    int code = agree_on_all(comm, made ? SERVET_OK : SERVET_EMEMORY);
    if (code != SERVET_OK) {
        free(made);
        return srv_fail(error, code, "%s", servet_error_text(code));
    }
    code = srv_comm_compute(comm, profile, find_times, made, error);
    if (code == SERVET_OK)
        code = share(comm, made);
    if (code == SERVET_OK)
        code = agree_on_all(comm, make_curves(made));
    if (code == SERVET_OK) {
        *times = made;
        return code;
    }
    servet_comm_times_destroy(made);
    return srv_fail(error, code, "%s", servet_error_text(code));
}

void servet_comm_times_destroy(servet_comm_times *times)
{
    if (!times)
        return;
    servet_profile_close(times->curves);
    free(times->data);
    free(times);
}

/* --- queries ---------------------------------------------------------------------------------- */

/* Returns the fastest layer, from 0, with both ranks in one group; -1 if there is none. Ranks of
 * one host use layers within hosts, others use layers between hosts. */
static int common_layer(const servet_comm_times *times, const int *a, const int *b)
{
    int between = a[HOST] != b[HOST];
    for (int i = 0; i < times->of.layers; i++) {
        int group = a[FIRST_GROUP + i];
        if (times->layer[i].between_nodes == between && group >= 0 && group == b[FIRST_GROUP + i])
            return i;
    }
    return -1;
}

/* Returns true if the layer of two ranks depends on the core that one of them happens to run on. */
static bool is_unsure(const int *a, const int *b)
{
    bool one_host = a[HOST] == b[HOST], one_core = a[CORE] >= 0 && a[CORE] == b[CORE];
    return one_host && (a[SEVERAL] || b[SEVERAL] || one_core);
}

static int check_ranks(const servet_comm_times *times, int from, int to, servet_error *error)
{
    int ranks = times->of.ranks, wrong = from < 0 || from >= ranks ? from : to;
    if (wrong < 0 || wrong >= ranks)
        return srv_fail(error, SERVET_ERANGE, "no rank %d: the communicator has %d ranks", wrong,
                        ranks);
    if (from == to)
        return srv_fail(error, SERVET_EARGUMENT, "rank %d sends to itself", from);
    return SERVET_OK;
}

int servet_comm_message_time(const servet_comm_times *times, int from, int to, double bytes,
                             servet_value *time, servet_error *error)
{
    servet_value found;
    int code = check_ranks(times, from, to, error);
    if (code != SERVET_OK)
        return code;
    const int *a = row_of(times, from), *b = row_of(times, to);
    int layer = common_layer(times, a, b);
    if (layer < 0)
        return srv_fail(error, SERVET_EUNMEASURED,
                        "no measured layer joins the cores of rank %d and rank %d", from, to);
    code = servet_network_time(times->curves, layer + 1, bytes, &found);
    if (code != SERVET_OK)
        return srv_fail(error, code, "a message of %g bytes from rank %d to rank %d: %s", bytes,
                        from, to, servet_error_text(code));
    found.trusted = found.trusted && times->layer[layer].groups_trusted && !is_unsure(a, b);
    *time = found;
    return SERVET_OK;
}
