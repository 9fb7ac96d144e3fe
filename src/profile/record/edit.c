/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/record/edit.h"

#include <string.h>

static int step_down(srv_edit *edit, const srv_field *field, long number)
{
    const srv_list *list = (const void *)((const char *)edit->stored + field->offset);
    srv_json_path_enter(&edit->where, field->name);
    if (field->type != SRV_MAYBE)
        srv_json_path_enter_item(&edit->where, (int)(number - 1));
    if (number < 1 || number > list->count)
        return srv_json_path_fail(&edit->where, "there is none");
    edit->stored = (char *)list->items + (size_t)(number - 1) * srv_item_size(field);
    edit->shape = field->shape;
    return SERVET_OK;
}

static void *begin(srv_edit *edit, servet_profile *profile, const srv_way *way, int steps,
                   const long *numbers, servet_error *error)
{
    edit->shape = &srv_profile_shape;
    edit->stored = profile;
    edit->where = srv_no_file(error);
    for (int i = 0; i < steps; i++) {
        const srv_field *field = srv_row_named(edit->shape, way->step[i]);
        if (step_down(edit, field, field->type == SRV_MAYBE ? 1 : *numbers++) != SERVET_OK)
            return NULL;
    }
    return memcpy(&edit->copy, edit->stored, edit->shape->size);
}

void *srv_edit_begin(srv_edit *edit, servet_profile *profile, const srv_way *way,
                     const long *numbers, servet_error *error)
{
    return begin(edit, profile, way, srv_way_steps(way), numbers, error);
}

int srv_edit_end(srv_edit *edit, int code)
{
    return srv_change(edit->shape, edit->stored, &edit->copy, code, &edit->where);
}

/* --- lists ------------------------------------------------------------------------------------ */

/* The row of the list of the last step, `*list` being that in the copy of what holds it; NULL, with
 * the error told, where nothing does. */
static const srv_field *begin_list(srv_edit *edit, servet_profile *profile, const srv_way *way,
                                   const long *numbers, srv_list **list, servet_error *error)
{
    int last = srv_way_steps(way) - 1;
    char *holder = begin(edit, profile, way, last, numbers, error);
    const srv_field *field = holder ? srv_row_named(edit->shape, way->step[last]) : NULL;
    *list = field ? (void *)(holder + field->offset) : NULL;
    return field;
}

int srv_set_items(servet_profile *profile, const srv_way *way, const long *numbers,
                  const void *items, size_t size, int count, servet_error *error)
{
    srv_edit edit;
    srv_list *list;
    const srv_field *field = begin_list(&edit, profile, way, numbers, &list, error);
    return field ? srv_edit_end(
                       &edit, srv_copy_items(items, size, count, srv_item_size(field), list, error))
                 : SERVET_EARGUMENT;
}

int srv_set_sets(servet_profile *profile, const srv_way *way, const long *numbers,
                 const char *const *sets, int count, servet_error *error)
{
    srv_edit edit;
    srv_list *list;
    return begin_list(&edit, profile, way, numbers, &list, error)
               ? srv_edit_end(&edit, srv_copy_sets(sets, count, list, error))
               : SERVET_EARGUMENT;
}
