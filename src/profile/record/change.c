/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/record/change.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "profile/index.h"

srv_json_path srv_no_file(servet_error *error)
{
    return (srv_json_path){SERVET_EARGUMENT, NULL, NULL, error, 0, {{NULL, 0}}};
}

srv_class *srv_class_at(servet_profile *profile, int node_class, servet_error *error)
{
    if (node_class >= 0 && node_class < profile->classes.count)
        return (srv_class *)profile->classes.items + node_class;
    srv_fail(error, SERVET_EARGUMENT, "no node class has number %d", node_class);
    return NULL;
}

/* --- which one stays -------------------------------------------------------------------------- */

static_assert(offsetof(srv_list, items) == 0, "what owns something begins with a pointer to it");

/* Bytes of a member that owns something, a pointer to it first; 0 for the others. */
static size_t owning_bytes(srv_type type)
{
    switch (type) {
    case SRV_STRING:
        return sizeof(char *);
    case SRV_STRINGS:
    case SRV_SETS:
    case SRV_PLACES:
    case SRV_VALUES:
    case SRV_MAYBE:
    case SRV_LIST:
    case SRV_FACTS:
        return sizeof(srv_list);
    default:
        return 0;
    }
}

/* Frees what `dropped` owns and `kept` does not. */
static void free_rest(const srv_shape *shape, char *dropped, const char *kept)
{
    for (const srv_field *field = shape->fields; field->name; field++) {
        size_t bytes = owning_bytes(field->type), at = field->offset;
        if (bytes && memcmp(dropped + at, kept + at, sizeof(void *)) == 0)
            memset(dropped + at, 0, bytes);
    }
    srv_shape_free(shape, dropped);
}

int srv_change(const srv_shape *shape, void *stored, void *changed, int code, srv_json_path *where)
{
    if (code == SERVET_OK)
        code = srv_check(shape, changed, where);
    if (code == SERVET_OK && srv_index_sets(shape, changed) != SERVET_OK)
        code = srv_fail_memory(where->error);
    if (code != SERVET_OK) {
        free_rest(shape, changed, stored);
        return code;
    }
    free_rest(shape, stored, changed);
    memcpy(stored, changed, shape->size);
    return SERVET_OK;
}

/* --- copies ----------------------------------------------------------------------------------- */

char *srv_copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

int srv_new_list(int count, size_t size, srv_list *list, servet_error *error)
{
    *list = (srv_list){0};
    if (count < 0)
        return srv_fail(error, SERVET_EARGUMENT, "a list of %d items", count);
    void *items = calloc((size_t)count + 1, size);
    if (!items)
        return srv_fail_memory(error);
    *list = (srv_list){.items = items, .count = count, .known = true};
    return SERVET_OK;
}

int srv_copy_items(const void *items, size_t item_size, int count, size_t size, srv_list *list,
                   servet_error *error)
{
    int code = srv_new_list(count, size, list, error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        memcpy((char *)list->items + (size_t)i * size, (const char *)items + (size_t)i * item_size,
               item_size);
    return code;
}

int srv_copy_sets(const char *const *sets, int count, srv_list *list, servet_error *error)
{
    int code = srv_new_list(count, sizeof *sets, list, error);
    char **copies = list->items;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        if (!(copies[i] = srv_copy_text(sets[i])))
            code = srv_fail_memory(error);
    return code;
}

int srv_copy_values(const servet_value *values, int count, srv_list *list, servet_error *error)
{
    *list = (srv_list){0};
    if (count == 0)
        return SERVET_OK;
    return srv_copy_items(values, sizeof *values, count, sizeof *values, list, error);
}
