/* SPDX-License-Identifier: BSD-3-Clause */
/** The types of MPI that servet/mpi.h names, to read that header where there is no MPI. */
#ifndef SRV_TESTS_ABI_STUB_MPI_H
#define SRV_TESTS_ABI_STUB_MPI_H

typedef struct stub_comm *MPI_Comm;
typedef int MPI_Fint;

#endif
