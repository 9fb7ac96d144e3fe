/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores facts by their paths; the schema gives their place and their type. */
#include "servet/record.h"

#include <string.h>

#include "profile/query/path.h"
#include "profile/record/edit.h"
#include "profile/spans.h"

/* --- one function for each type --------------------------------------------------------------- */

/* Returns the size of each fact of a member; 0: it cannot be set. */
static size_t size_of(const srv_field *field)
{
    switch (field->type) {
    case SRV_COUNT:
        return sizeof(int);
    case SRV_VALUE:
    case SRV_VALUES:
        return sizeof(servet_value);
    case SRV_SETS:
    case SRV_PLACES:
        return sizeof(char *);
    case SRV_MAYBE:
    case SRV_LIST:
    case SRV_FACTS:
        return srv_public_size(field);
    default:
        return 0;
    }
}

/* Returns the limit of items; a longer list is not read. */
static int most_of(const srv_field *field)
{
    return field->type == SRV_MAYBE ? 1 : srv_items_max(field);
}

/* Copies the texts of public structs, which belong to the caller. */
static void copy_texts(srv_edit *edit, const srv_shape *shape, const srv_list *list)
{
    for (const srv_field *field = shape->fields; field->name; field++)
        for (int i = 0; i < list->count && field->type == SRV_STRING; i++) {
            char **text = (void *)((char *)list->items + (size_t)i * shape->size + field->offset);
            *text = edit->code == SERVET_OK ? srv_copy_text(*text) : NULL;
            if (edit->code == SERVET_OK && !*text)
                edit->code = srv_fail_memory(edit->where.error);
        }
}

static void put(srv_edit *edit, const srv_field *field, void *at, const void *facts, int count)
{
    switch (field->type) {
    case SRV_COUNT:
    case SRV_VALUE:
        memcpy(at, facts, size_of(field));
        break;
    case SRV_VALUES:
        srv_edit_values(edit, at, facts, count);
        break;
    case SRV_SETS:
    case SRV_PLACES:
        srv_edit_texts(edit, at, facts, count);
        break;
    default:
        if (field->type == SRV_MAYBE && count == 0) {
            *(srv_list *)at = (srv_list){0};
            break;
        }
        srv_edit_items(edit, at, facts, size_of(field), count, field->shape->size);
        copy_texts(edit, field->shape, at);
        break;
    }
}

/* Notes which group has a core, for the nodes of the job. */
static void note_groups(srv_edit *edit, servet_profile *profile, srv_list *groups)
{
    if (edit->code == SERVET_OK)
        edit->code = srv_check(edit->shape, &edit->copy, &edit->where);
    if (edit->code == SERVET_OK)
        edit->code = srv_spans_note_groups(groups, profile->network.items, &edit->where);
}

/* --- replaced facts --------------------------------------------------------------------------- */

static void forget_member(servet_profile *profile, int node_class, const char *path)
{
    if (srv_path_is_of_job(path)) {
        srv_comm *comm = profile->network.items;
        srv_forget(&comm->doubts, sizeof(srv_doubt), path + strlen("network."));
        srv_forget(&comm->modes, sizeof(srv_bimodal), path + strlen("network."));
    } else {
        srv_class *class = (srv_class *)profile->classes.items + node_class;
        srv_forget(&class->doubts, sizeof(srv_doubt), path);
        srv_forget(&class->modes, sizeof(srv_bimodal), path);
    }
}

/* --- the setter ------------------------------------------------------------------------------- */

int servet_profile_set(servet_profile *profile, int node_class, const char *path, const void *facts,
                       size_t size, int count, servet_error *error)
{
    srv_edit edit;
    srv_path to = {.way = {SRV_OF_PROFILE, {0}}, .shape = &srv_profile_shape};
    if (!srv_path_is_of_job(path))
        srv_path_enter(&to, srv_row_named(&srv_profile_shape, "classes"), node_class + 1L);
    const srv_field *field = srv_path_follow(&to, path, NULL);
    if (!field || !size_of(field))
        return srv_fail(error, SERVET_EARGUMENT, "no fact is called %.128s", path);
    if (size != size_of(field))
        return srv_fail(error, SERVET_EARGUMENT, "%.128s: %zu bytes where %zu belong", path, size,
                        size_of(field));
    bool single = field->type == SRV_VALUE || field->type == SRV_COUNT;
    if (single ? count != 1 : srv_public_size(field) && count > most_of(field))
        return srv_fail(error, SERVET_EARGUMENT, "%.128s: %d items, at most %d are allowed", path,
                        count, single ? 1 : most_of(field));
    char *holder = srv_edit_begin(&edit, profile, &to.way, to.numbers, error);
    if (edit.code == SERVET_OK)
        put(&edit, field, holder + field->offset, facts, count);
    if (field->type == SRV_PLACES)
        note_groups(&edit, profile, (void *)(holder + field->offset));
    int code = srv_edit_end(&edit);
    if (code == SERVET_OK) {
        forget_member(profile, node_class, path);
        srv_heed_doubts(profile, node_class, path);
    }
    return code;
}
