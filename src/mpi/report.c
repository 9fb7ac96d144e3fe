/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/report.h"

#include <stdio.h>

#include "run/classes.h"

static void report_class(const servet_profile *profile, int node_class)
{
    servet_at at = {.node_class = servet_profile_class_name(profile, node_class),
                    .core = SERVET_ANY_CORE};
    srv_difference difference = srv_compare_classes(profile, 0, profile, node_class);
    const char *name;
    for (int i = 0; (name = servet_profile_node(profile, &at, i)); i++)
        printf("warning: node %s is %s: %s\n", name,
               difference.slower ? "slower than the others" : "different from the others",
               difference.text);
}

void mpi_report_nodes(srv_network *network, const mpi_nodes *nodes, const servet_profile *profile)
{
    const srv_rank *ranks;
    const srv_network_node *names;
    int rank_count, count, node_class;
    network->ops->describe(network, &ranks, &rank_count, &names, &count, NULL);
    for (int i = 0; i < count; i++)
        if (servet_profile_class_of(profile, names[i].name, &node_class) != SERVET_OK)
            printf("warning: node %s was not measured%s%s\n", names[i].name,
                   i < nodes->count ? ": " : "", i < nodes->count ? nodes->error[i].text : "");
    for (int i = 1; i < servet_profile_class_count(profile); i++)
        report_class(profile, i);
}
