/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries of pairs of cores: false sharing, and their distance. */
#include "core/ranges.h"
#include "profile/query/find.h"
#include "profile/spans.h"

static const srv_way coherence_way = {SRV_OF_CLASS, {offsetof(srv_class, coherence)}};
static const srv_way layers_way = {SRV_OF_CLASS, {offsetof(srv_class, distances)}};
static const srv_way groups_way = {
    SRV_OF_CLASS, {offsetof(srv_class, distances), offsetof(srv_distance, groups)}};

int servet_coherence_get(const servet_profile *profile, const servet_at *at,
                         servet_coherence *coherence)
{
    return srv_fetch(profile, at, &coherence_way, NULL, coherence, sizeof *coherence);
}

SRV_LEVEL_QUERIES(servet_distance_layer_count, servet_distance_layer_get, servet_distance_layer,
                  layers_way)
SRV_GROUP_QUERIES(servet_distance_group_count, servet_distance_group, servet_distance_group_of,
                  groups_way)

/* --- near cores ------------------------------------------------------------------------------- */

static bool joins(const srv_distance *layer, int core, int other)
{
    int group = srv_spans_find(&layer->groups, (servet_place){0, core});
    return group >= 0 && group == srv_spans_find(&layer->groups, (servet_place){0, other});
}

int servet_distance_layer_of(const servet_profile *profile, const servet_at *at, int other,
                             int *layer)
{
    srv_target target;
    int code = srv_target_find(profile, at, &target, NULL);
    if (code != SERVET_OK)
        return code;
    if (target.core == SERVET_ANY_CORE || other == SERVET_ANY_CORE || other == SERVET_THIS_CORE ||
        target.core == other)
        return SERVET_EARGUMENT;
    if (!srv_kind_with(target.node_class, other))
        return SERVET_ERANGE;
    const srv_list *list = &target.node_class->distances;
    const srv_distance *layers = list->items;
    for (int i = 0; i < list->count; i++)
        if (joins(&layers[i], target.core, other)) {
            code = srv_fetch_nothing(profile, at, &groups_way, (long[]){i + 1L});
            if (code == SERVET_OK)
                *layer = i + 1;
            return code;
        }
    return SERVET_EUNMEASURED;
}

/* Room for the cores of a set. */
typedef struct room {
    int *cores, size, count;
} room;

/* Adds the cores of `group` that are not in `inner`, the part of it with the queried core. */
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
    srv_target target;
    const char *inner = NULL;
    room to = {cores, size, 0};
    int code = srv_target_find(profile, at, &target, NULL);
    if (code == SERVET_OK && target.core == SERVET_ANY_CORE)
        code = SERVET_EARGUMENT;
    if (code == SERVET_OK && !target.node_class->distances.known)
        code = SERVET_EUNMEASURED;
    if (code != SERVET_OK)
        return code;
    const srv_list *list = &target.node_class->distances;
    const srv_distance *layers = list->items;
    for (int i = 0; i < list->count; i++) {
        code = srv_fetch_nothing(profile, at, &groups_way, (long[]){i + 1L});
        if (code != SERVET_OK && code != SERVET_EUNMEASURED)
            return code;
        const char *group = srv_set_with(&layers[i].groups, target.core);
        if (group)
            add_cores(&to, group, inner, target.core);
        inner = group ? group : inner;
    }
    *count = to.count;
    return SERVET_OK;
}
