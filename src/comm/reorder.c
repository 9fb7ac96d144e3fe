/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "comm/make.h"
#include "comm/order.h"
#include "servet/mpi.h"

static int find_lots(const void *question, const srv_peers *peers, const servet_profile *profile,
                     srv_lot *lots, servet_error *error)
{
    (void)question;
    int *order = malloc((size_t)peers->count * sizeof *order);
    if (!order)
        return srv_fail_memory(error);
    int code = srv_order_find(peers, profile, order, error);
    for (int i = 0; i < peers->count && code == SERVET_OK; i++)
        lots[order[i]].key = i;
    free(order);
    return code;
}

int servet_comm_reorder_by(MPI_Comm comm, const servet_profile *profile, MPI_Comm *newcomm,
                           servet_error *error)
{
    return srv_comm_make(comm, profile, find_lots, NULL, newcomm, error);
}

int servet_comm_reorder(MPI_Comm comm, MPI_Comm *newcomm)
{
    return servet_comm_reorder_by(comm, NULL, newcomm, NULL);
}
