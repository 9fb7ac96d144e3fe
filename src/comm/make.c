/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/make.h"

#include <stdbool.h>
#include <stdlib.h>

#include "comm/groups.h"
#include "servet/mpi.h"

/* --- on rank 0 -------------------------------------------------------------------------------- */

static int compute(srv_peers *peers, const servet_profile *profile, srv_comm_work *work,
                   void *context, servet_error *error)
{
    servet_profile *found = NULL;
    int code = profile ? SERVET_OK : servet_profile_open(&found, NULL, error);
    const servet_profile *used = profile ? profile : found;
    if (code == SERVET_OK)
        code = srv_peers_find(peers, used, error);
    if (code == SERVET_OK)
        code = work(context, peers, used, error);
    servet_profile_close(found);
    return code;
}

/* Sends the failure of rank 0, with its text, to all ranks. */
static int share_failure(MPI_Comm comm, int code, servet_error *own, servet_error *error)
{
    MPI_Bcast(own, sizeof *own, MPI_BYTE, 0, comm);
    return srv_fail_at(error, code, own->file, own->line, "%s", own->text);
}

int srv_comm_compute(MPI_Comm comm, const servet_profile *profile, srv_comm_work *work,
                     void *context, servet_error *error)
{
    srv_peers peers;
    servet_error own = SERVET_ERROR_INIT;
    int rank;
    MPI_Comm_rank(comm, &rank);
    int code = srv_peers_gather(comm, &peers);
    if (code != SERVET_OK)
        return srv_fail(error, code, "%s", servet_error_text(code));
    if (rank == 0)
        code = compute(&peers, profile, work, context, &own);
    srv_peers_finish(&peers);
    code = srv_agree_on(comm, code);
    return code == SERVET_OK ? code : share_failure(comm, code, &own, error);
}

/* --- communicators ---------------------------------------------------------------------------- */

/* Input and result of colouring, which rank 0 owns. */
typedef struct colouring {
    srv_colours_find *find;
    const void *request;
    srv_colour_key *colour_keys;
} colouring;

static int find_colours(void *context, const srv_peers *peers, const servet_profile *profile,
                        servet_error *error)
{
    colouring *on = context;
    on->colour_keys = calloc((size_t)peers->count, sizeof *on->colour_keys);
    return on->colour_keys ? on->find(on->request, peers, profile, on->colour_keys, error)
                           : srv_fail_memory(error);
}

static int split(MPI_Comm comm, const srv_colour_key *colour_keys, MPI_Comm *newcomm)
{
    srv_colour_key own;
    bool done = MPI_Scatter(colour_keys, 2, MPI_INT, &own, 2, MPI_INT, 0, comm) == MPI_SUCCESS &&
                MPI_Comm_split(comm, own.colour, own.key, newcomm) == MPI_SUCCESS;
    return done ? SERVET_OK : SERVET_ECOMMUNICATION;
}

int srv_comm_make(MPI_Comm comm, const servet_profile *profile, srv_colours_find *find,
                  const void *request, MPI_Comm *newcomm, servet_error *error)
{
    colouring on = {find, request, NULL};
    *newcomm = MPI_COMM_NULL;
    int code = srv_comm_compute(comm, profile, find_colours, &on, error);
    if (code == SERVET_OK && (code = split(comm, on.colour_keys, newcomm)) != SERVET_OK)
        srv_fail(error, code, "%s", servet_error_text(code));
    free(on.colour_keys);
    return code;
}

static int split_layer(const void *request, const srv_peers *peers, const servet_profile *profile,
                       srv_colour_key *colour_keys, servet_error *error)
{
    const int *layer = request;
    int *group = malloc((size_t)peers->count * sizeof *group);
    if (!group)
        return srv_fail_memory(error);
    int code = srv_groups_find(peers, profile, *layer, true, group, error);
    for (int i = 0; i < peers->count && code == SERVET_OK; i++)
        colour_keys[i] = (srv_colour_key){.colour = group[i], .key = i};
    free(group);
    return code;
}

int servet_comm_split_layer_by(MPI_Comm comm, const servet_profile *profile, int layer,
                               MPI_Comm *newcomm, servet_error *error)
{
    return srv_comm_make(comm, profile, split_layer, &layer, newcomm, error);
}

int servet_comm_split_layer(MPI_Comm comm, int layer, MPI_Comm *newcomm)
{
    return servet_comm_split_layer_by(comm, NULL, layer, newcomm, NULL);
}
