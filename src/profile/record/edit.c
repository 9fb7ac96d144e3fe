/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/record/edit.h"

#include <string.h>

static int step_down(srv_edit *edit, const srv_list_step *step, long number)
{
    const srv_field *field = srv_row_at(edit->shape, step->offset);
    const srv_list *list = (const void *)((const char *)edit->stored + step->offset);
    srv_json_path_enter(&edit->where, field->name);
    if (step->noun)
        srv_json_path_enter_item(&edit->where, (int)(number - 1));
    if (number < 1 || number > list->count)
        return srv_json_path_fail(&edit->where, "there is none");
    edit->stored = (char *)list->items + (size_t)(number - 1) * step->size;
    edit->shape = field->shape;
    return SERVET_OK;
}

static void *begin(srv_edit *edit, servet_profile *profile, const srv_way *way, int steps,
                   const long *numbers, servet_error *error)
{
    edit->shape = &srv_profile_shape;
    edit->stored = profile;
    edit->where = srv_no_file(error);
    for (int i = 0; i < steps; i++)
        if (step_down(edit, &way->step[i], way->step[i].noun ? *numbers++ : 1) != SERVET_OK)
            return NULL;
    return memcpy(&edit->copy, edit->stored, edit->shape->size);
}

void *srv_edit_begin(srv_edit *edit, servet_profile *profile, const srv_way *way,
                     const long *numbers, servet_error *error)
{
    return begin(edit, profile, way, way->steps, numbers, error);
}

int srv_edit_end(srv_edit *edit, int code)
{
    return srv_change(edit->shape, edit->stored, &edit->copy, code, &edit->where);
}

/* --- lists ------------------------------------------------------------------------------------ */

int srv_set_items(servet_profile *profile, const srv_way *way, const long *numbers,
                  const void *items, size_t size, int count, servet_error *error)
{
    srv_edit edit;
    const srv_list_step *last = &way->step[way->steps - 1];
    char *holder = begin(&edit, profile, way, way->steps - 1, numbers, error);
    if (!holder)
        return SERVET_EARGUMENT;
    srv_list *list = (void *)(holder + last->offset);
    return srv_edit_end(&edit, srv_copy_items(items, size, count, last->size, list, error));
}

int srv_set_sets(servet_profile *profile, const srv_way *way, const long *numbers,
                 const char *const *sets, int count, servet_error *error)
{
    srv_edit edit;
    char *holder = begin(&edit, profile, way, way->steps - 1, numbers, error);
    if (!holder)
        return SERVET_EARGUMENT;
    srv_list *list = (void *)(holder + way->step[way->steps - 1].offset);
    return srv_edit_end(&edit, srv_copy_sets(sets, count, list, error));
}
