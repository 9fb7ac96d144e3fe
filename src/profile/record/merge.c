/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges profiles of single nodes into one profile. */
#include "servet/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "profile/record/edit.h"
#include "profile/here.h"
#include "profile/index.h"

int servet_profile_add_node(servet_profile *profile, int node_class, const char *host,
                            servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_index_forget(profile);
    srv_class *class = srv_class_at(profile, node_class, error);
    if (!class)
        return SERVET_EARGUMENT;
    if (srv_class_lists(class, host))
        return SERVET_OK;
    char *copy = srv_copy_text(host), **node = srv_list_add(&class->nodes, sizeof *node);
    if (!copy || !node) {
        free(copy);
        class->nodes.count -= node != NULL;
        return srv_fail_memory(error);
    }
    *node = copy;
    int code = srv_check(&srv_profile_shape, profile, &where);
    if (code != SERVET_OK) {
        free(copy);
        class->nodes.count--;
    }
    srv_find_here(profile);
    return code;
}

int servet_profile_name_class(servet_profile *profile, int node_class, const char *name,
                              servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_class *class = srv_class_at(profile, node_class, error);
    char before[SERVET_NAME_MAX];
    if (!class)
        return SERVET_EARGUMENT;
    if (strlen(name) >= SERVET_NAME_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "the name of the node class is too long: %.64s",
                        name);
    memcpy(before, class->name, sizeof before);
    snprintf(class->name, sizeof class->name, "%s", name);
    int code = srv_check(&srv_profile_shape, profile, &where);
    if (code != SERVET_OK)
        memcpy(class->name, before, sizeof before);
    return code;
}

int srv_class_adopt(servet_profile *profile, srv_class *class, const char *name,
                    servet_error *error)
{
    srv_class *adopted = srv_list_add(&profile->classes, sizeof *adopted);
    if (!adopted)
        return srv_fail_memory(error);
    *adopted = *class;
    *class = (srv_class){.name = ""};
    snprintf(adopted->name, sizeof adopted->name, "%s", name);
    return SERVET_OK;
}

int servet_profile_adopt_class(servet_profile *profile, servet_profile *from, const char *name,
                               servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_index_forget(profile);
    srv_index_forget(from);
    srv_class *moved = srv_class_at(from, 0, error);
    if (!moved)
        return SERVET_EARGUMENT;
    const srv_class before = *moved;
    int code = srv_class_adopt(profile, moved, name, error);
    if (code != SERVET_OK)
        return code;
    code = srv_check(&srv_profile_shape, profile, &where);
    if (code != SERVET_OK) {
        *moved = before;
        profile->classes.count--;
        return code;
    }
    from->classes.count--;
    memmove(moved, moved + 1, (size_t)from->classes.count * sizeof *moved);
    srv_find_here(from);
    srv_find_here(profile);
    return SERVET_OK;
}
