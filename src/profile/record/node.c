/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording what the cores of a node have in common. */
#include "servet/record.h"

#include "profile/record/change.h"

int servet_profile_set_coherence(servet_profile *profile, int node_class,
                                 const servet_coherence *coherence, servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_class *stored = srv_class_at(profile, node_class, error);
    if (!stored)
        return SERVET_EARGUMENT;
    srv_class changed = *stored;
    int code = srv_copy_items(coherence, sizeof *coherence, 1, sizeof *coherence,
                              &changed.coherence, error);
    return srv_change(&srv_class_shape, stored, &changed, code, &where);
}

/* --- levels and their groups ------------------------------------------------------------------ */

int servet_profile_set_distances(servet_profile *profile, int node_class,
                                 const servet_distance_layer *layers, int count,
                                 servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_class *stored = srv_class_at(profile, node_class, error);
    if (!stored)
        return SERVET_EARGUMENT;
    srv_class changed = *stored;
    int code = srv_copy_items(layers, sizeof *layers, count, sizeof(srv_distance),
                              &changed.distances, error);
    return srv_change(&srv_class_shape, stored, &changed, code, &where);
}

/* Item `number` (from 1) of a list of a class, the member `name`; NULL with SERVET_EARGUMENT. */
static void *item_at(const srv_list *list, int number, size_t size, const char *name,
                     srv_json_path *where)
{
    if (number < 1 || number > list->count) {
        srv_fail(where->error, SERVET_EARGUMENT, "%s: there is no number %d", name, number);
        return NULL;
    }
    srv_json_path_enter(where, name);
    srv_json_path_enter_item(where, number - 1);
    return (char *)list->items + (size_t)(number - 1) * size;
}

int servet_profile_set_distance_groups(servet_profile *profile, int node_class, int layer,
                                       const char *const *groups, int count, servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_class *class = srv_class_at(profile, node_class, error);
    srv_distance *stored =
        class ? item_at(&class->distances, layer, sizeof *stored, "distances", &where) : NULL;
    if (!stored)
        return SERVET_EARGUMENT;
    srv_distance changed = *stored;
    int code = srv_copy_sets(groups, count, &changed.groups, error);
    return srv_change(&srv_distance_shape, stored, &changed, code, &where);
}

/* --- memory ----------------------------------------------------------------------------------- */

int servet_profile_set_memory(servet_profile *profile, int node_class,
                              const servet_value bandwidth[SERVET_KERNEL_COUNT],
                              servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_class *stored = srv_class_at(profile, node_class, error);
    if (!stored)
        return SERVET_EARGUMENT;
    srv_class changed = *stored;
    int code = srv_copy_items(bandwidth, sizeof(srv_kernels), 1, sizeof(srv_kernels),
                              &changed.memory_bandwidth, error);
    return srv_change(&srv_class_shape, stored, &changed, code, &where);
}

int servet_profile_set_memory_levels(servet_profile *profile, int node_class,
                                     const servet_memory_level *levels, int count,
                                     servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_class *stored = srv_class_at(profile, node_class, error);
    if (!stored)
        return SERVET_EARGUMENT;
    srv_class changed = *stored;
    int code = srv_copy_items(levels, sizeof *levels, count, sizeof(srv_overhead),
                              &changed.memory_levels, error);
    return srv_change(&srv_class_shape, stored, &changed, code, &where);
}

static srv_overhead *overhead_at(servet_profile *profile, int node_class, int level,
                                 srv_json_path *where)
{
    srv_class *class = srv_class_at(profile, node_class, where->error);
    return class ? item_at(&class->memory_levels, level, sizeof(srv_overhead), "memory_levels",
                           where)
                 : NULL;
}

int servet_profile_set_memory_groups(servet_profile *profile, int node_class, int level,
                                     const char *const *groups, int count, servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_overhead *stored = overhead_at(profile, node_class, level, &where);
    if (!stored)
        return SERVET_EARGUMENT;
    srv_overhead changed = *stored;
    int code = srv_copy_sets(groups, count, &changed.groups, error);
    return srv_change(&srv_overhead_shape, stored, &changed, code, &where);
}

static int scale_node(servet_profile *profile, int node_class, const servet_value *bandwidth,
                      int count, int saturation, srv_json_path *where)
{
    srv_class *stored = srv_class_at(profile, node_class, where->error);
    if (!stored)
        return SERVET_EARGUMENT;
    srv_class changed = *stored;
    changed.memory_saturation = saturation;
    int code = srv_copy_values(bandwidth, count, &changed.memory_scaling, where->error);
    return srv_change(&srv_class_shape, stored, &changed, code, where);
}

int servet_profile_set_memory_scaling(servet_profile *profile, int node_class, int level,
                                      const servet_value *bandwidth, int count, int saturation,
                                      servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    if (level == 0)
        return scale_node(profile, node_class, bandwidth, count, saturation, &where);
    srv_overhead *stored = overhead_at(profile, node_class, level, &where);
    if (!stored)
        return SERVET_EARGUMENT;
    srv_overhead changed = *stored;
    int code = srv_copy_values(bandwidth, count, &changed.scaling, error);
    return srv_change(&srv_overhead_shape, stored, &changed, code, &where);
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

/* A row of a matrix; where nothing of it is known, it was not measured. */
static int copy_row(const servet_value *row, int count, srv_list *list, servet_error *error)
{
    int known = 0;
    for (int i = 0; i < count; i++)
        known += servet_value_known(&row[i]);
    return srv_copy_values(row, known ? count : 0, list, error);
}

static int copy_node(const servet_numa *node, const servet_value *bandwidth,
                     const servet_value *latency, int count, srv_numa_node *copy,
                     servet_error *error)
{
    copy->number = node->number;
    copy->cores = srv_copy_text(node->cores);
    int code = copy->cores ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK)
        code = copy_row(bandwidth, count, &copy->bandwidth, error);
    return code == SERVET_OK ? copy_row(latency, count, &copy->latency, error) : code;
}

int servet_profile_set_numa(servet_profile *profile, int node_class, const servet_numa *nodes,
                            int count, const servet_value *bandwidth, const servet_value *latency,
                            servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_class *stored = srv_class_at(profile, node_class, error);
    if (!stored)
        return SERVET_EARGUMENT;
    srv_class changed = *stored;
    int code = srv_new_list(count, sizeof(srv_numa_node), &changed.numa, error);
    srv_numa_node *copies = changed.numa.items;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        size_t row = (size_t)i * (size_t)count;
        code = copy_node(&nodes[i], bandwidth + row, latency + row, count, &copies[i], error);
    }
    return srv_change(&srv_class_shape, stored, &changed, code, &where);
}
