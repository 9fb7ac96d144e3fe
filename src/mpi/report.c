/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/report.h"

#include <stdio.h>

void mpi_report_nodes(const mpi_nodes *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const mpi_node *node = &nodes->node[i];
        if (node->error.code != SERVET_OK)
            printf("Attention: node %s was not measured: %s\n", node->name, node->error.text);
        else if (!node->difference.alike)
            printf("Attention: node %s is %s: %s\n", node->name,
                   node->difference.slower ? "slower than the others" : "unlike the others",
                   node->difference.text);
    }
}
