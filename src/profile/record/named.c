/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/record/named.h"

#include <stdlib.h>
#include <string.h>

/* --- words ------------------------------------------------------------------------------------ */

static size_t word_length(const char *name)
{
    return strcspn(name, ". ");
}

const char *srv_named_rest(const char *name)
{
    size_t length = word_length(name);
    return name + length + (name[length] == '.');
}

bool srv_named_end(const char *name)
{
    return word_length(name) == 0;
}

bool srv_named_word(const char *name, const char *word)
{
    return word_length(name) == strlen(word) && strncmp(name, word, strlen(word)) == 0;
}

const char *srv_named_first(const char *names)
{
    return names + strspn(names, " ");
}

const char *srv_named_next(const char *name)
{
    return srv_named_first(name + strcspn(name, " "));
}

/* Returns the rest of the name behind the name of a member, which may have several words; "" if it
 * ends within them; NULL: it names another member. */
static const char *rest_behind(const char *name, const char *member)
{
    while (word_length(name) && strncmp(name, member, word_length(name)) == 0) {
        member += word_length(name);
        name = srv_named_rest(name);
        if (!*member || (*member == '.' && srv_named_end(name)))
            return *member ? "" : name;
        if (*member++ != '.')
            break;
    }
    return NULL;
}

/* --- members ---------------------------------------------------------------------------------- */

/* Sets of cores are the only texts that are measured. */
static bool is_measured(const srv_field *field)
{
    return field->is_set ||
           (field->type != SRV_TEXT && field->type != SRV_STRING && field->type != SRV_STRINGS);
}

static void *member_of(void *item, const srv_field *field)
{
    return item ? (char *)item + field->offset : NULL;
}

static void *item_of(const srv_list *list, const srv_field *field, int index)
{
    return list ? (char *)list->items + (size_t)index * field->shape->size : NULL;
}

/* Visits members of the items of a list; the name may begin with the number of an item. */
static bool visit_items(const srv_field *field, const srv_list *one, const srv_list *other,
                        const char *name, srv_named_visit *visit)
{
    int number = atoi(name);
    const char *rest = number ? srv_named_rest(name) : name;
    for (int i = 0; one && i < one->count && (!other || i < other->count); i++)
        if (number == 0 || number == i + 1)
            (void)srv_named_each(field->shape, item_of(one, field, i), item_of(other, field, i),
                                 rest, visit);
    return srv_named_each(field->shape, NULL, NULL, rest, visit);
}

/* Visits members of a member. */
static bool visit_below(const srv_field *field, void *one, void *other, const char *name,
                        srv_named_visit *visit)
{
    if (field->type == SRV_OBJECT)
        return srv_named_each(field->shape, one, other, name, visit);
    if (!srv_has_structs(field) && field->type != SRV_VALUES)
        return false;
    if (field->type != SRV_MAYBE && srv_named_word(name, "count"))
        return srv_named_end(srv_named_rest(name));
    return visit_items(field, one, other, name, visit);
}

bool srv_named_each(const srv_shape *shape, void *one, void *other, const char *name,
                    srv_named_visit *visit)
{
    bool all = srv_named_end(name), found = all;
    for (const srv_field *field = shape->fields; field->name; field++) {
        const char *rest = all ? name : rest_behind(name, field->name);
        if (!rest)
            continue;
        if (!srv_named_end(rest)) {
            found =
                visit_below(field, member_of(one, field), member_of(other, field), rest, visit) ||
                found;
            continue;
        }
        found = found || is_measured(field);
        if (one)
            visit(shape, field, one, other);
    }
    return found;
}
