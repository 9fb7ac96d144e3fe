/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/query/path.h"

#include <stdlib.h>
#include <string.h>

/* --- following a path ------------------------------------------------------------------------- */

bool srv_path_is_of_job(const char *text)
{
    return strncmp(text, "network.", strlen("network.")) == 0;
}

/* Reads the member at the beginning of the text, and moves the text behind it; NULL: there is none.
 */
static const srv_field *take_member(const srv_shape *shape, const char **text)
{
    for (const srv_field *field = shape->fields; field->name; field++) {
        size_t length = strlen(field->name);
        char end = strncmp(*text, field->name, length) == 0 ? (*text)[length] : ' ';
        if ((end == '.' && (*text)[length + 1]) || end == '\0') {
            *text += length + (end == '.');
            return field;
        }
    }
    return NULL;
}

/* Reads the number at the beginning of the text, and moves the text behind it and its '.'; false:
 * there is none. */
static bool take_number(const char **text, long *number)
{
    char *end;
    *number = strtol(*text, &end, 10);
    bool taken = end != *text && *end == '.';
    *text = taken ? end + 1 : *text;
    return taken;
}

void srv_path_enter(srv_path *path, const srv_field *list, long number)
{
    path->way.step[path->steps++] = list->offset;
    path->shape = list->shape;
    if (list->type != SRV_MAYBE)
        path->numbers[path->number_count++] = number;
}

const srv_field *srv_path_follow(srv_path *path, const char *text, const int *numbers)
{
    const srv_field *field;
    while ((field = take_member(path->shape, &text)) && *text) {
        long number = 0;
        if (!srv_has_structs(field) || path->steps == SRV_WAY_STEPS_MAX)
            return NULL;
        if (field->type != SRV_MAYBE && numbers)
            number = *numbers++;
        else if (field->type != SRV_MAYBE && !take_number(&text, &number))
            return NULL;
        srv_path_enter(path, field, number);
    }
    return field;
}

size_t srv_public_size(const srv_field *list)
{
    const srv_shape *shape = list->shape;
    if (!srv_has_structs(list) || shape == &srv_kind_shape || shape == &srv_doubt_shape ||
        shape == &srv_bimodal_shape)
        return 0;
    return shape->part ? shape->part : shape->size;
}

/* --- lists ------------------------------------------------------------------------------------ */

/* Finds the list of structs with this path; NULL: there is none. */
static const srv_field *find_list(srv_path *path, const char *text, const int *numbers)
{
    bool of_job = srv_path_is_of_job(text);
    *path = (srv_path){.way = {of_job ? SRV_OF_PROFILE : SRV_OF_CLASS, {0}},
                       .shape = of_job ? &srv_profile_shape : &srv_class_shape};
    const srv_field *list = srv_path_follow(path, text, numbers);
    bool found =
        list && list->type != SRV_MAYBE && srv_public_size(list) && path->steps < SRV_WAY_STEPS_MAX;
    return found ? list : NULL;
}

int servet_profile_count(const servet_profile *profile, const servet_at *at, const char *path,
                         const int numbers[], int *count)
{
    srv_path to;
    const srv_field *list = find_list(&to, path, numbers);
    if (!list)
        return SERVET_EKEY;
    srv_path_enter(&to, list, 0);
    return srv_fetch_count(profile, at, &to.way, to.numbers, count);
}

int servet_profile_item(const servet_profile *profile, const servet_at *at, const char *path,
                        const int numbers[], void *item, size_t size)
{
    srv_path to;
    const srv_field *list = find_list(&to, path, numbers);
    if (!list)
        return SERVET_EKEY;
    if (!numbers || size != srv_public_size(list))
        return SERVET_EARGUMENT;
    srv_path_enter(&to, list, numbers[to.number_count]);
    return srv_fetch(profile, at, &to.way, to.numbers, item, size);
}
