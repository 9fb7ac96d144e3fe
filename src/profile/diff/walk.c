/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks through the facts of both profiles, key by key. */
#include "profile/diff/walk.h"

#include <stdlib.h>

#include "profile/diff/facts.h"
#include "profile/keys/derived.h"

/* --- storing ---------------------------------------------------------------------------------- */

enum { TEXT_FIRST = 64 };

/* Prints the fact as a text of any length, which the caller frees. */
static int print_fact(const srv_diff_walk *on, const void *at, char **text)
{
    int code = SERVET_ERANGE;
    *text = NULL;
    for (size_t size = TEXT_FIRST; code == SERVET_ERANGE; size *= 4) {
        char *room = realloc(*text, size);
        if (!room)
            return srv_fail_memory(on->error);
        *text = room;
        code = srv_key_print(on->key, at, "", room, size, NULL);
    }
    return code;
}

/* --- comparing -------------------------------------------------------------------------------- */

static int store_pair(srv_diff_walk *on, const srv_fact_pair *pair)
{
    char name[SRV_KEY_NAME_MAX], *text[2] = {NULL, NULL};
    servet_diff_fact fact = {.node_class = on->node_class, .kind = on->kind, .key = name};
    int code = srv_facts_compare(pair, on->tolerance, &fact);
    if (code != SERVET_OK)
        return srv_fail_memory(on->error);
    for (int i = 0; i < 2 && code == SERVET_OK; i++)
        if (srv_fact_known(pair, i))
            code = print_fact(on, pair->at[i], &text[i]);
    srv_key_name(on->key, on->index, name);
    fact.first = text[0];
    fact.second = text[1];
    if (code == SERVET_OK)
        code = srv_diff_add(on->diff, &fact, on->error);
    free(text[0]);
    free(text[1]);
    return code;
}

static int compare_pair(srv_diff_walk *on, const void *const at[2])
{
    const srv_fact_pair pair = {on->key, {at[0], at[1]}};
    bool first = srv_fact_known(&pair, 0), second = srv_fact_known(&pair, 1);
    bool enough = on->key->label.weight == SRV_EXTENT && first && second;
    return (first || second) && !enough ? store_pair(on, &pair) : SERVET_OK;
}

/* Compares computed answers at each number that one of the profiles has measured. Beyond the
 * numbers of the other profile, nothing can be compared. */
static int compare_answers(srv_diff_walk *on, int *number)
{
    int code = SERVET_OK;
    for (*number = 0; code == SERVET_OK;) {
        int a = srv_key_next(on->key, on->profile[0], on->index, *number);
        int b = srv_key_next(on->key, on->profile[1], on->index, *number);
        if (!a && !b)
            break;
        *number = !a || (b && b < a) ? b : a;
        servet_value answer[2];
        if (srv_key_derive(on->key, on->profile[0], NULL, on->index, &answer[0]) == SERVET_OK &&
            srv_key_derive(on->key, on->profile[1], NULL, on->index, &answer[1]) == SERVET_OK)
            code = compare_pair(on, (const void *const[2]){&answer[0], &answer[1]});
    }
    return code;
}

static const srv_list *list_in(const void *at, const srv_field *list)
{
    return (const void *)((const char *)at + list->offset);
}

static const void *item_of(const void *at, const srv_field *list, int number)
{
    const void *item = NULL;
    if (at)
        (void)srv_list_item(list_in(at, list), number - 1L, srv_item_size(list), &item);
    return item;
}

static int items_of(const void *at, const srv_field *list)
{
    return at ? list_in(at, list)->count : 0;
}

/* Follows the key in both profiles, from step `step` on, to each of its facts. */
static int descend(srv_diff_walk *on, const srv_shape *shape, int step, int *index,
                   const void *const at[2])
{
    size_t offset = step < SRV_WAY_STEPS_MAX ? on->key->way.step[step] : 0;
    int code = SERVET_OK;
    if (!offset)
        return srv_key_is_computed(on->key)
                   ? compare_answers(on, index)
                   : compare_pair(on, (const void *const[2]){srv_key_member(on->key, at[0]),
                                                             srv_key_member(on->key, at[1])});
    const srv_field *list = srv_row_at(shape, offset);
    if (list->type == SRV_MAYBE)
        return descend(on, list->shape, step + 1, index,
                       (const void *const[2]){item_of(at[0], list, 1), item_of(at[1], list, 1)});
    int first = items_of(at[0], list), second = items_of(at[1], list);
    for (int i = 1; i <= first && i <= second && code == SERVET_OK; i++) {
        *index = i;
        code = descend(on, list->shape, step + 1, index + 1,
                       (const void *const[2]){item_of(at[0], list, i), item_of(at[1], list, i)});
    }
    return code;
}

/* Two structs to which the keys of a scope apply. */
typedef struct pair {
    srv_diff_walk *on;
    srv_scope scope;
    const void *at[2];
    int code;
} pair;

static bool compare_key(const srv_key *key, void *context)
{
    pair *of = context;
    of->on->key = key;
    if (key->label.weight != SRV_NOTE && key->way.scope == of->scope)
        of->code = descend(of->on, srv_scope_shapes[of->scope], 0, of->on->index, of->at);
    return of->code == SERVET_OK;
}

int srv_diff_scope(srv_diff_walk *on, srv_scope scope, const void *first, const void *second)
{
    pair of = {on, scope, {first, second}, SERVET_OK};
    (void)srv_keys_walk(compare_key, &of);
    return of.code;
}
