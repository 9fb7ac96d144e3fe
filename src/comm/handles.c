/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/mpi.h"

#include "comm/reorder.h"

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
    const srv_sends given = {NULL, sends, ranks, pattern, bytes};
    MPI_Comm made;
    int code = srv_comm_reorder(MPI_Comm_f2c(comm), profile, &given, &made, error);
    *newcomm = MPI_Comm_c2f(made);
    return code;
}

int servet_comm_times_create_f(MPI_Fint comm, const servet_profile *profile,
                               servet_comm_times **times, servet_error *error)
{
    return servet_comm_times_create(MPI_Comm_f2c(comm), profile, times, error);
}
