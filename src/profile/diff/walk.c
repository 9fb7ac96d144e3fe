/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks through the facts of both profiles, key by key. */
#include "profile/diff/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/diff/groups.h"
#include "profile/keys/derived.h"
#include "profile/keys/keys.h"
#include "servet/diff.h"

/* The facts of a key in two profiles; at[i] is NULL if profile i has no place for it. */
typedef struct fact_pair {
    const srv_key *key;
    const void *at[2];
} fact_pair;

/* --- what they are ---------------------------------------------------------------------------- */

static bool is_set_list(srv_type type)
{
    return type == SRV_SETS || type == SRV_PLACES;
}

/* True if profile `i` has the fact. */
static bool fact_known(const fact_pair *pair, int i)
{
    return pair->at[i] && srv_key_is_known(pair->key, pair->at[i]);
}

static servet_quantity quantity_of_unit(servet_unit unit)
{
    static const servet_quantity quantities[SERVET_UNIT_COUNT] = {
        [SERVET_UNIT_NONE] = SERVET_QUANTITY_RATIO,
        [SERVET_UNIT_BYTE] = SERVET_QUANTITY_SIZE,
        [SERVET_UNIT_CYCLE] = SERVET_QUANTITY_LATENCY,
        [SERVET_UNIT_BYTE_PER_SECOND] = SERVET_QUANTITY_BANDWIDTH,
        [SERVET_UNIT_HERTZ] = SERVET_QUANTITY_BANDWIDTH,
        [SERVET_UNIT_SECOND] = SERVET_QUANTITY_LATENCY,
        [SERVET_UNIT_FLOP_PER_SECOND] = SERVET_QUANTITY_BANDWIDTH,
        [SERVET_UNIT_FLOP_PER_BYTE] = SERVET_QUANTITY_RATIO,
    };
    return quantities[unit];
}

static servet_quantity quantity_of(const fact_pair *pair)
{
    servet_value value;
    srv_type type = pair->key->type;
    if (pair->key->label.weight == SRV_ENOUGH)
        return SERVET_QUANTITY_ENOUGH;
    if (is_set_list(type))
        return SERVET_QUANTITY_GROUPS;
    if (!srv_key_value(pair->key, pair->at[0] ? pair->at[0] : pair->at[1], &value))
        return SERVET_QUANTITY_WORD;
    return type == SRV_VALUE || type == SRV_NUMBER ? quantity_of_unit(value.unit)
                                                   : SERVET_QUANTITY_NUMBER;
}

/* --- whether they are the same ---------------------------------------------------------------- */

static bool values_agree(const servet_value *a, const servet_value *b, double tolerance)
{
    double apart = fmax(a->low - b->high, b->low - a->high);
    return apart <= tolerance * fmax(fabs(a->value), fabs(b->value));
}

/* Returns true if a value is trusted, or is a report of the OS, which is compared as such. */
static bool is_trusted(const servet_value *value)
{
    return value->trusted || value->method == SERVET_METHOD_OS;
}

static void compare_values(const servet_value *a, const servet_value *b, double tolerance,
                           servet_diff_fact *fact)
{
    fact->first_trusted = is_trusted(a);
    fact->second_trusted = is_trusted(b);
    if (a->value != 0)
        fact->change = b->value / a->value - 1;
    if (values_agree(a, b, tolerance))
        fact->comparison = SERVET_COMPARISON_SAME;
    else if (!fact->first_trusted || !fact->second_trusted)
        fact->comparison = SERVET_COMPARISON_DOUBTFUL;
}

/* Compares facts that are not numbers by their texts: words, yes or no, cores. */
static void compare_texts(const fact_pair *pair, servet_diff_fact *fact)
{
    char text[2][SERVET_CORES_MAX] = {"", ""};
    for (int i = 0; i < 2; i++)
        (void)srv_key_print(pair->key, pair->at[i], "", text[i], sizeof text[i], NULL);
    if (strcmp(text[0], text[1]) == 0)
        fact->comparison = SERVET_COMPARISON_SAME;
}

static int compare_known(const fact_pair *pair, double tolerance, servet_diff_fact *fact)
{
    servet_value a, b;
    int code = SERVET_OK;
    fact->comparison = SERVET_COMPARISON_CHANGED;
    if (is_set_list(pair->key->type)) {
        code = srv_groups_difference(pair->at[0], pair->at[1], &fact->change);
        if (code == SERVET_OK && fact->change <= tolerance)
            fact->comparison = SERVET_COMPARISON_SAME;
    } else if (srv_key_value(pair->key, pair->at[0], &a) &&
               srv_key_value(pair->key, pair->at[1], &b))
        compare_values(&a, &b, tolerance, fact);
    else
        compare_texts(pair, fact);
    return code;
}

/* Compares facts if at least one is known: fills quantity, comparison, trust and change of
 * `*fact`. Errors: SERVET_EMEMORY. */
static int facts_compare(const fact_pair *pair, const double tolerance[SERVET_QUANTITY_COUNT],
                         servet_diff_fact *fact)
{
    fact->quantity = quantity_of(pair);
    fact->first_trusted = fact->second_trusted = true;
    fact->change = NAN;
    if (fact_known(pair, 0) && fact_known(pair, 1))
        return compare_known(pair, tolerance[fact->quantity], fact);
    fact->comparison = fact_known(pair, 0) ? SERVET_COMPARISON_GONE : SERVET_COMPARISON_NEW;
    return SERVET_OK;
}

/* --- storing ---------------------------------------------------------------------------------- */

/* Prints the fact as a text of any length, which the caller frees. */
static int print_fact(const srv_diff_walk *on, const void *at, char **text)
{
    int code = SERVET_ERANGE;
    *text = NULL;
    for (size_t size = SRV_KEY_NAME_MAX; code == SERVET_ERANGE; size *= 4) {
        char *room = realloc(*text, size);
        if (!room)
            return srv_fail_memory(on->error);
        *text = room;
        code = srv_key_print(on->key, at, "", room, size, NULL);
    }
    return code;
}

/* --- comparing -------------------------------------------------------------------------------- */

static int store_pair(srv_diff_walk *on, const fact_pair *pair)
{
    char name[SRV_KEY_NAME_MAX], *text[2] = {NULL, NULL};
    servet_diff_fact fact = {.node_class = on->node_class, .kind = on->kind, .key = name};
    int code = facts_compare(pair, on->tolerance, &fact);
    if (code != SERVET_OK)
        return srv_fail_memory(on->error);
    for (int i = 0; i < 2 && code == SERVET_OK; i++)
        if (fact_known(pair, i))
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
    const fact_pair pair = {on->key, {at[0], at[1]}};
    bool first = fact_known(&pair, 0), second = fact_known(&pair, 1);
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
