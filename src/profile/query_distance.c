/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about what cores lose to each other: false sharing, and the way between them. */
#include "core/ranges.h"
#include "profile/types.h"

int servet_coherence_get(const servet_profile *profile, const servet_at *at,
                         servet_coherence *coherence)
{
    const srv_class *class;
    const void *found;
    int code = srv_class_find(profile, at, &class);
    if (code == SERVET_OK)
        code = srv_list_item(&class->coherence, 0, sizeof *coherence, &found);
    if (code == SERVET_OK)
        *coherence = *(const servet_coherence *)found;
    return code;
}

static int find_layer(const servet_profile *profile, const servet_at *at, int layer,
                      const srv_distance **answer)
{
    const srv_class *class;
    const void *found;
    int code = srv_class_find(profile, at, &class);
    if (code == SERVET_OK)
        code = srv_list_item(&class->distances, layer - 1L, sizeof **answer, &found);
    if (code == SERVET_OK)
        *answer = found;
    return code;
}

int servet_distance_layer_count(const servet_profile *profile, const servet_at *at, int *count)
{
    const srv_class *class;
    int code = srv_class_find(profile, at, &class);
    return code == SERVET_OK ? srv_list_count(&class->distances, count) : code;
}

int servet_distance_layer_get(const servet_profile *profile, const servet_at *at, int layer,
                              servet_distance_layer *answer)
{
    const srv_distance *found;
    int code = find_layer(profile, at, layer, &found);
    if (code == SERVET_OK)
        *answer = found->fact;
    return code;
}

int servet_distance_group_count(const servet_profile *profile, const servet_at *at, int layer,
                                int *count)
{
    const srv_distance *found;
    int code = find_layer(profile, at, layer, &found);
    return code == SERVET_OK ? srv_list_count(&found->groups, count) : code;
}

int servet_distance_group(const servet_profile *profile, const servet_at *at, int layer, int index,
                          const char **cores)
{
    const srv_distance *found;
    int code = find_layer(profile, at, layer, &found);
    return code == SERVET_OK ? srv_set_item(&found->groups, index, cores) : code;
}

static bool joins(const srv_distance *layer, int core, int other)
{
    char *const *groups = layer->groups.items;
    for (int i = 0; i < layer->groups.count; i++)
        if (srv_ranges_contain(groups[i], core))
            return srv_ranges_contain(groups[i], other);
    return false;
}

int servet_distance_layer_of(const servet_profile *profile, const servet_at *at, int other,
                             int *layer)
{
    const srv_class *class;
    if (!at || at->core == SERVET_ANY_CORE || other == SERVET_ANY_CORE || at->core == other)
        return SERVET_EARGUMENT;
    const servet_at there = {at->node_class, other};
    int code = srv_class_find(profile, &there, &class);
    if (code == SERVET_OK)
        code = srv_class_find(profile, at, &class);
    if (code != SERVET_OK)
        return code;
    const srv_distance *layers = class->distances.items;
    for (int i = 0; i < class->distances.count; i++)
        if (joins(&layers[i], at->core, other)) {
            *layer = i + 1;
            return SERVET_OK;
        }
    return SERVET_EUNMEASURED;
}
