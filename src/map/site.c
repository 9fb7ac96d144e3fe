/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/site.h"

#include <stdint.h>
#include <stdlib.h>

#include "core/error.h"
#include "profile/seats.h"
#include "servet/network.h"

void srv_site_finish(srv_site *site)
{
    free(site->layer);
    free(site->group);
    free(site->group_count);
    free(site->order);
    *site = (srv_site){0};
}

const int *srv_site_groups(const srv_site *site, int seat)
{
    return &site->group[(size_t)seat * (size_t)site->levels];
}

int srv_site_meeting(const srv_site *site, int a, int b)
{
    const int *of_a = srv_site_groups(site, a), *of_b = srv_site_groups(site, b);
    int level = 0;
    while (of_a[level] != of_b[level])
        level++;
    return level;
}

/* --- levels ----------------------------------------------------------------------------------- */

/* The layers within nodes or between them, from level `level` on; returns the level behind them. */
static int list_layers(srv_site *site, const servet_profile *profile, int count, bool between_nodes,
                       int level)
{
    servet_network_layer layer;
    for (int number = 1; number <= count; number++)
        if (servet_network_layer_get(profile, number, &layer) == SERVET_OK &&
            layer.between_nodes == between_nodes)
            site->layer[level++] = number;
    return level;
}

/* Messages that meet in a node, but in none of its layers, have the price of the farthest of these;
 * those that meet nowhere, that of the farthest of all. */
static int list_levels(srv_site *site, const servet_profile *profile, servet_error *error)
{
    int layers = 0;
    (void)servet_network_layer_count(profile, &layers);
    if (layers == 0)
        return srv_fail(
            error, SERVET_EUNMEASURED,
            "the profile does not say what messages cost: servet-mpi measure finds out");
    site->levels = layers + 2;
    site->layer = calloc((size_t)site->levels, sizeof *site->layer);
    site->group_count = calloc((size_t)site->levels, sizeof *site->group_count);
    if (!site->layer || !site->group_count)
        return srv_fail_memory(error);
    site->node_level = list_layers(site, profile, layers, false, 0);
    site->layer[site->node_level] = site->node_level > 0 ? site->layer[site->node_level - 1] : 1;
    int last = list_layers(site, profile, layers, true, site->node_level + 1);
    site->layer[last] = site->layer[last - 1];
    return SERVET_OK;
}

/* --- groups ----------------------------------------------------------------------------------- */

/* A seat and a number that is the same for all in one group of a level. */
typedef struct keyed {
    int64_t key;
    int seat;
} keyed;

/* Above any number of a group. */
static const int64_t alone = (int64_t)1 << 31;

/* The group of a node in a layer between nodes: that of its first core. */
static int group_of_node(const srv_seats *seats, int node, int layer)
{
    if (!seats || node < 0 || node >= seats->node_count || !seats->group ||
        seats->begin[node] == seats->begin[node + 1])
        return -1;
    servet_place first = {node, seats->core[seats->begin[node]]};
    return srv_seats_groups(seats, first)[layer - 1];
}

static int group_of_core(const srv_seats *seats, const srv_map_seat *seat, int layer)
{
    const int *groups = srv_seats_groups(seats, (servet_place){seat->like, seat->core});
    return groups ? groups[layer - 1] : -1;
}

static int64_t key_of(const srv_site *site, const srv_seats *known, const srv_map_seat *seat,
                      int number, int level)
{
    int64_t node = (int64_t)seat->node;
    if (level == site->levels - 1)
        return 0;
    if (level == site->node_level)
        return node;
    if (level > site->node_level) {
        int group = group_of_node(known, seat->job_node, site->layer[level]);
        return group >= 0 ? group : alone + node;
    }
    int group = group_of_core(known, seat, site->layer[level]);
    return node << 32 | (group >= 0 ? group : alone + number);
}

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->seat > y->seat) - (x->seat < y->seat);
}

/* Numbers the groups of a level. */
static void find_groups(srv_site *site, const srv_seats *known, const srv_map_seat *seats,
                        int level, keyed *items)
{
    for (int s = 0; s < site->count; s++)
        items[s] = (keyed){key_of(site, known, &seats[s], s, level), s};
    qsort(items, (size_t)site->count, sizeof *items, by_key);
    int group = -1;
    for (int i = 0; i < site->count; i++) {
        group += i == 0 || items[i].key != items[i - 1].key;
        site->group[(size_t)items[i].seat * (size_t)site->levels + (size_t)level] = group;
    }
    site->group_count[level] = group + 1;
}

/* Groups of a level lie within those of the next, so sorting by the nearest, then by the next, and
 * so on leaves those of each side by side; equal ones stay in their order. */
static void sort_by_group(srv_site *site, int level, int *begin, int *sorted)
{
    int groups = site->group_count[level];
    for (int g = 0; g <= groups; g++)
        begin[g] = 0;
    for (int i = 0; i < site->count; i++)
        begin[srv_site_groups(site, i)[level] + 1]++;
    for (int g = 0; g < groups; g++)
        begin[g + 1] += begin[g];
    for (int i = 0; i < site->count; i++)
        sorted[begin[srv_site_groups(site, site->order[i])[level]]++] = site->order[i];
    for (int i = 0; i < site->count; i++)
        site->order[i] = sorted[i];
}

int srv_site_begin(srv_site *site, const servet_profile *profile, const srv_map_seat *seats,
                   int count, servet_error *error)
{
    size_t n = (size_t)count;
    site->count = count;
    int code = list_levels(site, profile, error);
    if (code != SERVET_OK)
        return code;
    site->group = calloc(n * (size_t)site->levels, sizeof *site->group);
    site->order = calloc(n, sizeof *site->order);
    keyed *items = calloc(n, sizeof *items);
    int *work = calloc(2 * n + 2, sizeof *work);
    bool allocated = site->group && site->order && items && work;
    for (int s = 0; allocated && s < count; s++)
        site->order[s] = s;
    for (int level = 0; allocated && level < site->levels; level++) {
        find_groups(site, profile->seats, seats, level, items);
        sort_by_group(site, level, work, work + n + 1);
    }
    free(items);
    free(work);
    return allocated ? SERVET_OK : srv_fail_memory(error);
}
