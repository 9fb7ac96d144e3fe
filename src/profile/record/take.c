/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins what two measurements of one node found: each fact is that of the one that trusts it. */
#include <string.h>

#include "core/error.h"
#include "profile/record/edit.h"
#include "profile/trust.h"
#include "profile/trusted.h"
#include "servet/record.h"

/* A struct in both profiles, at the same place. */
typedef struct both {
    srv_site mine, theirs;
    char *my_item, *their_item; /* the same structs */
} both;

static srv_list *my_list(const both *at, const srv_field *field)
{
    return (void *)(at->my_item + field->offset);
}

static srv_list *their_list(const both *at, const srv_field *field)
{
    return (void *)(at->their_item + field->offset);
}

static void swap(void *one, void *other, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char kept = ((char *)one)[i];
        ((char *)one)[i] = ((char *)other)[i];
        ((char *)other)[i] = kept;
    }
}

static bool is_trusted(const servet_value *value)
{
    return servet_value_known(value) && value->trusted;
}

static void take_value(servet_value *mine, servet_value *theirs)
{
    if (!is_trusted(mine) && is_trusted(theirs))
        swap(mine, theirs, sizeof *mine);
}

static both item_of(const both *at, const srv_field *list, int index)
{
    both item = *at;
    int number = list->type == SRV_MAYBE ? 0 : index + 1;
    srv_site_enter(&item.mine, list, number);
    srv_site_enter(&item.theirs, list, number);
    item.my_item = (char *)my_list(at, list)->items + (size_t)index * list->shape->size;
    item.their_item = (char *)their_list(at, list)->items + (size_t)index * list->shape->size;
    return item;
}

/* True if a list is there, and it and the structs in it are trusted. */
static bool is_whole(const srv_site *site, const srv_field *field)
{
    const srv_list *list = (const void *)((const char *)site->item + field->offset);
    bool whole = list->count > 0 && srv_trust_member(site, field, false).trusted &&
                 srv_trust_member(site, field, true).trusted;
    for (int i = 0; i < list->count && whole && srv_has_structs(field); i++) {
        srv_site item = *site;
        srv_site_enter(&item, field, field->type == SRV_MAYBE ? 0 : i + 1);
        whole = srv_trust_item(&item).trusted;
    }
    return whole;
}

/* Theirs is better if it alone is trusted, or if noise was the reason to doubt mine alone. NULL
 * field: the whole struct. */
static bool is_better(const both *at, const srv_field *field, bool mine, bool theirs)
{
    bool doubted = srv_site_doubt(&at->mine, field, false) != NULL;
    return !mine && (theirs || (doubted && !srv_site_doubt(&at->theirs, field, false)));
}

static void take_struct(const both *at);

/* The first items of lists of different lengths are the same things while their values agree. */
static int count_alike(const both *at, const srv_field *field)
{
    const srv_list *mine = my_list(at, field), *theirs = their_list(at, field);
    int most = mine->count < theirs->count ? mine->count : theirs->count, alike = 0;
    if (mine->count == theirs->count)
        return most;
    while (alike < most) {
        both item = item_of(at, field, alike);
        const servet_value *one = srv_main_value(item.mine.shape, item.mine.item),
                           *other = srv_main_value(item.theirs.shape, item.theirs.item);
        if (!one || !other || one->low > other->high || other->low > one->high)
            break;
        alike++;
    }
    return alike;
}

static void take_values(srv_list *mine, srv_list *theirs)
{
    for (int i = 0; i < mine->count && mine->count == theirs->count; i++)
        take_value((servet_value *)mine->items + i, (servet_value *)theirs->items + i);
}

/* Structs are joined one by one; sets of cores and lists of another length are of one or the other.
 */
static void take_list(const both *at, const srv_field *field)
{
    srv_list *mine = my_list(at, field), *theirs = their_list(at, field);
    bool structs = srv_has_structs(field), same = structs && mine->count == theirs->count;
    if (field->type == SRV_VALUES)
        take_values(mine, theirs);
    else if (!same &&
             is_better(at, field, is_whole(&at->mine, field), is_whole(&at->theirs, field)))
        swap(mine, theirs, sizeof *mine);
    for (int i = 0, alike = structs ? count_alike(at, field) : 0; i < alike; i++) {
        both item = item_of(at, field, i);
        take_struct(&item);
    }
}

static bool is_list(srv_type type)
{
    return type == SRV_VALUES || type == SRV_SETS || type == SRV_MAYBE || type == SRV_LIST ||
           type == SRV_FACTS;
}

/* Words and numbers follow from the values of their struct, and go with them. */
static void take_struct(const both *at)
{
    const srv_shape *shape = at->mine.shape;
    if (shape->trusted &&
        is_better(at, NULL, srv_trust_item(&at->mine).trusted, srv_trust_item(&at->theirs).trusted))
        swap(at->my_item, at->their_item, shape->size);
    for (const srv_field *field = shape->fields; field->name; field++)
        if (field->type == SRV_VALUE)
            take_value((void *)(at->my_item + field->offset),
                       (void *)(at->their_item + field->offset));
        else if (is_list(field->type) && field->shape != &srv_doubt_shape)
            take_list(at, field);
}

/* Facts of a doubt that they do not share were taken. */
static void settle_doubts(srv_list *mine, const srv_list *theirs)
{
    srv_doubt *doubts = mine->items;
    const srv_doubt *others = theirs->items;
    int kept = 0;
    for (int i = 0; i < mine->count; i++)
        for (int k = 0; k < theirs->count; k++)
            if (strcmp(doubts[i].fact, others[k].fact) == 0) {
                doubts[kept++] = doubts[i];
                break;
            }
    mine->count = kept;
}

int servet_profile_take_trusted(servet_profile *profile, servet_profile *from, int node_class,
                                servet_error *error)
{
    both at;
    srv_class *mine = srv_class_at(profile, node_class, error),
              *theirs = srv_class_at(from, node_class, error);
    if (!mine || !theirs)
        return SERVET_EARGUMENT;
    srv_trusted_forget(profile);
    srv_trusted_forget(from);
    srv_site_begin(&at.mine, &srv_class_shape, mine);
    srv_site_begin(&at.theirs, &srv_class_shape, theirs);
    at.my_item = (char *)mine;
    at.their_item = (char *)theirs;
    take_struct(&at);
    settle_doubts(&mine->doubts, &theirs->doubts);
    return SERVET_OK;
}
