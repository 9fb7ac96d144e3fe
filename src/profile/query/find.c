/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/query/find.h"

#include <string.h>

int srv_scope_find(const servet_profile *profile, const servet_at *at, srv_scope scope,
                   const void **start, servet_error *error)
{
    srv_target target = {NULL, NULL};
    int code = SERVET_OK;
    if (scope != SRV_OF_PROFILE)
        code = srv_target_find(profile, at, &target, error);
    const void *const starts[] = {
        [SRV_OF_PROFILE] = profile,
        [SRV_OF_CLASS] = target.node_class,
        [SRV_OF_KIND] = target.kind,
    };
    *start = starts[scope];
    return code;
}

static const srv_list *list_of(const srv_list_step *step, const void *at)
{
    return (const void *)((const char *)at + step->offset);
}

int srv_step_down(const srv_list_step *step, long number, const void **at)
{
    return srv_list_item(list_of(step, *at), number - 1, step->size, at);
}

/* The struct that holds the list of the last step, or with `all` the item there. */
static int descend(const servet_profile *profile, const servet_at *at, const srv_way *way,
                   const long *numbers, bool all, const void **item)
{
    int code = srv_scope_find(profile, at, way->scope, item, NULL);
    if (code == SERVET_OK && !*item)
        return SERVET_EUNMEASURED;
    for (int i = 0; i < way->steps - !all && code == SERVET_OK; i++)
        code = srv_step_down(&way->step[i], way->step[i].noun ? *numbers++ : 1, item);
    return code;
}

int srv_find(const servet_profile *profile, const servet_at *at, const srv_way *way,
             const long *numbers, const void **item)
{
    return descend(profile, at, way, numbers, true, item);
}

int srv_fetch(const servet_profile *profile, const servet_at *at, const srv_way *way,
              const long *numbers, void *copy, size_t size)
{
    const void *item;
    int code = srv_find(profile, at, way, numbers, &item);
    if (code == SERVET_OK)
        memcpy(copy, item, size);
    return code;
}

int srv_fetch_value(const servet_profile *profile, const servet_at *at, const srv_way *way,
                    const long *numbers, servet_value *value)
{
    const void *item;
    int code = srv_find(profile, at, way, numbers, &item);
    return code == SERVET_OK ? srv_value_known(item, value) : code;
}

static int find_list(const servet_profile *profile, const servet_at *at, const srv_way *way,
                     const long *numbers, const srv_list **list)
{
    const void *item;
    int code = descend(profile, at, way, numbers, false, &item);
    if (code == SERVET_OK)
        *list = list_of(&way->step[way->steps - 1], item);
    return code;
}

int srv_fetch_count(const servet_profile *profile, const servet_at *at, const srv_way *way,
                    const long *numbers, int *count)
{
    const srv_list *list;
    int code = find_list(profile, at, way, numbers, &list);
    if (code == SERVET_OK && !list->known)
        return SERVET_EUNMEASURED;
    if (code == SERVET_OK)
        *count = list->count;
    return code;
}

int srv_fetch_holder(const servet_profile *profile, const servet_at *at, const srv_way *way,
                     const long *numbers, int *index)
{
    const srv_list *sets;
    if (!srv_names_core(at))
        return SERVET_EARGUMENT;
    int code = find_list(profile, at, way, numbers, &sets);
    return code == SERVET_OK ? srv_set_index(sets, at->core, index) : code;
}
