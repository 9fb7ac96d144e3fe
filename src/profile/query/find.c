/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/query/find.h"

#include <string.h>

const srv_shape *const srv_scope_shapes[SRV_SCOPE_COUNT] = {
    [SRV_OF_KIND] = &srv_kind_shape,
    [SRV_OF_CLASS] = &srv_class_shape,
    [SRV_OF_PROFILE] = &srv_profile_shape,
};

int srv_way_steps(const srv_way *way)
{
    int steps = 0;
    while (steps < SRV_WAY_STEPS_MAX && way->step[steps])
        steps++;
    return steps;
}

static const srv_list *list_of(const srv_site *site, size_t offset)
{
    return (const void *)((const char *)site->item + offset);
}

int srv_site_find(const servet_profile *profile, const servet_at *at, srv_scope scope,
                  srv_site *site, servet_error *error)
{
    srv_target target;
    if (scope == SRV_OF_PROFILE) {
        srv_site_begin(site, &srv_profile_shape, profile);
        return SERVET_OK;
    }
    int code = srv_target_find(profile, at, &target, error);
    if (code != SERVET_OK)
        return code;
    const srv_core_kind *kinds = target.node_class->kinds.items;
    srv_site_begin(site, &srv_class_shape, target.node_class);
    site->core = target.core;
    if (scope == SRV_OF_KIND && target.kind)
        srv_site_enter(site, srv_row_at(&srv_class_shape, offsetof(srv_class, kinds)),
                       (int)(target.kind - kinds) + 1);
    else if (scope == SRV_OF_KIND)
        site->item = NULL;
    return SERVET_OK;
}

int srv_site_step(srv_site *site, const srv_field *list, long number)
{
    const srv_list *of = list_of(site, list->offset);
    bool numbered = list->type != SRV_MAYBE;
    if (!of->known)
        return SERVET_EUNMEASURED;
    if (numbered ? number < 1 || number > of->count : of->count == 0)
        return SERVET_ERANGE;
    srv_site_enter(site, list, numbered ? (int)number : 0);
    return SERVET_OK;
}

/* Finds the struct to which the first `steps` steps lead. */
static int descend(const servet_profile *profile, const servet_at *at, const srv_way *way,
                   int steps, const long *numbers, srv_site *site)
{
    int code = srv_site_find(profile, at, way->scope, site, NULL);
    if (code == SERVET_OK && !site->item)
        return SERVET_EUNMEASURED;
    for (int i = 0; i < steps && code == SERVET_OK; i++) {
        const srv_field *list = srv_row_at(site->shape, way->step[i]);
        code = srv_site_step(site, list, list->type == SRV_MAYBE ? 1 : *numbers++);
    }
    return code;
}

int srv_locate(const servet_profile *profile, const servet_at *at, const srv_way *way,
               const long *numbers, srv_site *site)
{
    return descend(profile, at, way, srv_way_steps(way), numbers, site);
}

int srv_find(const servet_profile *profile, const servet_at *at, const srv_way *way,
             const long *numbers, const void **item)
{
    srv_site site;
    int code = srv_locate(profile, at, way, numbers, &site);
    *item = site.item;
    return code;
}

int srv_demand(const servet_profile *profile, bool trusted)
{
    return trusted || !profile->trusted_only ? SERVET_OK : SERVET_EUNTRUSTED;
}

int srv_answer_value(const servet_profile *profile, const servet_value *from, servet_value *value)
{
    int code = servet_value_known(from) ? srv_demand(profile, from->trusted) : SERVET_EUNMEASURED;
    if (code == SERVET_OK)
        *value = *from;
    return code;
}

int srv_fetch(const servet_profile *profile, const servet_at *at, const srv_way *way,
              const long *numbers, void *copy, size_t size)
{
    srv_site site;
    int code = srv_locate(profile, at, way, numbers, &site);
    bool is_trusted = code == SERVET_OK && srv_trusts_item(profile, &site);
    if (code == SERVET_OK)
        code = srv_demand(profile, is_trusted);
    if (code != SERVET_OK)
        return code;
    memcpy(copy, site.item, size);
    if (site.shape->trusted)
        *(bool *)((char *)copy + site.shape->trusted) = is_trusted;
    return SERVET_OK;
}

int srv_fetch_value(const servet_profile *profile, const servet_at *at, const srv_way *way,
                    const long *numbers, servet_value *value)
{
    const void *item;
    int code = srv_find(profile, at, way, numbers, &item);
    return code == SERVET_OK ? srv_answer_value(profile, item, value) : code;
}

/* Finds the list of the last step, its struct, and whether the list is trusted; with `count`,
 * whether the number of its items is. */
static int locate_list(const servet_profile *profile, const servet_at *at, const srv_way *way,
                       const long *numbers, bool count, srv_site *site, const srv_list **list,
                       bool *trusted)
{
    int last = srv_way_steps(way) - 1;
    int code = descend(profile, at, way, last, numbers, site);
    if (code != SERVET_OK)
        return code;
    *list = list_of(site, way->step[last]);
    if (!(*list)->known)
        return SERVET_EUNMEASURED;
    *trusted = srv_trusts_list(profile, site, way->step[last], count);
    return SERVET_OK;
}

/* Finds the list, and fails if it is not trusted but the profile answers only trusted facts. */
static int find_list(const servet_profile *profile, const servet_at *at, const srv_way *way,
                     const long *numbers, bool count, const srv_list **list)
{
    bool trusted;
    srv_site site;
    int code = locate_list(profile, at, way, numbers, count, &site, list, &trusted);
    return code == SERVET_OK ? srv_demand(profile, trusted) : code;
}

int srv_fetch_count(const servet_profile *profile, const servet_at *at, const srv_way *way,
                    const long *numbers, int *count)
{
    const srv_list *list;
    int code = find_list(profile, at, way, numbers, true, &list);
    if (code == SERVET_OK)
        *count = list->count;
    return code;
}

int srv_fetch_set(const servet_profile *profile, const servet_at *at, const srv_way *way,
                  const long *numbers, long index, const char **cores)
{
    const srv_list *sets;
    int code = find_list(profile, at, way, numbers, false, &sets);
    return code == SERVET_OK ? srv_set_item(sets, index, cores) : code;
}

int srv_fetch_nothing(const servet_profile *profile, const servet_at *at, const srv_way *way,
                      const long *numbers)
{
    const srv_list *list;
    return profile->trusted_only ? find_list(profile, at, way, numbers, false, &list) : SERVET_OK;
}

int srv_fetch_holder(const servet_profile *profile, const servet_at *at, const srv_way *way,
                     const long *numbers, int *index)
{
    const srv_list *sets;
    bool trusted;
    srv_site site;
    int code = locate_list(profile, at, way, numbers, false, &site, &sets, &trusted);
    if (code == SERVET_OK && site.core == SERVET_ANY_CORE)
        code = SERVET_EARGUMENT;
    if (code == SERVET_OK)
        code = srv_demand(profile, trusted);
    return code == SERVET_OK ? srv_set_index(sets, site.core, index) : code;
}
