/* SPDX-License-Identifier: BSD-3-Clause */
/** Estimates the durations of the measurements of a job, and divides the budget among them. */
#ifndef SRV_MPI_COSTS_H
#define SRV_MPI_COSTS_H

#include <stdio.h>

#include "run/network/network.h"

/** The scope of a measurement: benchmarks, sizes and limits of a job. */
typedef struct mpi_scope {
    bool nodes;                  /**< measure each node */
    bool messages;               /**< measure messages between ranks, with the options `network` */
    srv_network_options network; /**< options without a budget */
    double budget;               /**< budget of the whole measurement, s; 0: no limit */
    char command[SERVET_TEXT_MAX]; /**< the options as the user gave them, for the record */
} mpi_scope;

/** Seconds without a budget. */
typedef struct mpi_costs {
    double nodes; /**< of all nodes, which measure at the same time, if others disturb them */
    double quiet; /**< of all nodes if they are idle */
    srv_network_costs network;
    double all;
} mpi_costs;

/**
 * The cost of the request, without the facts that the profile (NULL: none) already has;
 * `nodes_left`: whether any node is still to be measured. Sends a few messages. Errors: those of
 * srv_network_cost() and servet_measure_cost().
 */
int mpi_costs_find(srv_network *network, const mpi_scope *scope, servet_profile *profile,
                   bool nodes_left, mpi_costs *costs, servet_error *error);

/** Returns the seconds of a budget (0: no limit) that the nodes get, or 0: a part in proportion to
 * the costs, or what the network leaves of a larger budget. */
double mpi_costs_of_nodes(const mpi_costs *costs, double budget);

/** Prints one line: "takes about 49 s: node 16 s, layers 3 s, ..." for idle nodes, and the division
 * of the budget. */
void mpi_costs_print(const mpi_costs *costs, double budget, FILE *to);

#endif
