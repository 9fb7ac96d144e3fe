/* SPDX-License-Identifier: BSD-3-Clause */
/** The scope of a measurement: benchmarks, sizes and limits of a job. */
#ifndef SRV_MPI_SCOPE_H
#define SRV_MPI_SCOPE_H

#include "run/network/network.h"

typedef struct mpi_scope {
    bool nodes;                    /**< each by itself */
    bool messages;                 /**< between ranks, as `network` says */
    srv_network_options network;   /**< without a budget */
    double budget;                 /**< s, of all; 0: no limit */
    char command[SERVET_TEXT_MAX]; /**< the options as the user gave them, for the record */
} mpi_scope;

#endif
