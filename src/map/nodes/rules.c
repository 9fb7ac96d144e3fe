/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/nodes/rules.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/places.h"
#include "core/ranges.h"
#include "map/nodes/blocks.h"
#include "servet/network.h"
#include "servet/node.h"

/* Servet 3.0, sections 3 and 4.2: the resource that limits the program has ten times the weight
 * of each other resource. */
static const struct factors {
    srv_weight sharing, proximity, network; /* rules 1 and 2; rule 3; rule 4 */
} factors_of[SERVET_CODE_COUNT] = {
    [SERVET_CODE_MEMORY] = {SRV_WEIGHT_FACTOR, 1, 1},
    [SERVET_CODE_COMMUNICATION] = {1, SRV_WEIGHT_FACTOR, SRV_WEIGHT_FACTOR},
};

/*
 * Two cores are close if their latency is below this share of the longest one: "significantly
 * lower" in the paper's words. The latencies of one layer's pairs differ by about a tenth. Layers
 * that differ by a fifth therefore differ by more than the pairs within each of them.
 */
static const double close_share = 0.8;

/* The paper's ratio: there are too many processes if each gets less than two thirds of the
 * bandwidth that one process alone gets. */
static const double network_overload = 1.5;

/* A query of group `index` of a level: its cores. */
typedef int group_query(const servet_profile *profile, const servet_at *at, int level, int index,
                        const char **cores);

static void mark_groups(const srv_map_class *class, srv_grouping *grouping,
                        const servet_profile *profile, const servet_at *at, group_query *query)
{
    int first, last;
    const char *cores;
    for (int i = 0; query(profile, at, grouping->level, i, &cores) == SERVET_OK; i++)
        while (srv_ranges_next(&cores, &first, &last))
            srv_grouping_mark(class, grouping, i, first, last);
}

/* --- rules 1 and 2: caches and memory --------------------------------------------------------- */

static int add_cache_level(srv_map_class *class, const servet_profile *profile, const servet_at *at,
                           int kind, int level, srv_weight weight)
{
    int count = 0;
    if (servet_cache_group_count(profile, at, level, &count) != SERVET_OK)
        return SERVET_OK;
    srv_grouping *grouping = srv_map_class_add(class, SERVET_RULE_CACHE, weight);
    if (!grouping)
        return SERVET_EMEMORY;
    grouping->kind = kind;
    grouping->level = level;
    mark_groups(class, grouping, profile, at, servet_cache_group);
    return SERVET_OK;
}

static int add_caches(srv_map_class *class, const servet_profile *profile, const servet_at *at,
                      srv_weight weight)
{
    servet_kind cores;
    int code = SERVET_OK, first, last;
    for (int k = 0; servet_kind_get(profile, at, k, &cores) == SERVET_OK; k++) {
        const char *set = cores.cores;
        servet_at of_type = {.node_class = at->node_class, .core = SERVET_ANY_CORE};
        if (srv_ranges_next(&set, &first, &last))
            of_type.core = first;
        int levels = 0;
        (void)servet_cache_count(profile, &of_type, &levels);
        for (int level = 1; level <= levels && code == SERVET_OK; level++)
            code = add_cache_level(class, profile, &of_type, k, level, weight);
    }
    return code;
}

static int add_memory(srv_map_class *class, const servet_profile *profile, const servet_at *at,
                      srv_weight weight)
{
    int levels = 0;
    (void)servet_memory_level_count(profile, at, &levels);
    for (int level = 1; level <= levels; level++) {
        srv_grouping *grouping = srv_map_class_add(class, SERVET_RULE_MEMORY, weight);
        if (!grouping)
            return SERVET_EMEMORY;
        grouping->level = level;
        mark_groups(class, grouping, profile, at, servet_memory_group);
    }
    return SERVET_OK;
}

/* --- rule 3: proximity ------------------------------------------------------------------------ */

/* The weight that each of `count` layers adds to the pairs within its groups. A pair lies in the
 * groups of its own layer and of all later ones in `order` (`nested` numbers; NULL: all, in order);
 * its weights add up to the weight of its own layer. A latency of 0 is not known. NULL without
 * memory; the caller frees it. */
static srv_weight *steps_of(const double *latency, int count, const int *order, int nested,
                            srv_weight factor)
{
    double longest = 0;
    srv_weight beyond = 0;
    srv_weight *steps = calloc((size_t)count + 1, sizeof *steps);
    for (int i = 0; i < count; i++)
        longest = fmax(longest, latency[i]);
    for (int i = nested - 1; steps && i >= 0; i--) {
        int at = order ? order[i] : i;
        double share = latency[at] > 0 ? latency[at] / longest : 1;
        srv_weight worth =
            share <= close_share ? -factor * llround(SRV_WEIGHT_UNIT * (1 - share)) : 0;
        steps[at] = worth - beyond;
        beyond = worth;
    }
    return steps;
}

/* Finds the latencies of the layers, and their positions in the profile, from 0: first the layers
 * within nodes, then those between nodes, even if these are faster. The groups of each layer lie
 * within groups of the next. Returns the number of positions. */
static int nest_layers(const servet_profile *profile, int count, double *latency, int *order)
{
    servet_network_layer layer;
    int n = 0;
    for (int between_nodes = 0; between_nodes < 2; between_nodes++)
        for (int i = 0; i < count; i++)
            if (servet_network_layer_get(profile, i + 1, &layer) == SERVET_OK &&
                layer.between_nodes == (between_nodes == 1)) {
                latency[i] = servet_value_known(&layer.latency) ? layer.latency.value : 0;
                order[n++] = i;
            }
    return n;
}

int srv_rules_layers(const servet_profile *profile, servet_code code, srv_weight **steps,
                     int *count, servet_error *error)
{
    int layers = 0;
    srv_room room = {0};
    (void)servet_network_layer_count(profile, &layers);
    double *latency = srv_room_take(&room, (size_t)layers + 1, sizeof *latency);
    int *order = srv_room_take(&room, (size_t)layers + 1, sizeof *order);
    int nested = room.failed ? 0 : nest_layers(profile, layers, latency, order);
    *steps =
        room.failed ? NULL : steps_of(latency, layers, order, nested, factors_of[code].proximity);
    *count = layers;
    srv_room_free(&room);
    return *steps ? SERVET_OK : srv_fail_memory(error);
}

/* The groups of a layer within job node `node`; the parts of one group have one number. */
static void mark_layer(const srv_map_class *class, srv_grouping *grouping,
                       const servet_profile *profile, int layer, int node)
{
    int count = 0;
    const char *places;
    srv_places_part part;
    (void)servet_network_group_count(profile, layer, &count);
    for (int i = 0; i < count; i++) {
        if (servet_network_group(profile, layer, i, &places) != SERVET_OK)
            continue;
        while (srv_places_next(&places, &part))
            if (part.first_node <= node && node <= part.last_node)
                srv_grouping_mark(class, grouping, i, part.first_core, part.last_core);
    }
}

/* Adds the communication layers within the node. Sets `*found` if there are any. */
static int add_layers(srv_map_class *class, const servet_profile *profile, int node,
                      servet_code code, bool *found)
{
    srv_weight *steps;
    int count, result = srv_rules_layers(profile, code, &steps, &count, NULL);
    servet_network_layer layer;
    for (int i = 0; result == SERVET_OK && i < count; i++) {
        if (servet_network_layer_get(profile, i + 1, &layer) != SERVET_OK || layer.between_nodes)
            continue;
        srv_grouping *grouping = srv_map_class_add(class, SERVET_RULE_PROXIMITY, steps[i]);
        *found = true;
        if (!grouping) {
            result = SERVET_EMEMORY;
            break;
        }
        grouping->level = i + 1;
        mark_layer(class, grouping, profile, i + 1, node);
    }
    free(steps);
    return result;
}

/* If no messages were measured, core-to-core distances define the proximity of cores. */
static int add_distances(srv_map_class *class, const servet_profile *profile, const servet_at *at,
                         srv_weight factor)
{
    int count = 0;
    servet_distance_layer layer;
    (void)servet_distance_layer_count(profile, at, &count);
    double *latency = calloc((size_t)count + 1, sizeof *latency);
    for (int i = 0; latency && i < count; i++)
        if (servet_distance_layer_get(profile, at, i + 1, &layer) == SERVET_OK &&
            servet_value_known(&layer.latency))
            latency[i] = layer.latency.value;
    srv_weight *steps = latency ? steps_of(latency, count, NULL, count, factor) : NULL;
    int code = steps ? SERVET_OK : SERVET_EMEMORY;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        srv_grouping *grouping = srv_map_class_add(class, SERVET_RULE_PROXIMITY, steps[i]);
        if (!grouping) {
            code = SERVET_EMEMORY;
            break;
        }
        grouping->level = i + 1;
        mark_groups(class, grouping, profile, at, servet_distance_group);
    }
    free(latency);
    free(steps);
    return code;
}

static int add_proximity(srv_map_class *class, const servet_profile *profile, const servet_at *at,
                         const srv_map_node *node, servet_code code)
{
    bool found = false;
    int result = SERVET_OK;
    if (node->job_node >= 0)
        result = add_layers(class, profile, node->job_node, code, &found);
    if (result == SERVET_OK && !found)
        result = add_distances(class, profile, at, factors_of[code].proximity);
    return result;
}

/* --- rule 4: the network of the node ---------------------------------------------------------- */

/* The benchmark spreads its processes evenly over the node. If 2 P processes are too many, and P
 * were not, the node is divided into P blocks, and a second process in a block is too many. The
 * bandwidth of the whole node is then nearly used up, too. */
static int add_network(srv_map_class *class, const servet_profile *profile, srv_weight weight)
{
    servet_ratio ratio;
    bool overloaded = false;
    int code = SERVET_OK;
    for (int at = 2; at <= class->core_count && code == SERVET_OK; at *= 2) {
        if (servet_network_ratio(profile, SERVET_DEGRADATION_ACCESS, at, &ratio) != SERVET_OK)
            break;
        if (!servet_value_known(&ratio.ratio) || ratio.ratio.value <= network_overload)
            continue;
        if (!overloaded)
            code = srv_blocks_add(class, 1, weight);
        if (at > 2 && code == SERVET_OK)
            code = srv_blocks_add(class, at / 2, weight);
        overloaded = true;
    }
    return code;
}

int srv_rules_node(srv_map_class *class, const servet_profile *profile, const srv_map_node *node,
                   servet_code code, servet_error *error)
{
    const struct factors *factors = &factors_of[code];
    servet_at at = {.node_class = servet_profile_class_name(profile, node->node_class),
                    .core = SERVET_ANY_CORE};
    int result = add_caches(class, profile, &at, factors->sharing * SRV_WEIGHT_UNIT);
    if (result == SERVET_OK)
        result = add_memory(class, profile, &at, factors->sharing * SRV_WEIGHT_UNIT);
    if (result == SERVET_OK)
        result = add_proximity(class, profile, &at, node, code);
    if (result == SERVET_OK)
        result = add_network(class, profile, factors->network * SRV_WEIGHT_UNIT);
    return result == SERVET_OK ? SERVET_OK : srv_fail_memory(error);
}
