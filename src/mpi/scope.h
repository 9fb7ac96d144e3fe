/* SPDX-License-Identifier: BSD-3-Clause */
/** The scope of a measurement: benchmarks, sizes and limits of a job. */
#ifndef SRV_MPI_SCOPE_H
#define SRV_MPI_SCOPE_H

#include "run/network/network.h"

typedef struct mpi_scope {
    bool nodes;         /**< each by itself */
    unsigned network;   /**< srv_network_options.only; 0: nothing */
    double layer_bytes; /**< this and the next three as in srv_network_options */
    double message_bytes;
    int first_nodes;
    const srv_buffers *buffers;
    double budget;                 /**< s, of all; 0: no limit */
    char command[SERVET_TEXT_MAX]; /**< the options as the user gave them, for the record */
} mpi_scope;

/** The requested measurements of the network, without a budget. */
srv_network_options mpi_scope_network(const mpi_scope *scope);

#endif
