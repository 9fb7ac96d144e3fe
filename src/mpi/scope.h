/* SPDX-License-Identifier: BSD-3-Clause */
/** The scope of a measurement: benchmarks, sizes and limits of a job. */
#ifndef SRV_MPI_SCOPE_H
#define SRV_MPI_SCOPE_H

#include "run/network/network.h"

typedef struct mpi_scope {
    bool nodes;                  /**< measure each node */
    bool messages;               /**< measure messages between ranks, with the options `network` */
    srv_network_options network; /**< options without a budget */
    double budget;               /**< budget of the whole measurement, s; 0: no limit */
    char command[SERVET_TEXT_MAX]; /**< the options as the user gave them, for the record */
} mpi_scope;

#endif
