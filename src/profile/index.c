/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/index.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "profile/hosts.h"
#include "profile/shape/shape.h"

/* --- sets of cores ---------------------------------------------------------------------------- */

/* Sets with larger numbers are searched: a file of a few bytes, 2000000000, takes no memory. */
enum { CORES_MAX = 65536 };

/* The set of item `i` of a list. */
typedef const char *set_of(const srv_list *list, int i);

static const char *set_itself(const srv_list *list, int i)
{
    return ((char *const *)list->items)[i];
}

static const char *cores_of_kind(const srv_list *list, int i)
{
    return ((const srv_core_kind *)list->items)[i].cores;
}

/* One more than the largest number of the sets; 0 where it is too large. */
static int end_of(const srv_list *list, set_of *set_at)
{
    int first, last, end = 0;
    for (int i = 0; i < list->count; i++)
        for (const char *set = set_at(list, i); srv_ranges_next(&set, &first, &last);)
            end = last >= end ? last + 1 : end;
    return end <= CORES_MAX ? end : 0;
}

/* Notes of each number which item's set holds it. */
static int index_sets(srv_list *list, set_of *set_at)
{
    int first, last, end = end_of(list, set_at);
    if (!end)
        return SERVET_OK;
    list->holder = malloc((size_t)end * sizeof *list->holder);
    if (!list->holder)
        return SERVET_EMEMORY;
    list->holder_end = end;
    for (int i = 0; i < end; i++)
        list->holder[i] = -1;
    for (int i = 0; i < list->count; i++)
        for (const char *set = set_at(list, i); srv_ranges_next(&set, &first, &last);)
            for (int core = first; core <= last; core++)
                list->holder[core] = i;
    return SERVET_OK;
}

static int index_struct(const srv_shape *shape, void *item);

static int index_list(const srv_shape *shape, const srv_list *list)
{
    int code = SERVET_OK;
    for (int i = 0; i < list->count && code == SERVET_OK; i++)
        code = index_struct(shape, (char *)list->items + (size_t)i * shape->size);
    return code;
}

static int index_field(const srv_field *field, void *at)
{
    bool structs = field->type == SRV_LIST || field->type == SRV_FACTS || field->type == SRV_MAYBE;
    int code = SERVET_OK;
    if (field->type == SRV_SETS)
        code = index_sets(at, set_itself);
    else if (field->shape == &srv_kind_shape)
        code = index_sets(at, cores_of_kind);
    return code == SERVET_OK && structs ? index_list(field->shape, at) : code;
}

/* All lists of sets, and of what has sets, in a struct and below it. */
static int index_struct(const srv_shape *shape, void *item)
{
    int code = SERVET_OK;
    for (const srv_field *field = shape->fields; field->name && code == SERVET_OK; field++)
        code = index_field(field, (char *)item + field->offset);
    return code;
}

/* --- hosts ------------------------------------------------------------------------------------ */

static int add_hosts(srv_hosts **table, int names)
{
    *table = srv_hosts_create(names);
    return *table ? SERVET_OK : SERVET_EMEMORY;
}

/* The number of a host is that of its class. */
static int index_classes(servet_profile *profile)
{
    const srv_class *classes = profile->classes.items;
    int names = 0;
    for (int i = 0; i < profile->classes.count; i++)
        names += classes[i].nodes.count;
    int code = add_hosts(&profile->class_hosts, names);
    for (int i = 0; i < profile->classes.count && code == SERVET_OK; i++)
        for (int j = 0; j < classes[i].nodes.count; j++)
            srv_hosts_add(profile->class_hosts, ((char *const *)classes[i].nodes.items)[j], i);
    return code;
}

/* And that of a node in the job. */
static int index_job(servet_profile *profile)
{
    const srv_comm *comm = profile->network.items;
    if (!profile->network.count)
        return SERVET_OK;
    int code = add_hosts(&profile->job_hosts, comm->nodes.count);
    for (int i = 0; i < comm->nodes.count && code == SERVET_OK; i++)
        srv_hosts_add(profile->job_hosts, ((char *const *)comm->nodes.items)[i], i);
    return code;
}

void srv_index_forget_hosts(servet_profile *profile)
{
    srv_hosts_destroy(profile->class_hosts);
    srv_hosts_destroy(profile->job_hosts);
    profile->class_hosts = profile->job_hosts = NULL;
}

int srv_index_create(servet_profile *profile, servet_error *error)
{
    int code = index_struct(&srv_profile_shape, profile);
    if (code == SERVET_OK)
        code = index_classes(profile);
    if (code == SERVET_OK)
        code = index_job(profile);
    return code == SERVET_OK ? SERVET_OK : srv_fail_memory(error);
}
