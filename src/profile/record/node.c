/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording what the cores of a node have in common. */
#include "servet/record.h"

#include "profile/record/edit.h"

static const srv_way class_way = {SRV_OF_PROFILE, {"classes"}};
static const srv_way coherence_way = {SRV_OF_PROFILE, {"classes", "coherence"}};
static const srv_way distances_way = {SRV_OF_PROFILE, {"classes", "distances"}};
static const srv_way distance_groups_way = {SRV_OF_PROFILE, {"classes", "distances", "groups"}};
static const srv_way kernels_way = {SRV_OF_PROFILE, {"classes", "memory_bandwidth"}};
static const srv_way overheads_way = {SRV_OF_PROFILE, {"classes", "memory_levels"}};
static const srv_way overhead_groups_way = {SRV_OF_PROFILE, {"classes", "memory_levels", "groups"}};

static srv_class *begin_class(srv_edit *edit, servet_profile *profile, int node_class,
                              servet_error *error)
{
    return srv_edit_begin(edit, profile, &class_way, (long[]){node_class + 1L}, error);
}

/* --- lines and distances ---------------------------------------------------------------------- */

int servet_profile_set_coherence(servet_profile *profile, int node_class,
                                 const servet_coherence *coherence, servet_error *error)
{
    return srv_set_items(profile, &coherence_way, (long[]){node_class + 1L}, coherence,
                         sizeof *coherence, 1, error);
}

int servet_profile_set_distances(servet_profile *profile, int node_class,
                                 const servet_distance_layer *layers, int count,
                                 servet_error *error)
{
    return srv_set_items(profile, &distances_way, (long[]){node_class + 1L}, layers, sizeof *layers,
                         count, error);
}

int servet_profile_set_distance_groups(servet_profile *profile, int node_class, int layer,
                                       const char *const *groups, int count, servet_error *error)
{
    return srv_set_sets(profile, &distance_groups_way, (long[]){node_class + 1L, layer}, groups,
                        count, error);
}

/* --- memory ----------------------------------------------------------------------------------- */

int servet_profile_set_memory(servet_profile *profile, int node_class,
                              const servet_value bandwidth[], int count, servet_error *error)
{
    srv_kernels kernels;
    if (count < 0 || count > SERVET_KERNEL_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "bandwidths of %d kernels; there are %d", count,
                        SERVET_KERNEL_COUNT);
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
        kernels.bandwidth[i] =
            i < count ? bandwidth[i] : servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    return srv_set_items(profile, &kernels_way, (long[]){node_class + 1L}, &kernels, sizeof kernels,
                         1, error);
}

int servet_profile_set_memory_levels(servet_profile *profile, int node_class,
                                     const servet_memory_level *levels, int count,
                                     servet_error *error)
{
    return srv_set_items(profile, &overheads_way, (long[]){node_class + 1L}, levels, sizeof *levels,
                         count, error);
}

int servet_profile_set_memory_groups(servet_profile *profile, int node_class, int level,
                                     const char *const *groups, int count, servet_error *error)
{
    return srv_set_sets(profile, &overhead_groups_way, (long[]){node_class + 1L, level}, groups,
                        count, error);
}

static int scale_node(servet_profile *profile, int node_class, const servet_value *bandwidth,
                      int count, int saturation, servet_error *error)
{
    srv_edit edit;
    srv_class *changed = begin_class(&edit, profile, node_class, error);
    if (!changed)
        return SERVET_EARGUMENT;
    changed->memory_saturation = saturation;
    return srv_edit_end(&edit, srv_copy_values(bandwidth, count, &changed->memory_scaling, error));
}

int servet_profile_set_memory_scaling(servet_profile *profile, int node_class, int level,
                                      const servet_value *bandwidth, int count, int saturation,
                                      servet_error *error)
{
    srv_edit edit;
    if (level == 0)
        return scale_node(profile, node_class, bandwidth, count, saturation, error);
    srv_overhead *changed =
        srv_edit_begin(&edit, profile, &overheads_way, (long[]){node_class + 1L, level}, error);
    if (!changed)
        return SERVET_EARGUMENT;
    return srv_edit_end(&edit, srv_copy_values(bandwidth, count, &changed->scaling, error));
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
    srv_edit edit;
    srv_class *changed = begin_class(&edit, profile, node_class, error);
    if (!changed)
        return SERVET_EARGUMENT;
    int code = SRV_CHECK_RESERVED_IN(servet_numa, nodes, count, error);
    if (code == SERVET_OK)
        code = srv_new_list(count, sizeof(srv_numa_node), &changed->numa, error);
    srv_numa_node *copies = changed->numa.items;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        size_t row = (size_t)i * (size_t)count;
        code = copy_node(&nodes[i], bandwidth + row, latency + row, count, &copies[i], error);
    }
    return srv_edit_end(&edit, code);
}
