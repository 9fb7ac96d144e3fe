/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/query/find.h"

#include <string.h>

int srv_scope_find(const servet_profile *profile, const servet_at *at, srv_scope scope,
                   const void **start, servet_error *error)
{
    srv_target target = {NULL, NULL};
    int code = scope == SRV_OF_PROFILE ? SRV_CHECK_RESERVED(servet_at, at, error)
                                       : srv_target_find(profile, at, &target, error);
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

/* Where a query begins. */
static void begin_site(const servet_profile *profile, const servet_at *at, srv_scope scope,
                       const void *start, srv_site *site)
{
    static const srv_shape *const shapes[] = {
        [SRV_OF_PROFILE] = &srv_profile_shape,
        [SRV_OF_CLASS] = &srv_class_shape,
        [SRV_OF_KIND] = &srv_kind_shape,
    };
    const srv_class *class = scope == SRV_OF_PROFILE ? NULL : srv_class_named(profile, at);
    *site =
        (srv_site){.shape = shapes[scope], .item = start, .doubts = class ? &class->doubts : NULL};
    if (scope == SRV_OF_KIND)
        srv_site_name(
            site, "kinds",
            (int)((const srv_core_kind *)start - (const srv_core_kind *)class->kinds.items) + 1);
}

/* The struct that holds the list of the last step, or with `all` the item there; and where that is,
 * unless `site` is NULL. */
static int descend(const servet_profile *profile, const servet_at *at, const srv_way *way,
                   const long *numbers, bool all, const void **item, srv_site *site)
{
    int code = srv_scope_find(profile, at, way->scope, item, NULL);
    if (code == SERVET_OK && !*item)
        return SERVET_EUNMEASURED;
    if (code == SERVET_OK && site)
        begin_site(profile, at, way->scope, *item, site);
    for (int i = 0; i < way->steps - !all && code == SERVET_OK; i++) {
        const srv_list_step *step = &way->step[i];
        long number = step->noun ? *numbers++ : 1;
        code = srv_step_down(step, number, item);
        if (code == SERVET_OK && site)
            srv_site_enter(site, step->offset, step->noun ? (int)number : 0, *item);
    }
    return code;
}

int srv_locate(const servet_profile *profile, const servet_at *at, const srv_way *way,
               const long *numbers, srv_site *site)
{
    const void *item;
    return descend(profile, at, way, numbers, true, &item, site);
}

int srv_find(const servet_profile *profile, const servet_at *at, const srv_way *way,
             const long *numbers, const void **item)
{
    return descend(profile, at, way, numbers, true, item, NULL);
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
              const long *numbers, void *copy, size_t size, bool *trusted)
{
    srv_site site;
    int code = srv_locate(profile, at, way, numbers, &site);
    bool is_trusted = code == SERVET_OK && srv_trust_item(&site).trusted;
    if (code == SERVET_OK)
        code = srv_demand(profile, is_trusted);
    if (code != SERVET_OK)
        return code;
    memcpy(copy, site.item, size);
    if (trusted)
        *trusted = is_trusted;
    return SERVET_OK;
}

int srv_fetch_value(const servet_profile *profile, const servet_at *at, const srv_way *way,
                    const long *numbers, servet_value *value)
{
    const void *item;
    int code = srv_find(profile, at, way, numbers, &item);
    return code == SERVET_OK ? srv_answer_value(profile, item, value) : code;
}

/* The list of the last step; with `count` the number of its items is meant, and not what they are.
 */
static int find_list(const servet_profile *profile, const servet_at *at, const srv_way *way,
                     const long *numbers, bool count, const srv_list **list)
{
    const void *item;
    srv_site site;
    int code = descend(profile, at, way, numbers, false, &item, &site);
    if (code != SERVET_OK)
        return code;
    const srv_list_step *last = &way->step[way->steps - 1];
    const srv_field *field = srv_row_at(site.shape, last->offset);
    *list = list_of(last, item);
    if (!(*list)->known)
        return SERVET_EUNMEASURED;
    return profile->trusted_only
               ? srv_demand(profile, srv_trust_member(&site, field, count).trusted)
               : SERVET_OK;
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
    if (!srv_names_core(at))
        return SERVET_EARGUMENT;
    int code = find_list(profile, at, way, numbers, false, &sets);
    return code == SERVET_OK ? srv_set_index(sets, at->core, index) : code;
}
