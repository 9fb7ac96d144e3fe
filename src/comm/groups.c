/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/groups.h"

#include <stdlib.h>

#include "core/places.h"
#include "core/ranges.h"

/* --- the cores of a layer --------------------------------------------------------------------- */

/* A core of the job that measured. */
typedef struct member {
    int node, core, group;
} member;

typedef struct layer_table {
    int layer, group_count;
    bool between_nodes;
    member *member; /* by node, then by core */
    int count;
} layer_table;

/* Visits the cores of all groups. Returns their number, and stores the cores if there is room. */
static int list_members(const servet_profile *profile, const layer_table *table, member *room)
{
    const char *places;
    srv_places_part part;
    int count = 0;
    for (int g = 0; g < table->group_count; g++) {
        if (servet_network_group(profile, table->layer, g, &places) != SERVET_OK)
            break;
        while (srv_places_next(&places, &part))
            for (int node = part.first_node; node <= part.last_node; node++)
                for (int core = part.first_core; core <= part.last_core; core++, count++)
                    if (room)
                        room[count] = (member){node, core, g};
    }
    return count;
}

static int by_place(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->core > y->core) - (x->core < y->core);
}

static int begin_table(layer_table *table, const servet_profile *profile, int layer,
                       servet_error *error)
{
    servet_network_layer found;
    *table = (layer_table){.layer = layer};
    int code = servet_network_layer_get(profile, layer, &found);
    if (code == SERVET_OK)
        code = servet_network_group_count(profile, layer, &table->group_count);
    if (code == SERVET_EUNMEASURED)
        return srv_fail(error, code, "the profile has no communication layers");
    if (code == SERVET_EUNTRUSTED)
        return srv_fail(error, code, "communication layer %d: not trusted", layer);
    if (code != SERVET_OK)
        return srv_fail(error, code, "the profile has no layer %d", layer);
    table->between_nodes = found.between_nodes;
    table->count = list_members(profile, table, NULL);
    table->member = malloc(((size_t)table->count + 1) * sizeof *table->member);
    if (!table->member)
        return srv_fail_memory(error);
    list_members(profile, table, table->member);
    qsort(table->member, (size_t)table->count, sizeof *table->member, by_place);
    return SERVET_OK;
}

/* The first member that is not before the place. */
static const member *lower_bound(const layer_table *table, int node, int core)
{
    const member place = {node, core, 0};
    int low = 0, high = table->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (by_place(&table->member[middle], &place) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return &table->member[low];
}

static int group_of_core(const layer_table *table, int node, int core)
{
    const member *found = lower_bound(table, node, core);
    bool there = found < table->member + table->count && found->node == node && found->core == core;
    return there ? found->group : -1;
}

/* Returns the group of a node in a layer between nodes: all its cores are in one group. */
static int group_of_node(const layer_table *table, int node)
{
    const member *found = lower_bound(table, node, 0);
    if (node >= 0 && found < table->member + table->count && found->node == node)
        return found->group;
    return table->group_count == 1 ? 0 : -1;
}

/* --- the ranks -------------------------------------------------------------------------------- */

/* The first group of the cores that a rank may run on, and another one if there are several; -1:
 * none. */
typedef struct found_groups {
    int first, last;
} found_groups;

static found_groups groups_of_peer(const layer_table *table, const srv_peers *peers, int rank)
{
    const srv_host *host = &peers->host[peers->peer[rank].host];
    const char *cores = peers->peer[rank].cores;
    found_groups found = {-1, -1};
    int first, last;
    if (table->between_nodes)
        found.first = found.last = group_of_node(table, host->node);
    else if (host->like >= 0)
        while (srv_ranges_next(&cores, &first, &last))
            for (int core = first; core <= last; core++) {
                int group = group_of_core(table, host->like, core);
                if (group >= 0 && (found.first < 0 || found.last == found.first))
                    found.last = group;
                if (group >= 0 && found.first < 0)
                    found.first = group;
            }
    return found;
}

static int fail_peer(const layer_table *table, const srv_peers *peers, int rank,
                     servet_error *error)
{
    const srv_peer *peer = &peers->peer[rank];
    const srv_host *host = &peers->host[peer->host];
    if (table->between_nodes || host->like < 0)
        return srv_fail(error, SERVET_ENOTFOUND,
                        "rank %d is on %.64s, for which the profile has no group of layer %d", rank,
                        host->name, table->layer);
    return srv_fail(error, SERVET_ENOTFOUND,
                    "rank %d may run on cores %.64s of %.64s, none of which was measured", rank,
                    *peer->cores ? peer->cores : "?", host->name);
}

static int check_peer(const layer_table *table, const srv_peers *peers, int rank,
                      const found_groups *found, servet_error *error)
{
    const srv_peer *peer = &peers->peer[rank];
    if (found->first < 0)
        return fail_peer(table, peers, rank, error);
    if (found->first == found->last)
        return SERVET_OK;
    return srv_fail(error, SERVET_EARGUMENT,
                    "rank %d may run on cores %.64s of %.64s, which are in several groups of layer "
                    "%d: bind the rank",
                    rank, peer->cores, peers->host[peer->host].name, table->layer);
}

/* --- numbering -------------------------------------------------------------------------------- */

/* A name for each rank; ranks of one group have the same name. */
typedef struct badge {
    long long major, minor;
    int rank;
} badge;

static badge badge_of(const layer_table *table, const srv_peers *peers, int rank, int group)
{
    const srv_peer *peer = &peers->peer[rank];
    const long long unknown = -1;
    if (group >= 0)
        return (badge){table->between_nodes ? 0 : peer->host, group, rank};
    if (table->between_nodes)
        return (badge){unknown, peer->host, rank};
    return (badge){peer->host, unknown - atoi(peer->cores), rank};
}

static int by_badge(const void *a, const void *b)
{
    const badge *x = a, *y = b;
    if (x->major != y->major)
        return x->major < y->major ? -1 : 1;
    if (x->minor != y->minor)
        return x->minor < y->minor ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Sorts the names, so that the first rank of each group comes first, and names the group after it.
 */
static void call_by_first(badge *badges, int count, int *group)
{
    qsort(badges, (size_t)count, sizeof *badges, by_badge);
    for (int i = 0, first = 0; i < count; i++) {
        if (badges[i].major != badges[first].major || badges[i].minor != badges[first].minor)
            first = i;
        group[badges[i].rank] = badges[first].rank;
    }
}

int srv_groups_find(const srv_peers *peers, const servet_profile *profile, int layer, bool strictly,
                    int *group, servet_error *error)
{
    layer_table table;
    badge *badges = malloc((size_t)peers->count * sizeof *badges);
    int code = begin_table(&table, profile, layer, error);
    if (code == SERVET_OK && !badges)
        code = srv_fail_memory(error);
    for (int i = 0; i < peers->count && code == SERVET_OK; i++) {
        found_groups found = groups_of_peer(&table, peers, i);
        if (strictly)
            code = check_peer(&table, peers, i, &found, error);
        badges[i] = badge_of(&table, peers, i, found.first);
    }
    if (code == SERVET_OK)
        call_by_first(badges, peers->count, group);
    free(table.member);
    free(badges);
    return code;
}

int srv_groups_number(const srv_peers *peers, const servet_profile *profile, int layer,
                      srv_rank_group *groups, servet_error *error)
{
    layer_table table;
    int code = begin_table(&table, profile, layer, error);
    for (int i = 0; i < peers->count && code == SERVET_OK; i++) {
        found_groups found = groups_of_peer(&table, peers, i);
        groups[i] = (srv_rank_group){found.first, found.first != found.last};
    }
    free(table.member);
    return code;
}
