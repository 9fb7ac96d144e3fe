/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts that were measured while others disturbed. */
#include "servet/record.h"

#include <string.h>

#include "core/error.h"
#include "profile/shape.h"

static void distrust(const srv_shape *shape, void *item, const char *path);

static void distrust_list(const srv_field *field, srv_list *list, const char *path)
{
    for (int i = 0; i < list->count; i++)
        distrust(field->shape, (char *)list->items + (size_t)i * field->shape->size, path);
}

static void distrust_member(const srv_field *field, void *at, const char *path)
{
    switch (field->type) {
    case SRV_VALUE:
    case SRV_OBJECT:
        distrust(field->shape, at, path);
        break;
    case SRV_VALUES:
    case SRV_MAYBE:
    case SRV_LIST:
    case SRV_FACTS:
        distrust_list(field, at, path);
        break;
    default:
        break; /* nothing that is measured */
    }
}

/* All values where the path ends, else those of the member that it begins with. */
static void distrust(const srv_shape *shape, void *item, const char *path)
{
    size_t length = strcspn(path, ". ");
    const char *rest = path + length + (path[length] == '.');
    if (shape == &srv_value_shape)
        ((servet_value *)item)->trusted = false;
    for (const srv_field *field = shape->fields; field->name; field++)
        if (length == 0 ||
            (strlen(field->name) == length && strncmp(field->name, path, length) == 0))
            distrust_member(field, (char *)item + field->offset, rest);
}

int servet_profile_distrust(servet_profile *profile, int node_class, const char *facts,
                            servet_error *error)
{
    if (node_class < 0 || node_class >= profile->classes.count)
        return srv_fail(error, SERVET_EARGUMENT, "no node class has number %d", node_class);
    srv_class *class = (srv_class *)profile->classes.items + node_class;
    for (const char *path = facts + strspn(facts, " "); *path; path += strspn(path, " ")) {
        distrust(&srv_class_shape, class, path);
        path += strcspn(path, " ");
    }
    return SERVET_OK;
}
