/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges facts between two profiles of one machine. */
#include "servet/record.h"

#include <string.h>

#include "core/error.h"
#include "profile/index.h"
#include "profile/record/edit.h"
#include "profile/record/names.h"
#include "profile/trust.h"

/* --- members ---------------------------------------------------------------------------------- */

/* Bytes of a member of a struct; all that it points to belongs to it. */
static size_t size_of(const srv_field *field)
{
    static const size_t sizes[SRV_TYPE_COUNT] = {
        [SRV_INTEGER] = sizeof(int),      [SRV_COUNT] = sizeof(int),
        [SRV_LONG] = sizeof(long long),   [SRV_NUMBER] = sizeof(double),
        [SRV_SIZE] = sizeof(double),      [SRV_BOOL] = sizeof(bool),
        [SRV_WORD] = sizeof(int),         [SRV_STRING] = sizeof(char *),
        [SRV_STRINGS] = sizeof(srv_list), [SRV_SETS] = sizeof(srv_list),
        [SRV_PLACES] = sizeof(srv_list),  [SRV_VALUE] = sizeof(servet_value),
        [SRV_VALUES] = sizeof(srv_list),  [SRV_MAYBE] = sizeof(srv_list),
        [SRV_LIST] = sizeof(srv_list),    [SRV_FACTS] = sizeof(srv_list),
    };
    return field->type == SRV_OBJECT ? field->shape->size : sizes[field->type];
}

static void swap_bytes(char *one, char *other, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char byte = one[i];
        one[i] = other[i];
        other[i] = byte;
    }
}

/* Exchanges the members of a name between two structs of a shape. */
static void exchange(const srv_shape *shape, char *one, char *other, const char *name);

/* Exchanges them between the items of two lists: those that both lists have. */
static void exchange_items(const srv_field *field, const srv_list *one, const srv_list *other,
                           const char *name)
{
    int number = srv_names_number(name);
    const char *rest = number ? srv_names_rest(name) : name;
    for (int i = 0; i < one->count && i < other->count; i++) {
        size_t at = (size_t)i * field->shape->size;
        char *mine = (char *)one->items + at, *its = (char *)other->items + at;
        if (number != 0 && number != i + 1)
            continue;
        if (srv_names_end(rest))
            swap_bytes(mine, its, field->shape->size);
        else
            exchange(field->shape, mine, its, rest);
    }
}

static void exchange(const srv_shape *shape, char *one, char *other, const char *name)
{
    for (const srv_field *field = shape->fields; field->name; field++) {
        const char *rest = srv_names_behind(name, field->name);
        char *mine = one + field->offset, *its = other + field->offset;
        if (!rest)
            continue;
        if (srv_names_end(rest))
            swap_bytes(mine, its, size_of(field));
        else if (srv_names_list(field->type))
            exchange_items(field, (const srv_list *)(void *)mine, (const srv_list *)(void *)its,
                           rest);
        else if (field->type == SRV_OBJECT)
            exchange(field->shape, mine, its, rest);
    }
}

/* --- doubts ----------------------------------------------------------------------------------- */

/* Adds the doubts of another profile about the facts of a name. */
static int take_doubts(srv_list *doubts, const srv_list *from, const char *name,
                       servet_error *error)
{
    char fact[SERVET_NAME_MAX];
    const srv_doubt *all = from->items;
    snprintf(fact, sizeof fact, "%.*s", (int)strcspn(name, " "), name);
    for (int i = 0; i < from->count; i++) {
        if (!srv_fact_covers(fact, all[i].fact))
            continue;
        srv_doubt *added = srv_list_add(doubts, sizeof *added);
        if (!added)
            return srv_fail_memory(error);
        *added = all[i];
    }
    return SERVET_OK;
}

int servet_profile_take(servet_profile *profile, servet_profile *from, int node_class,
                        const char *facts, servet_error *error)
{
    int code = servet_profile_forget_doubts(profile, node_class, facts, error);
    srv_class *its = srv_class_at(from, node_class, error), *to = profile->classes.items;
    if (code != SERVET_OK || !its)
        return code != SERVET_OK ? code : SERVET_EARGUMENT;
    to += node_class;
    srv_index_forget(profile);
    srv_index_forget(from);
    for (const char *name = facts + strspn(facts, " "); *name && code == SERVET_OK;
         name = srv_names_next(name)) {
        exchange(&srv_class_shape, (char *)to, (char *)its, name);
        code = take_doubts(&to->doubts, &its->doubts, name, error);
    }
    return code;
}
