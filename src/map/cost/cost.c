/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts the cost of a placement: by messages, by memory and by the rules. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/names.h"
#include "map/cost/bandwidth.h"
#include "map/cost/group_trust.h"
#include "map/cost/load.h"
#include "map/cost/program.h"
#include "map/cost/placement_tree.h"
#include "profile/types.h"

SRV_NAMES(servet_limit_name, servet_limit, SERVET_LIMIT_LIST)

/* --- messages --------------------------------------------------------------------------------- */

/* Returns the sum of the latencies of all pairs that meet in a level; `work` has room for its
 * groups.
 */
static double latency_sum(const srv_slot_tree *tree, const servet_profile *profile, int level,
                          double *within, int *work)
{
    servet_network_layer layer;
    double pairs = 0, before = *within;
    for (int g = 0; g < tree->group_count[level]; g++)
        work[g] = 0;
    for (int s = 0; s < tree->count; s++)
        work[srv_slot_tree_groups(tree, s)[level]]++;
    for (int g = 0; g < tree->group_count[level]; g++)
        pairs += 0.5 * work[g] * (work[g] - 1.0);
    *within = pairs;
    if (pairs == before)
        return 0;
    bool known = servet_network_layer_get(profile, tree->layer[level], &layer) == SERVET_OK &&
                 servet_value_known(&layer.latency);
    return known ? (pairs - before) * layer.latency.value : NAN;
}

static int predict_latency(servet_map_cost *cost, const srv_slot_tree *tree,
                           const servet_profile *profile, servet_error *error)
{
    int *work = calloc((size_t)tree->count, sizeof *work);
    if (!work)
        return srv_fail_memory(error);
    double sum = 0, within = 0;
    for (int level = 0; level < tree->levels; level++)
        sum += latency_sum(tree, profile, level, &within, work);
    cost->latency = sum / within;
    free(work);
    return SERVET_OK;
}

static void note_load(servet_map_cost *cost, const srv_map_load *load, const servet_map *map,
                      const srv_slot_tree *tree)
{
    cost->seconds = load->seconds;
    cost->work = load->work;
    cost->limit = load->limit;
    cost->limit_at = load->limit_at;
    if (load->limit != SERVET_LIMIT_NODE)
        return;
    int rank = 0;
    while (srv_slot_tree_groups(tree, rank)[tree->node_level] != load->limit_at)
        rank++;
    cost->limit_at = map->places[rank].node;
}

static int predict_load(servet_map_cost *cost, const servet_map *map, const servet_profile *profile,
                        const servet_traffic *traffic, const srv_slot_tree *tree,
                        servet_error *error)
{
    srv_program program = {0};
    srv_map_load load;
    int code = srv_program_begin(&program, profile, traffic, error);
    if (code == SERVET_OK)
        code = srv_load_of(&program, tree, NULL, &load, error);
    if (code == SERVET_OK)
        note_load(cost, &load, map, tree);
    srv_program_finish(&program);
    return code;
}

/* Predicts the costs of messages. A cost that depends on an unmeasured fact is unknown; that is not
 * a failure. */
static int predict_messages(servet_map_cost *cost, const servet_map *map,
                            const servet_profile *profile, const servet_traffic *traffic,
                            servet_error *error)
{
    srv_slot_tree tree = {0};
    int code = srv_placement_tree_begin(&tree, map, profile, error);
    if (code == SERVET_OK)
        code = predict_latency(cost, &tree, profile, error);
    if (code == SERVET_OK)
        code = predict_load(cost, map, profile, traffic, &tree, error);
    srv_slot_tree_finish(&tree);
    return code;
}

static int predict_given_or_all(servet_map_cost *cost, const servet_map *map,
                                const servet_profile *profile, const servet_traffic *traffic,
                                servet_error *error)
{
    servet_network network;
    servet_traffic *all = NULL;
    servet_error inner = SERVET_ERROR_INIT;
    int code = SERVET_OK;
    if (servet_network_get(profile, &network) != SERVET_OK)
        return SERVET_OK;
    if (!traffic)
        code = servet_traffic_pattern(&all, SERVET_PATTERN_ALL_TO_ALL, map->count,
                                      network.message_bytes, error);
    if (code == SERVET_OK)
        code = predict_messages(cost, map, profile, traffic ? traffic : all, &inner);
    servet_traffic_destroy(all);
    if (code == SERVET_EUNMEASURED)
        return SERVET_OK;
    return code == SERVET_OK ? code : srv_fail(error, code, "%s", inner.text);
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* Finds, for the processes of a node, the positions of their first cores among the cores of the
 * class.
 */
static void list_cores(const servet_map *map, int node, int *cores)
{
    servet_map_process process;
    for (int i = map->first[node]; i < map->first[node + 1]; i++) {
        (void)servet_map_process_get(map, map->ranks[i], &process);
        *cores++ = srv_map_class_index(srv_map_class_of(map, node), process.cores[0]);
    }
}

/* If the profile answers with trusted facts only, makes numbers of pairs unknown whose groups are
 * not trusted. A single process on a node shares nothing, whatever the groups are. */
static void forget_doubtful_pairs(servet_map_cost *cost, const servet_profile *profile,
                                  const srv_active *active)
{
    if (!profile->trusted_only || active->count < 2)
        return;
    if (!srv_cache_groups_trusted(profile, active->node_class))
        cost->cache_pairs = NAN;
    if (!srv_memory_groups_trusted(profile, active->node_class))
        cost->memory_pairs = NAN;
}

/* Counts the pairs of a node's processes in the groups of a grouping; `members` has room for the
 * groups.
 */
static double pairs_in(const srv_active *active, const srv_grouping *grouping, int *members)
{
    double pairs = 0;
    for (int g = 0; g < grouping->group_count; g++)
        members[g] = 0;
    for (int i = 0; i < active->count; i++)
        if (grouping->group[active->cores[i]] >= 0)
            pairs += members[grouping->group[active->cores[i]]]++;
    return pairs;
}

static int predict_node(servet_map_cost *cost, const srv_active *active,
                        const servet_profile *profile, servet_error *error)
{
    const srv_map_class *class = active->class;
    double *each = calloc((size_t)active->count, sizeof *each);
    int *members = calloc((size_t) class->core_count + 1, sizeof *members);
    int code = each && members ? srv_bandwidth_each(active, profile, each) : SERVET_EMEMORY;
    for (int i = 0; i < active->count && code == SERVET_OK; i++)
        cost->memory = fmin(cost->memory, each[i]);
    for (int f = 0; f < class->grouping_count && code == SERVET_OK; f++) {
        const srv_grouping *grouping = &class->groupings[f];
        if (grouping->rule == SERVET_RULE_CACHE)
            cost->cache_pairs += pairs_in(active, grouping, members);
        if (grouping->rule == SERVET_RULE_MEMORY)
            cost->memory_pairs += pairs_in(active, grouping, members);
    }
    forget_doubtful_pairs(cost, profile, active);
    free(each);
    free(members);
    return code == SERVET_OK ? code : srv_fail_memory(error);
}

static int predict_nodes(servet_map_cost *cost, const servet_map *map,
                         const servet_profile *profile, servet_error *error)
{
    int *cores = calloc((size_t)map->count, sizeof *cores);
    int code = cores ? SERVET_OK : srv_fail_memory(error);
    for (int n = 0; n < map->nodes.count && code == SERVET_OK; n++) {
        srv_active active = {srv_map_class_of(map, n),
                             servet_profile_class_name(profile, map->nodes.items[n].node_class),
                             cores, srv_map_processes_on(map, n)};
        if (active.count == 0)
            continue;
        list_cores(map, n, cores);
        cost->nodes++;
        cost->per_node = active.count > cost->per_node ? active.count : cost->per_node;
        code = predict_node(cost, &active, profile, error);
    }
    free(cores);
    return code;
}

/* --- the whole cost --------------------------------------------------------------------------- */

static double access_ratio(const servet_profile *profile, int processes)
{
    servet_ratio ratio;
    int code = servet_network_ratio(profile, SERVET_DEGRADATION_ACCESS, processes, &ratio);
    return code == SERVET_OK && servet_value_known(&ratio.ratio) ? ratio.ratio.value : NAN;
}

static int predict(const servet_map *map, const servet_profile *profile,
                   const servet_traffic *traffic, servet_map_cost *cost, servet_error *error)
{
    servet_map_cost made = {.seconds = NAN, .work = NAN, .latency = NAN, .memory = NAN};
    int code = predict_nodes(&made, map, profile, error);
    if (code == SERVET_OK)
        code = predict_given_or_all(&made, map, profile, traffic, error);
    made.access_ratio = access_ratio(profile, made.per_node);
    if (code == SERVET_OK)
        *cost = made;
    return code;
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Returns true if two costs are equal. A cost that is the same without untrusted facts is trusted.
 */
static bool is_same_cost(const servet_map_cost *a, const servet_map_cost *b)
{
    return is_same(a->seconds, b->seconds) && is_same(a->work, b->work) && a->limit == b->limit &&
           is_same(a->cache_pairs, b->cache_pairs) && is_same(a->memory_pairs, b->memory_pairs) &&
           is_same(a->latency, b->latency) && is_same(a->access_ratio, b->access_ratio) &&
           is_same(a->memory, b->memory);
}

int servet_map_predict(const servet_map *map, const servet_profile *profile,
                       const servet_traffic *traffic, servet_map_cost *cost, servet_error *error)
{
    servet_profile sure = *profile;
    servet_map_cost made, by_sure;
    sure.trusted_only = true;
    if (traffic && servet_traffic_processes(traffic) != map->count)
        return srv_fail(error, SERVET_EARGUMENT, "messages of %d processes, not of %d",
                        servet_traffic_processes(traffic), map->count);
    int code = predict(map, profile, traffic, &made, error);
    if (code != SERVET_OK)
        return code;
    code = predict(map, &sure, traffic, &by_sure, NULL);
    if (code == SERVET_EMEMORY)
        return srv_fail_memory(error);
    made.trusted = code == SERVET_OK && is_same_cost(&made, &by_sure);
    *cost = made;
    return SERVET_OK;
}
