/* SPDX-License-Identifier: BSD-3-Clause */
/** Durations of the measurements of a job, and how the budget is divided among them. */
#ifndef SRV_MPI_COSTS_H
#define SRV_MPI_COSTS_H

#include <stdio.h>

#include "mpi/scope.h"

/** Seconds without a budget. */
typedef struct mpi_costs {
    double nodes; /**< of all nodes, which measure at the same time, where others disturb them */
    double quiet; /**< the same where they are idle */
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

/** Seconds of a budget (0: no limit) that the nodes get: in proportion to the costs, or all that
 * they need. */
double mpi_costs_of_nodes(const mpi_costs *costs, double budget);

/** One line: "takes about 49 s: node 16 s, layers 3 s, ..." on idle nodes, and the division of a
 * budget. */
void mpi_costs_print(const mpi_costs *costs, double budget, FILE *to);

#endif
