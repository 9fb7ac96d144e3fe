/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/record/edit.h"

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

/* --- the struct that is changed --------------------------------------------------------------- */

/* Notes the nearest struct around the edited one that has rules. The rules of the profile are not
 * noted: they concern its classes, which an edit below it does not change. */
static void note_outer(srv_edit *edit)
{
    if (!edit->shape->check || edit->shape == &srv_profile_shape)
        return;
    edit->outer = edit->shape;
    edit->outer_item = edit->stored;
    edit->outer_depth = edit->where.depth;
}

static void step_down(srv_edit *edit, const srv_field *field, long number)
{
    note_outer(edit);
    const srv_list *list = (const void *)((const char *)edit->stored + field->offset);
    srv_json_path_enter(&edit->where, field->name);
    if (field->type != SRV_MAYBE)
        srv_json_path_enter_item(&edit->where, (int)(number - 1));
    if (number < 1 || number > list->count) {
        edit->code = srv_json_path_fail(&edit->where, "there is none");
        return;
    }
    edit->stored = (char *)list->items + (size_t)(number - 1) * srv_item_size(field);
    edit->shape = field->shape;
}

void *srv_edit_begin(srv_edit *edit, servet_profile *profile, const srv_way *way,
                     const long *numbers, servet_error *error)
{
    srv_trusted_forget(profile);
    edit->code = SERVET_OK;
    edit->shape = &srv_profile_shape;
    edit->stored = profile;
    edit->outer = NULL;
    edit->where = srv_no_file(error);
    for (int i = 0; way && i < srv_way_steps(way) && edit->code == SERVET_OK; i++) {
        const srv_field *field = srv_row_at(edit->shape, way->step[i]);
        step_down(edit, field, field->type == SRV_MAYBE ? 1 : *numbers++);
    }
    if (edit->code == SERVET_OK)
        return memcpy(&edit->copy, edit->stored, edit->shape->size);
    edit->stored = NULL;
    return memset(&edit->copy, 0, sizeof edit->copy);
}

/* --- the stored struct or its copy ------------------------------------------------------------ */

#define FITS(type) static_assert(sizeof(type) <= sizeof(((srv_edit *)0)->copy), "a copy has room")
FITS(srv_core_kind);
FITS(srv_cache);
FITS(srv_comm_layer);
FITS(srv_overhead);
FITS(srv_numa_node);
FITS(srv_accelerator);
#undef FITS

static_assert(offsetof(srv_list, items) == 0, "what owns something begins with a pointer to it");

/* Frees memory that `dropped` owns and `kept` does not. Other members may be cleared, too. */
static void free_rest(const srv_shape *shape, char *dropped, const char *kept)
{
    for (const srv_field *field = shape->fields; field->name; field++) {
        size_t bytes = srv_member_size(field), at = field->offset;
        if (bytes >= sizeof(void *) && memcmp(dropped + at, kept + at, sizeof(void *)) == 0)
            memset(dropped + at, 0, bytes);
    }
    srv_shape_free(shape, dropped);
}

void srv_swap(void *a, void *b, size_t size)
{
    char *x = a, *y = b;
    for (size_t i = 0; i < size; i++) {
        char kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

static void swap(srv_edit *edit)
{
    srv_swap(edit->stored, &edit->copy, edit->shape->size);
}

/* Replaces the stored struct by the copy, unless that breaks a rule of the struct around it. */
static int exchange(srv_edit *edit)
{
    swap(edit);
    edit->where.depth = edit->outer ? edit->outer_depth : edit->where.depth;
    int code = edit->outer ? edit->outer->check(edit->outer_item, &edit->where) : SERVET_OK;
    if (code != SERVET_OK)
        swap(edit);
    return code;
}

int srv_edit_end(srv_edit *edit)
{
    if (!edit->stored)
        return edit->code;
    if (edit->code == SERVET_OK)
        edit->code = srv_check(edit->shape, &edit->copy, &edit->where);
    if (edit->code == SERVET_OK && srv_index_sets(edit->shape, &edit->copy) != SERVET_OK)
        edit->code = srv_fail_memory(edit->where.error);
    if (edit->code == SERVET_OK)
        edit->code = exchange(edit);
    free_rest(edit->shape, (char *)&edit->copy, edit->stored);
    return edit->code;
}

/* --- lists ------------------------------------------------------------------------------------ */

char *srv_copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

void *srv_edit_list(srv_edit *edit, srv_list *list, int count, size_t size)
{
    *list = (srv_list){0};
    if (edit->code == SERVET_OK && count < 0)
        edit->code = srv_fail(edit->where.error, SERVET_EARGUMENT, "a list of %d items", count);
    void *items = edit->code == SERVET_OK ? calloc((size_t)count + 1, size) : NULL;
    if (edit->code == SERVET_OK && !items)
        edit->code = srv_fail_memory(edit->where.error);
    if (items)
        *list = (srv_list){.items = items, .count = count, .known = true};
    return items;
}

void srv_edit_items(srv_edit *edit, srv_list *list, const void *items, size_t item_size, int count,
                    size_t size)
{
    char *copies = srv_edit_list(edit, list, count, size);
    for (int i = 0; i < count && copies; i++)
        memcpy(copies + (size_t)i * size, (const char *)items + (size_t)i * item_size, item_size);
}

void srv_edit_texts(srv_edit *edit, srv_list *list, const char *const *texts, int count)
{
    char **copies = srv_edit_list(edit, list, count, sizeof *copies);
    for (int i = 0; i < count && copies && edit->code == SERVET_OK; i++)
        if (!(copies[i] = srv_copy_text(texts[i])))
            edit->code = srv_fail_memory(edit->where.error);
}

void srv_edit_values(srv_edit *edit, srv_list *list, const servet_value *values, int count)
{
    *list = (srv_list){0};
    if (count)
        srv_edit_items(edit, list, values, sizeof *values, count, sizeof *values);
}
