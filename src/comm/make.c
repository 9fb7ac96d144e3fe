/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/make.h"

#include <stdbool.h>
#include <stdlib.h>

static int compute(srv_peers *peers, const servet_profile *profile, srv_colours_find *find,
                   const void *request, srv_colour_key *colour_keys, servet_error *error)
{
    servet_profile *found = NULL;
    int code = profile ? SERVET_OK : servet_profile_open(&found, NULL, error);
    const servet_profile *used = profile ? profile : found;
    if (code == SERVET_OK)
        code = srv_peers_find(peers, used, error);
    if (code == SERVET_OK)
        code = find(request, peers, used, colour_keys, error);
    servet_profile_close(found);
    return code;
}

static int find_colours(srv_peers *peers, const servet_profile *profile, srv_colours_find *find,
                        const void *request, srv_colour_key **colour_keys, servet_error *error)
{
    *colour_keys = calloc((size_t)peers->count, sizeof **colour_keys);
    return *colour_keys ? compute(peers, profile, find, request, *colour_keys, error)
                        : srv_fail_memory(error);
}

/* All ranks report the failure with the text of rank 0. */
static int share_failure(MPI_Comm comm, int code, servet_error *own, servet_error *error)
{
    MPI_Bcast(own, sizeof *own, MPI_BYTE, 0, comm);
    return srv_fail_at(error, code, own->file, own->line, "%s", own->text);
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
    srv_peers peers;
    srv_colour_key *colour_keys = NULL;
    servet_error own = SERVET_ERROR_INIT;
    int rank;
    *newcomm = MPI_COMM_NULL;
    MPI_Comm_rank(comm, &rank);
    int code = srv_peers_gather(comm, &peers);
    if (code != SERVET_OK)
        return srv_fail(error, code, "%s", servet_error_text(code));
    if (rank == 0)
        code = find_colours(&peers, profile, find, request, &colour_keys, &own);
    code = srv_agree_on(comm, code);
    if (code != SERVET_OK)
        share_failure(comm, code, &own, error);
    else if ((code = split(comm, colour_keys, newcomm)) != SERVET_OK)
        srv_fail(error, code, "%s", servet_error_text(code));
    free(colour_keys);
    srv_peers_finish(&peers);
    return code;
}
