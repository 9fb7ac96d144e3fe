/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/mpi.h"

int servet_comm_split_layer_f(MPI_Fint comm, const servet_profile *profile, int layer,
                              MPI_Fint *newcomm, servet_error *error)
{
    MPI_Comm made;
    int code = servet_comm_split_layer_by(MPI_Comm_f2c(comm), profile, layer, &made, error);
    *newcomm = MPI_Comm_c2f(made);
    return code;
}

int servet_comm_reorder_f(MPI_Fint comm, const servet_profile *profile, MPI_Fint *newcomm,
                          servet_error *error)
{
    MPI_Comm made;
    int code = servet_comm_reorder_by(MPI_Comm_f2c(comm), profile, &made, error);
    *newcomm = MPI_Comm_c2f(made);
    return code;
}
