/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/rank_table.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

static int machine_of(const srv_rank_table *table, const srv_rank_location *locations, int node)
{
    const char *own = locations[table->leader[node]].boot;
    int machine = 0;
    while (strcmp(locations[table->leader[machine]].boot, own) != 0)
        machine++;
    return machine;
}

/* A leader comes before the other ranks of its node. */
static void number_nodes(srv_rank_table *table, const srv_rank_location *locations)
{
    for (int i = 0; i < table->rank_count; i++) {
        bool leads = locations[i].leader == i;
        int node = leads ? table->node_count : table->rank[locations[i].leader].node;
        if (leads) {
            table->leader[table->node_count++] = i;
            table->node[node] = (srv_network_node){0};
            table->node[node].machine = machine_of(table, locations, node);
            memcpy(table->node[node].name, locations[i].host, sizeof locations[i].host);
        }
        table->rank[i] = (srv_rank){node, locations[i].core};
        table->node[node].rank_count++;
    }
}

int srv_rank_table_init(srv_rank_table *table, const srv_rank_location *locations, int rank_count,
                        servet_error *error)
{
    size_t n = (size_t)rank_count, nodes = 0;
    for (int i = 0; i < rank_count; i++)
        nodes += locations[i].leader == i;
    *table = (srv_rank_table){
        .rank = malloc(n * sizeof *table->rank),
        .rank_count = rank_count,
        .node = malloc(nodes * sizeof *table->node),
        .leader = malloc(nodes * sizeof *table->leader),
    };
    bool allocated = table->rank && table->node && table->leader;
    if (allocated)
        number_nodes(table, locations);
    int code = allocated ? srv_ranks_list_cores(table->rank, rank_count, table->node, error)
                         : srv_fail_memory(error);
    if (code != SERVET_OK)
        srv_rank_table_finish(table);
    return code;
}

int srv_rank_table_renumber(srv_rank_table *table, const int *number, servet_error *error)
{
    size_t n = (size_t)table->node_count;
    srv_network_node *node = malloc(n * sizeof *node);
    int *leader = malloc(n * sizeof *leader);
    if (!node || !leader) {
        free(node);
        free(leader);
        return srv_fail_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        node[number[i]] = table->node[i];
        node[number[i]].machine = number[table->node[i].machine];
        leader[number[i]] = table->leader[i];
    }
    for (int i = 0; i < table->rank_count; i++)
        table->rank[i].node = number[table->rank[i].node];
    free(table->node);
    free(table->leader);
    table->node = node;
    table->leader = leader;
    return SERVET_OK;
}

int srv_rank_table_share_cores(const srv_rank_table *table, int *share, servet_error *error)
{
    int *sorted = srv_ranks_by_core(table->rank, table->rank_count, table->node);
    if (!sorted)
        return srv_fail_memory(error);
    *share = 0;
    for (int i = 1; i < table->rank_count; i++) {
        const srv_rank *a = &table->rank[sorted[i - 1]], *b = &table->rank[sorted[i]];
        bool same = table->node[a->node].machine == table->node[b->node].machine;
        *share = *share || (same && a->core == b->core);
    }
    free(sorted);
    return SERVET_OK;
}

void srv_rank_table_finish(srv_rank_table *table)
{
    free(table->rank);
    free(table->node);
    free(table->leader);
    *table = (srv_rank_table){0};
}
