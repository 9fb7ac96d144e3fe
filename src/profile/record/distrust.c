/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts that were measured while others disturbed. */
#include "servet/record.h"

#include <string.h>

#include "core/error.h"
#include "profile/record/change.h"

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

/* Whether the first `length` characters of `path` are the member's name, or there are none left. */
static bool is_meant(const srv_field *field, const char *path, size_t length)
{
    return length == 0 ||
           (strlen(field->name) == length && strncmp(field->name, path, length) == 0);
}

/* What follows the first name of a path. */
static const char *rest_of(const char *path)
{
    size_t length = strcspn(path, ". ");
    return path + length + (path[length] == '.');
}

/* What conflicts count was read from trials that others left alone, or not at all. */
static void distrust_value(servet_value *value)
{
    value->trusted = value->trusted && value->method == SERVET_METHOD_CONFLICT;
}

/* All values where the path ends, else those of the member that it begins with. */
static void distrust(const srv_shape *shape, void *item, const char *path)
{
    size_t length = strcspn(path, ". ");
    if (shape == &srv_value_shape)
        distrust_value(item);
    for (const srv_field *field = shape->fields; field->name; field++)
        if (is_meant(field, path, length))
            distrust_member(field, (char *)item + field->offset, rest_of(path));
}

/* Whether there is such a member, filled or not. */
static bool is_member(const srv_shape *shape, const char *path)
{
    size_t length = strcspn(path, ". ");
    bool found = length == 0;
    for (const srv_field *field = shape->fields; field->name && !found; field++)
        found =
            is_meant(field, path, length) && field->shape && is_member(field->shape, rest_of(path));
    return found;
}

int servet_profile_distrust(servet_profile *profile, int node_class, const char *facts,
                            servet_error *error)
{
    srv_class *class = srv_class_at(profile, node_class, error);
    const char *const begin = facts + strspn(facts, " ");
    if (!class)
        return SERVET_EARGUMENT;
    for (const char *path = begin; *path; path += strspn(path, " ")) {
        if (!is_member(&srv_class_shape, path))
            return srv_fail(error, SERVET_EARGUMENT, "no measured member is called %.*s",
                            (int)strcspn(path, " "), path);
        path += strcspn(path, " ");
    }
    for (const char *path = begin; *path; path += strspn(path, " ")) {
        distrust(&srv_class_shape, class, path);
        path += strcspn(path, " ");
    }
    return SERVET_OK;
}
