/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/index.h"

#include <stddef.h>

#include "core/error.h"
#include "profile/hosts.h"
#include "profile/shape/shape.h"
#include "profile/spans.h"
#include "profile/trusted.h"
#include "profile/types.h"

/* --- sets of cores ---------------------------------------------------------------------------- */

int srv_index_kinds(srv_list *kinds)
{
    return srv_spans_note(kinds, sizeof(srv_core_kind), offsetof(srv_core_kind, cores));
}

static int index_list(const srv_shape *shape, const srv_list *list)
{
    int code = SERVET_OK;
    for (int i = 0; i < list->count && code == SERVET_OK; i++)
        code = srv_index_sets(shape, (char *)list->items + (size_t)i * shape->size);
    return code;
}

static int index_field(const srv_field *field, srv_list *list)
{
    int code = SERVET_OK;
    if (field->type == SRV_SETS && !list->spans)
        code = srv_spans_note(list, sizeof(char *), 0);
    else if (field->shape == &srv_kind_shape && !list->spans)
        code = srv_index_kinds(list);
    return code == SERVET_OK && srv_has_structs(field) ? index_list(field->shape, list) : code;
}

int srv_index_sets(const srv_shape *shape, void *item)
{
    int code = SERVET_OK;
    for (const srv_field *field = shape->fields; field->name && code == SERVET_OK; field++)
        code = index_field(field, (void *)((char *)item + field->offset));
    return code;
}

static int index_groups(const servet_profile *profile, srv_json_path *where)
{
    const srv_comm *comm = profile->network.items;
    int code = SERVET_OK;
    srv_json_path_enter(where, "network");
    srv_json_path_enter(where, "layers");
    for (int i = 0; comm && i < comm->layers.count && code == SERVET_OK; i++) {
        srv_json_path_enter_item(where, i);
        code =
            srv_spans_note_groups(&((srv_comm_layer *)comm->layers.items)[i].groups, comm, where);
        srv_json_path_leave(where);
    }
    srv_json_path_leave(where);
    srv_json_path_leave(where);
    return code;
}

/* --- hosts ------------------------------------------------------------------------------------ */

static int add_hosts(srv_hosts **table, int names)
{
    *table = srv_hosts_create(names);
    return *table ? SERVET_OK : SERVET_EMEMORY;
}

/* Makes the table of hosts in classes; the number of a host is the number of its class. */
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

/* Makes the table of hosts in the job; the number of a host is the number of the node. */
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

void srv_index_forget(servet_profile *profile)
{
    srv_hosts_destroy(profile->class_hosts);
    srv_hosts_destroy(profile->job_hosts);
    profile->class_hosts = profile->job_hosts = NULL;
    srv_trusted_forget(profile);
}

int srv_index_create(servet_profile *profile, srv_json_path *where)
{
    int code = index_groups(profile, where);
    if (code != SERVET_OK)
        return code;
    code = srv_index_sets(&srv_profile_shape, profile);
    if (code == SERVET_OK)
        code = index_classes(profile);
    if (code == SERVET_OK)
        code = index_job(profile);
    return code == SERVET_EMEMORY ? srv_fail_memory(where->error) : code;
}

/* --- the class that lists a host ---------------------------------------------------------------
 */

bool srv_class_lists(const srv_class *class, const char *host)
{
    char *const *nodes = class->nodes.items;
    for (int i = 0; i < class->nodes.count; i++)
        if (srv_same_host(nodes[i], host))
            return true;
    return false;
}

static int search_class(const servet_profile *profile, const char *host)
{
    const srv_class *classes = profile->classes.items;
    for (int i = 0; i < profile->classes.count; i++)
        if (srv_class_lists(&classes[i], host))
            return i;
    return -1;
}

int servet_profile_class_of(const servet_profile *profile, const char *host, int *index)
{
    int found = profile->class_hosts ? srv_hosts_find(profile->class_hosts, host)
                                     : search_class(profile, host);
    if (found < 0)
        return SERVET_ENOTFOUND;
    *index = found;
    return SERVET_OK;
}
