/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries about what cores lose to each other: false sharing, and the way between them. */
#include "core/ranges.h"
#include "profile/query/find.h"

static const srv_way coherence_way = {SRV_OF_CLASS, {offsetof(srv_class, coherence)}};
static const srv_way layers_way = {SRV_OF_CLASS, {offsetof(srv_class, distances)}};
static const srv_way groups_way = {
    SRV_OF_CLASS, {offsetof(srv_class, distances), offsetof(srv_distance, groups)}};

int servet_coherence_get(const servet_profile *profile, const servet_at *at,
                         servet_coherence *coherence)
{
    return srv_fetch(profile, at, &coherence_way, NULL, coherence, sizeof *coherence,
                     &coherence->trusted);
}

SRV_LEVEL_QUERIES(servet_distance_layer_count, servet_distance_layer_get, servet_distance_layer,
                  layers_way)
SRV_GROUP_QUERIES(servet_distance_group_count, servet_distance_group, servet_distance_group_of,
                  groups_way)

/* --- near cores ------------------------------------------------------------------------------- */

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
    servet_at near = at ? *at : (servet_at){.node_class = NULL};
    int core = srv_core_meant(profile, at);
    if (core == SERVET_ANY_CORE || other == SERVET_ANY_CORE || other == SERVET_THIS_CORE ||
        core == other)
        return SERVET_EARGUMENT;
    servet_at far = near;
    near.core = core;
    far.core = other;
    int code = srv_class_find(profile, &near, &class);
    if (code == SERVET_OK)
        code = srv_class_find(profile, &far, &class);
    if (code != SERVET_OK)
        return code;
    const srv_list *list = &class->distances;
    const srv_distance *layers = list->items;
    for (int i = 0; i < list->count; i++)
        if (joins(&layers[i], core, other)) {
            code = srv_fetch_nothing(profile, at, &groups_way, (long[]){i + 1L});
            if (code == SERVET_OK)
                *layer = i + 1;
            return code;
        }
    return SERVET_EUNMEASURED;
}

/* The cores of a set, as many as there is room for. */
typedef struct room {
    int *cores, size, count;
} room;

/* Adds those of `group` that are not in `inner`, a part of it that holds the queried core. */
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
    int core = srv_core_meant(profile, at);
    if (core == SERVET_ANY_CORE)
        return SERVET_EARGUMENT;
    int code = srv_class_find(profile, at, &class);
    if (code == SERVET_OK && !class->distances.known)
        code = SERVET_EUNMEASURED;
    if (code != SERVET_OK)
        return code;
    const srv_distance *layers = class->distances.items;
    for (int i = 0; i < class->distances.count; i++) {
        code = srv_fetch_nothing(profile, at, &groups_way, (long[]){i + 1L});
        if (code != SERVET_OK && code != SERVET_EUNMEASURED)
            return code;
        const char *group = srv_set_with(&layers[i].groups, core);
        if (group)
            add_cores(&to, group, inner, core);
        inner = group ? group : inner;
    }
    *count = to.count;
    return SERVET_OK;
}
