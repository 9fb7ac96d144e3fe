/* SPDX-License-Identifier: BSD-3-Clause */
/* Records facts of the cores of a node together. */
#include "servet/record.h"

#include "profile/record/edit.h"

static const srv_way class_way = {SRV_OF_PROFILE, {offsetof(servet_profile, classes)}};
static const srv_way coherence_way = {
    SRV_OF_PROFILE, {offsetof(servet_profile, classes), offsetof(srv_class, coherence)}};
static const srv_way distances_way = {
    SRV_OF_PROFILE, {offsetof(servet_profile, classes), offsetof(srv_class, distances)}};
static const srv_way distance_groups_way = {SRV_OF_PROFILE,
                                            {offsetof(servet_profile, classes),
                                             offsetof(srv_class, distances),
                                             offsetof(srv_distance, groups)}};
static const srv_way kernels_way = {
    SRV_OF_PROFILE, {offsetof(servet_profile, classes), offsetof(srv_class, memory_bandwidth)}};
static const srv_way overheads_way = {
    SRV_OF_PROFILE, {offsetof(servet_profile, classes), offsetof(srv_class, memory_levels)}};
static const srv_way overhead_groups_way = {SRV_OF_PROFILE,
                                            {offsetof(servet_profile, classes),
                                             offsetof(srv_class, memory_levels),
                                             offsetof(srv_overhead, groups)}};

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

int servet_profile_set_memory_scaling(servet_profile *profile, int node_class, int level,
                                      const servet_value *bandwidth, int count, int saturation,
                                      servet_error *error)
{
    srv_edit edit;
    if (level == 0) {
        srv_class *changed = begin_class(&edit, profile, node_class, error);
        changed->memory_saturation = saturation;
        srv_edit_values(&edit, &changed->memory_scaling, bandwidth, count);
    } else {
        srv_overhead *changed =
            srv_edit_begin(&edit, profile, &overheads_way, (long[]){node_class + 1L, level}, error);
        srv_edit_values(&edit, &changed->scaling, bandwidth, count);
    }
    return srv_edit_end(&edit);
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

/* A row of a matrix; where nothing of it is known, it was not measured. */
static void copy_row(srv_edit *edit, srv_list *list, const servet_value *row, int count)
{
    int known = 0;
    for (int i = 0; i < count; i++)
        known += servet_value_known(&row[i]);
    srv_edit_values(edit, list, row, known ? count : 0);
}

int servet_profile_set_numa(servet_profile *profile, int node_class, const servet_numa *nodes,
                            int count, const servet_value *bandwidth, const servet_value *latency,
                            servet_error *error)
{
    srv_edit edit;
    srv_class *changed = begin_class(&edit, profile, node_class, error);
    srv_numa_node *copies = srv_edit_list(&edit, &changed->numa, count, sizeof *copies);
    for (int i = 0; i < count && edit.code == SERVET_OK; i++) {
        size_t row = (size_t)i * (size_t)count;
        copies[i].number = nodes[i].number;
        copies[i].cores = srv_copy_text(nodes[i].cores);
        if (!copies[i].cores)
            edit.code = srv_fail_memory(error);
        copy_row(&edit, &copies[i].bandwidth, bandwidth + row, count);
        copy_row(&edit, &copies[i].latency, latency + row, count);
    }
    return srv_edit_end(&edit);
}
