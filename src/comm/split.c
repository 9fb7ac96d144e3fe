/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "comm/groups.h"
#include "comm/make.h"
#include "servet/mpi.h"

static int find_colours(const void *request, const srv_peers *peers, const servet_profile *profile,
                        srv_colour_key *colour_keys, servet_error *error)
{
    const int *layer = request;
    int *group = malloc((size_t)peers->count * sizeof *group);
    if (!group)
        return srv_fail_memory(error);
    int code = srv_groups_find(peers, profile, *layer, group, error);
    for (int i = 0; i < peers->count && code == SERVET_OK; i++)
        colour_keys[i] = (srv_colour_key){.colour = group[i], .key = i};
    free(group);
    return code;
}

int servet_comm_split_layer_by(MPI_Comm comm, const servet_profile *profile, int layer,
                               MPI_Comm *newcomm, servet_error *error)
{
    return srv_comm_make(comm, profile, find_colours, &layer, newcomm, error);
}

int servet_comm_split_layer(MPI_Comm comm, int layer, MPI_Comm *newcomm)
{
    return servet_comm_split_layer_by(comm, NULL, layer, newcomm, NULL);
}
