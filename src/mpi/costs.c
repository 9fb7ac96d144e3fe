/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/costs.h"

#include <math.h>

#include "servet/measure.h"

int mpi_costs_find(srv_network *network, const mpi_scope *scope, servet_profile *profile,
                   bool nodes_left, mpi_costs *costs, servet_error *error)
{
    servet_measure_options of_node = SERVET_MEASURE_OPTIONS_INIT;
    int code = SERVET_OK;
    *costs = (mpi_costs){.nodes = 0};
    if (nodes_left)
        code = servet_measure_cost(&of_node, &costs->quiet, &costs->nodes, error);
    if (code == SERVET_OK && scope->messages)
        code = srv_network_cost(network, &scope->network, profile, &costs->network, error);
    costs->all = costs->nodes + costs->network.all;
    return code;
}

double mpi_costs_of_nodes(const mpi_costs *costs, double budget)
{
    return budget < costs->all ? budget * (costs->nodes / costs->all) : budget - costs->network.all;
}

static void print_parts(const mpi_costs *costs, FILE *to)
{
    const char *between = ":";
    if (costs->nodes > 0) {
        fprintf(to, "%s node %.0f s", between, costs->quiet);
        between = ",";
    }
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT; i++)
        if (costs->network.seconds[i] > 0) {
            fprintf(to, "%s %s %.0f s", between,
                    srv_network_benchmark_name((srv_network_benchmark)i),
                    ceil(costs->network.seconds[i]));
            between = ",";
        }
}

void mpi_costs_print(const mpi_costs *costs, double budget, FILE *to)
{
    double of_nodes = mpi_costs_of_nodes(costs, budget);
    fprintf(to, "takes about %.0f s", costs->quiet + costs->network.all);
    print_parts(costs, to);
    if (budget > 0 && budget < costs->all)
        fprintf(to, "; budget %.4g s, shared as if nodes were busy: nodes %.0f s, network %.0f s",
                budget, of_nodes, budget - of_nodes);
    fprintf(to, "\n");
}
