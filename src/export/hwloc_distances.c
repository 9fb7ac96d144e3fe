/* SPDX-License-Identifier: BSD-3-Clause */
/* Exports distances between PUs: the latencies of line transfers and of messages within the node.
 */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/places.h"
#include "export/hwloc_xml.h"

/* --- matrices --------------------------------------------------------------------------------- */

/* Gets the cost of a pair of cores. Errors: those of the query. */
typedef int pair_cost(const srv_export *on, int core, int other, servet_value *cost);

/* A matrix to add: its name, its meaning, and the factor of its values. */
typedef struct measure {
    const char *name;
    unsigned long means;
    pair_cost *cost;
    double factor;
} measure;

/* Stores the values row by row. Returns false if the value of a pair is not known. */
static bool fill(const srv_export *on, const measure *what, const hwloc_obj_t *pus, unsigned count,
                 hwloc_uint64_t *values)
{
    servet_value cost;
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < count; j++) {
            values[i * count + j] = 0;
            if (i == j)
                continue;
            if (what->cost(on, (int)pus[i]->os_index, (int)pus[j]->os_index, &cost) != SERVET_OK ||
                !servet_value_known(&cost))
                return false;
            values[i * count + j] = (hwloc_uint64_t)llround(cost.value * what->factor);
        }
    return true;
}

/* Removes the distances of an earlier export. */
static void remove_earlier(hwloc_topology_t topology, const char *name)
{
    struct hwloc_distances_s *found;
    unsigned count = 1;
    while (hwloc_distances_get_by_name(topology, name, &count, &found, 0) == 0 && count > 0) {
        hwloc_distances_release_remove(topology, found);
        count = 1;
    }
}

#if HWLOC_API_VERSION >= 0x00020500
static int add_values(srv_export *on, const measure *what, hwloc_obj_t *pus, unsigned count,
                      hwloc_uint64_t *values)
{
    unsigned long kind = HWLOC_DISTANCES_KIND_FROM_USER | what->means;
    hwloc_distances_add_handle_t handle =
        hwloc_distances_add_create(on->topology, what->name, kind, 0);
    if (!handle || hwloc_distances_add_values(on->topology, handle, count, pus, values, 0) != 0 ||
        hwloc_distances_add_commit(on->topology, handle, 0) != 0)
        return srv_fail(on->error, SERVET_EMACHINE, "hwloc refuses the distances %s", what->name);
    on->facts++;
    return SERVET_OK;
}
#else
static int add_values(srv_export *on, const measure *what, hwloc_obj_t *pus, unsigned count,
                      hwloc_uint64_t *values)
{
    (void)pus;
    (void)count;
    (void)values;
    return srv_fail(
        on->error, SERVET_EUNSUPPORTED,
        "%s: named distances need hwloc 2.5 or newer, Servet was built with an older one",
        what->name);
}
#endif

/* Returns the PUs of a set in the topology's order, and their number in `*count`; NULL without
 * memory. */
static hwloc_obj_t *pus_of(const srv_export *on, hwloc_const_bitmap_t set, unsigned *count)
{
    hwloc_obj_t *pus = calloc((size_t)hwloc_bitmap_weight(set) + 1, sizeof *pus), pu = NULL;
    *count = 0;
    while (pus && (pu = hwloc_get_next_obj_by_type(on->topology, HWLOC_OBJ_PU, pu)))
        if (hwloc_bitmap_isset(set, pu->os_index))
            pus[(*count)++] = pu;
    return pus;
}

/* Adds the matrix of a set of cores if the values of all its pairs are known. */
static int add_matrix(srv_export *on, const measure *what, hwloc_const_bitmap_t set)
{
    unsigned count;
    hwloc_obj_t *pus = pus_of(on, set, &count);
    hwloc_uint64_t *values = pus ? calloc((size_t)count * count + 1, sizeof *values) : NULL;
    int code = values ? SERVET_OK : srv_fail_memory(on->error);
    if (code == SERVET_OK && count > 1 && fill(on, what, pus, count, values))
        code = add_values(on, what, pus, count, values);
    free(values);
    free(pus);
    return code;
}

/* --- lines ------------------------------------------------------------------------------------ */

static int line_latency(const srv_export *on, int core, int other, servet_value *cost)
{
    const servet_at at = {.node_class = on->at.node_class, .core = core};
    servet_distance_layer found = {0};
    int layer;
    int code = servet_distance_layer_of(on->profile, &at, other, &layer);
    if (code == SERVET_OK)
        code = servet_distance_layer_get(on->profile, &at, layer, &found);
    *cost = found.latency;
    return code;
}

/* Adds a matrix for each group of the last layer, which joins all cores that were measured. */
static int add_lines(srv_export *on)
{
    static const measure lines = {"Servet:LineLatency:ps", HWLOC_DISTANCES_KIND_MEANS_LATENCY,
                                  line_latency, 1e12};
    int layers = 0, code = SERVET_OK;
    const char *cores;
    remove_earlier(on->topology, lines.name);
    (void)servet_distance_layer_count(on->profile, &on->at, &layers);
    for (int i = 0; code == SERVET_OK &&
                    servet_distance_group(on->profile, &on->at, layers, i, &cores) == SERVET_OK;
         i++) {
        hwloc_bitmap_t set = srv_export_set(cores);
        code = set ? add_matrix(on, &lines, set) : srv_fail_memory(on->error);
        hwloc_bitmap_free(set);
    }
    return code;
}

/* --- messages --------------------------------------------------------------------------------- */

/* Returns the job's number for the first node of the class that was part of it; -1 if none was. */
static int node_of_job(const srv_export *on)
{
    const char *host;
    int node;
    for (int i = 0; (host = servet_profile_node(on->profile, &on->at, i)); i++)
        if (servet_network_node_of(on->profile, host, &node) == SERVET_OK)
            return node;
    return -1;
}

static int message_layer(const srv_export *on, int core, int other, servet_network_layer *found)
{
    int layer, node = node_of_job(on);
    const servet_place a = {node, core}, b = {node, other};
    int code = servet_network_layer_of(on->profile, a, b, &layer);
    return code == SERVET_OK ? servet_network_layer_get(on->profile, layer, found) : code;
}

static int message_latency(const srv_export *on, int core, int other, servet_value *cost)
{
    servet_network_layer found;
    int code = message_layer(on, core, other, &found);
    *cost = found.latency;
    return code;
}

static int message_bandwidth(const srv_export *on, int core, int other, servet_value *cost)
{
    servet_network_layer found;
    int code = message_layer(on, core, other, &found);
    *cost = found.bandwidth;
    return code;
}

/* Adds to `set` the cores of a node that the sets of a layer within nodes join. */
static int join_cores(const srv_export *on, int layer, int node, hwloc_bitmap_t set)
{
    const char *places;
    srv_places_part part;
    int code = SERVET_OK;
    for (int i = 0; servet_network_group(on->profile, layer, i, &places) == SERVET_OK; i++)
        while (code == SERVET_OK && srv_places_next(&places, &part))
            if (part.first_node <= node && node <= part.last_node &&
                hwloc_bitmap_set_range(set, (unsigned)part.first_core, part.last_core) != 0)
                code = SERVET_EMEMORY;
    return code;
}

static int cores_of_job(const srv_export *on, int node, hwloc_bitmap_t set)
{
    servet_network_layer layer;
    int code = SERVET_OK;
    for (int i = 1;
         code == SERVET_OK && servet_network_layer_get(on->profile, i, &layer) == SERVET_OK; i++)
        if (!layer.between_nodes)
            code = join_cores(on, i, node, set);
    return code;
}

static int add_messages(srv_export *on)
{
    static const measure measures[] = {
        {"Servet:MessageLatency:ps", HWLOC_DISTANCES_KIND_MEANS_LATENCY, message_latency, 1e12},
        {"Servet:MessageBandwidth:MiB/s", HWLOC_DISTANCES_KIND_MEANS_BANDWIDTH, message_bandwidth,
         1.0 / 1048576},
    };
    int node = node_of_job(on);
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    int code = set && (node < 0 || cores_of_job(on, node, set) == SERVET_OK)
                   ? SERVET_OK
                   : srv_fail_memory(on->error);
    for (int i = 0; i < 2 && code == SERVET_OK; i++) {
        remove_earlier(on->topology, measures[i].name);
        code = add_matrix(on, &measures[i], set);
    }
    hwloc_bitmap_free(set);
    return code;
}

int srv_export_distances(srv_export *on)
{
    int code = add_lines(on);
    return code == SERVET_OK ? add_messages(on) : code;
}
