/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/rank_table.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The PUs of a node's ranks; with more ranks than PUs, several share one. */
static void write_cores(const srv_rank_table *table, int node, int *cores)
{
    int count = 0, different = 0;
    for (int i = table->leader[node]; i < table->rank_count; i++)
        if (table->rank[i].node == node)
            cores[count++] = table->rank[i].core;
    qsort(cores, (size_t)count, sizeof *cores, ascending);
    for (int i = 0; i < count; i++)
        if (i == 0 || cores[i] != cores[i - 1])
            cores[different++] = cores[i];
    char *text = table->node[node].cores;
    while (!srv_ranges_write(cores, different, text, SERVET_CORES_MAX))
        different /= 2;
}

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
    int *cores = malloc(n * sizeof *cores);
    bool allocated = table->rank && table->node && table->leader && cores;
    if (allocated) {
        number_nodes(table, locations);
        for (int i = 0; i < table->node_count; i++)
            write_cores(table, i, cores);
    } else
        srv_rank_table_finish(table);
    free(cores);
    return allocated ? SERVET_OK : srv_fail_memory(error);
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

/* The machine and PU of a rank. */
typedef struct place {
    int machine, core;
} place;

static int by_place(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->machine != y->machine ? x->machine - y->machine : x->core - y->core;
}

int srv_rank_table_share_cores(const srv_rank_table *table, int *share, servet_error *error)
{
    place *places = malloc((size_t)table->rank_count * sizeof *places);
    if (!places)
        return srv_fail_memory(error);
    for (int i = 0; i < table->rank_count; i++)
        places[i] = (place){table->node[table->rank[i].node].machine, table->rank[i].core};
    qsort(places, (size_t)table->rank_count, sizeof *places, by_place);
    *share = 0;
    for (int i = 1; i < table->rank_count; i++)
        *share = *share || by_place(&places[i - 1], &places[i]) == 0;
    free(places);
    return SERVET_OK;
}

void srv_rank_table_finish(srv_rank_table *table)
{
    free(table->rank);
    free(table->node);
    free(table->leader);
    *table = (srv_rank_table){0};
}
