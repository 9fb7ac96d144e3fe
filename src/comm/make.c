/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/make.h"

#include <stdbool.h>
#include <stdlib.h>

static int think(srv_peers *peers, const servet_profile *profile, srv_lots_find *find,
                 const void *question, srv_lot *lots, servet_error *error)
{
    servet_profile *found = NULL;
    int code = profile ? SERVET_OK : servet_profile_open(&found, NULL, error);
    const servet_profile *used = profile ? profile : found;
    if (code == SERVET_OK)
        code = srv_peers_find(peers, used, error);
    if (code == SERVET_OK)
        code = find(question, peers, used, lots, error);
    servet_profile_close(found);
    return code;
}

static int find_lots(srv_peers *peers, const servet_profile *profile, srv_lots_find *find,
                     const void *question, srv_lot **lots, servet_error *error)
{
    *lots = calloc((size_t)peers->count, sizeof **lots);
    return *lots ? think(peers, profile, find, question, *lots, error) : srv_fail_memory(error);
}

/* What rank 0 has to say of a failure is what all ranks say. */
static int share_failure(MPI_Comm comm, int code, servet_error *own, servet_error *error)
{
    MPI_Bcast(own, sizeof *own, MPI_BYTE, 0, comm);
    return srv_fail_at(error, code, own->file, own->line, "%s", own->text);
}

static int split(MPI_Comm comm, const srv_lot *lots, MPI_Comm *newcomm)
{
    srv_lot own;
    bool done = MPI_Scatter(lots, 2, MPI_INT, &own, 2, MPI_INT, 0, comm) == MPI_SUCCESS &&
                MPI_Comm_split(comm, own.colour, own.key, newcomm) == MPI_SUCCESS;
    return done ? SERVET_OK : SERVET_ECOMMUNICATION;
}

int srv_comm_make(MPI_Comm comm, const servet_profile *profile, srv_lots_find *find,
                  const void *question, MPI_Comm *newcomm, servet_error *error)
{
    srv_peers peers;
    srv_lot *lots = NULL;
    servet_error own = SERVET_ERROR_INIT;
    int rank;
    *newcomm = MPI_COMM_NULL;
    MPI_Comm_rank(comm, &rank);
    int code = srv_peers_gather(comm, &peers);
    if (code != SERVET_OK)
        return srv_fail(error, code, "%s", servet_error_text(code));
    if (rank == 0)
        code = find_lots(&peers, profile, find, question, &lots, &own);
    code = srv_agree_on(comm, code);
    if (code != SERVET_OK)
        share_failure(comm, code, &own, error);
    else if ((code = split(comm, lots, newcomm)) != SERVET_OK)
        srv_fail(error, code, "%s", servet_error_text(code));
    free(lots);
    srv_peers_finish(&peers);
    return code;
}
