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
    int of_core, of_other;
    return srv_set_index(&layer->groups, core, &of_core) == SERVET_OK &&
           srv_set_index(&layer->groups, other, &of_other) == SERVET_OK && of_core == of_other;
}

int servet_distance_layer_of(const servet_profile *profile, const servet_at *at, int other,
                             int *layer)
{
    const srv_class *class;
    if (!srv_names_core(at) || other == SERVET_ANY_CORE || at->core == other)
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

int servet_distance_group_of(const servet_profile *profile, const servet_at *at, int layer,
                             int *index)
{
    const srv_distance *found;
    if (!srv_names_core(at))
        return SERVET_EARGUMENT;
    int code = find_layer(profile, at, layer, &found);
    return code == SERVET_OK ? srv_set_index(&found->groups, at->core, index) : code;
}

/* The cores of a set, as many as there is room for. */
typedef struct room {
    int *cores, size, count;
} room;

/* Adds those of `group` that are not in `inner`, a part of it that holds the core asked about. */
static void add_cores(room *to, const char *group, const char *inner, int core)
{
    int first, last;
    while (to->count < to->size && srv_ranges_next(&group, &first, &last))
        for (int i = first; i <= last && to->count < to->size; i++)
            if (i != core && !(inner && srv_ranges_contain(inner, i)))
                to->cores[to->count++] = i;
}

int servet_distance_nearest(const servet_profile *profile, const servet_at *at, int cores[],
                            int size, int *count)
{
    const srv_class *class;
    const char *inner = NULL;
    room to = {cores, size, 0};
    if (!srv_names_core(at))
        return SERVET_EARGUMENT;
    int code = srv_class_find(profile, at, &class);
    if (code == SERVET_OK && !class->distances.known)
        code = SERVET_EUNMEASURED;
    if (code != SERVET_OK)
        return code;
    const srv_distance *layers = class->distances.items;
    for (int i = 0; i < class->distances.count; i++) {
        const char *group = srv_set_with(&layers[i].groups, at->core);
        if (group)
            add_cores(&to, group, inner, at->core);
        inner = group ? group : inner;
    }
    *count = to.count;
    return SERVET_OK;
}
