/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/roster.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The PUs of a node's ranks; with more ranks than PUs, several sit on one. */
static void write_cores(const srv_roster *roster, int node, int *cores)
{
    int count = 0, different = 0;
    for (int i = roster->leader[node]; i < roster->rank_count; i++)
        if (roster->rank[i].node == node)
            cores[count++] = roster->rank[i].core;
    qsort(cores, (size_t)count, sizeof *cores, ascending);
    for (int i = 0; i < count; i++)
        if (i == 0 || cores[i] != cores[i - 1])
            cores[different++] = cores[i];
    char *text = roster->node[node].cores;
    while (!srv_ranges_write(cores, different, text, SERVET_CORES_MAX))
        different /= 2;
}

static int machine_of(const srv_roster *roster, const srv_seat *seats, int node)
{
    const char *own = seats[roster->leader[node]].boot;
    int machine = 0;
    while (strcmp(seats[roster->leader[machine]].boot, own) != 0)
        machine++;
    return machine;
}

/* A leader comes before the other ranks of its node. */
static void number_nodes(srv_roster *roster, const srv_seat *seats)
{
    for (int i = 0; i < roster->rank_count; i++) {
        bool leads = seats[i].leader == i;
        int node = leads ? roster->node_count : roster->rank[seats[i].leader].node;
        if (leads) {
            roster->leader[roster->node_count++] = i;
            roster->node[node] = (srv_network_node){0};
            roster->node[node].machine = machine_of(roster, seats, node);
            memcpy(roster->node[node].name, seats[i].host, sizeof seats[i].host);
        }
        roster->rank[i] = (srv_rank){node, seats[i].core};
        roster->node[node].rank_count++;
    }
}

int srv_roster_init(srv_roster *roster, const srv_seat *seats, int rank_count, servet_error *error)
{
    size_t n = (size_t)rank_count, nodes = 0;
    for (int i = 0; i < rank_count; i++)
        nodes += seats[i].leader == i;
    *roster = (srv_roster){
        .rank = malloc(n * sizeof *roster->rank),
        .rank_count = rank_count,
        .node = malloc(nodes * sizeof *roster->node),
        .leader = malloc(nodes * sizeof *roster->leader),
    };
    int *cores = malloc(n * sizeof *cores);
    bool allocated = roster->rank && roster->node && roster->leader && cores;
    if (allocated) {
        number_nodes(roster, seats);
        for (int i = 0; i < roster->node_count; i++)
            write_cores(roster, i, cores);
    } else
        srv_roster_finish(roster);
    free(cores);
    return allocated ? SERVET_OK : srv_fail_memory(error);
}

int srv_roster_renumber(srv_roster *roster, const int *number, servet_error *error)
{
    size_t n = (size_t)roster->node_count;
    srv_network_node *node = malloc(n * sizeof *node);
    int *leader = malloc(n * sizeof *leader);
    if (!node || !leader) {
        free(node);
        free(leader);
        return srv_fail_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        node[number[i]] = roster->node[i];
        node[number[i]].machine = number[roster->node[i].machine];
        leader[number[i]] = roster->leader[i];
    }
    for (int i = 0; i < roster->rank_count; i++)
        roster->rank[i].node = number[roster->rank[i].node];
    free(roster->node);
    free(roster->leader);
    roster->node = node;
    roster->leader = leader;
    return SERVET_OK;
}

void srv_roster_finish(srv_roster *roster)
{
    free(roster->rank);
    free(roster->node);
    free(roster->leader);
    *roster = (srv_roster){0};
}
