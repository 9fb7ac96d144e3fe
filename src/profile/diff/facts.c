/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/diff/facts.h"

#include <math.h>
#include <string.h>

#include "profile/diff/groups.h"

/* --- what they are ---------------------------------------------------------------------------- */

static bool is_set_list(srv_type type)
{
    return type == SRV_SETS || type == SRV_PLACES;
}

bool srv_fact_known(const srv_fact_pair *pair, int i)
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

static servet_quantity quantity_of(const srv_fact_pair *pair)
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
static void compare_texts(const srv_fact_pair *pair, servet_diff_fact *fact)
{
    char text[2][SERVET_CORES_MAX] = {"", ""};
    for (int i = 0; i < 2; i++)
        (void)srv_key_print(pair->key, pair->at[i], "", text[i], sizeof text[i], NULL);
    if (strcmp(text[0], text[1]) == 0)
        fact->comparison = SERVET_COMPARISON_SAME;
}

static int compare_known(const srv_fact_pair *pair, double tolerance, servet_diff_fact *fact)
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

int srv_facts_compare(const srv_fact_pair *pair, const double tolerance[SERVET_QUANTITY_COUNT],
                      servet_diff_fact *fact)
{
    fact->quantity = quantity_of(pair);
    fact->first_trusted = fact->second_trusted = true;
    fact->change = NAN;
    if (srv_fact_known(pair, 0) && srv_fact_known(pair, 1))
        return compare_known(pair, tolerance[fact->quantity], fact);
    fact->comparison = srv_fact_known(pair, 0) ? SERVET_COMPARISON_GONE : SERVET_COMPARISON_NEW;
    return SERVET_OK;
}
