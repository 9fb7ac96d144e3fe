/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts as text, and as numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "profile/keys.h"
#include "profile/number.h"

/* Where an answer goes, and whose it is. */
typedef struct reply {
    const char *key;
    char *text;
    size_t size;
    servet_error *error;
} reply;

static int not_measured(const reply *to)
{
    return srv_fail(to->error, SERVET_EUNMEASURED, "%.128s: not measured", to->key);
}

static int print_text(const reply *to, const char *text)
{
    size_t length = strlen(text);
    if (length >= to->size)
        return srv_fail(to->error, SERVET_ERANGE, "%.128s: needs room for %zu bytes", to->key,
                        length + 1);
    memcpy(to->text, text, length + 1);
    return SERVET_OK;
}

static int print_number(const reply *to, double number)
{
    char text[SRV_NUMBER_TEXT_MAX];
    srv_number_text(number, text);
    return print_text(to, text);
}

static int print_long(const reply *to, long long number)
{
    char text[SRV_NUMBER_TEXT_MAX];
    snprintf(text, sizeof text, "%lld", number);
    return print_text(to, text);
}

/* Sizes and rates are whole bytes for the shell, also where the estimate is not. */
static int print_value(const reply *to, const servet_value *value, double number)
{
    if (!servet_value_known(value))
        return not_measured(to);
    bool bytes = value->unit == SERVET_UNIT_BYTE || value->unit == SERVET_UNIT_BYTE_PER_SECOND;
    return print_number(to, bytes ? round(number) : number);
}

/* To the picosecond: 2.13 us, and not what becomes of it in seconds and back. */
static int print_microseconds(const reply *to, const servet_value *value, double seconds)
{
    return servet_value_known(value) ? print_number(to, round(seconds * 1e12) / 1e6)
                                     : not_measured(to);
}

static int print_core(const reply *to, const servet_place *place)
{
    char text[2 * SRV_NUMBER_TEXT_MAX];
    snprintf(text, sizeof text, "%d:%d", place->node, place->core);
    return print_text(to, text);
}

static int print_count(const reply *to, const srv_list *list)
{
    return list->known ? print_long(to, list->count) : not_measured(to);
}

/* One set a line; the last line's end is for whoever prints it. */
static int print_sets(const reply *to, const srv_list *list)
{
    char *const *sets = list->items;
    size_t used = 0;
    int code = list->known ? SERVET_OK : not_measured(to);
    for (int i = 0; i < list->count && code == SERVET_OK; i++) {
        const reply rest = {to->key, to->text + used, to->size - used, to->error};
        code = print_text(&rest, sets[i]);
        used += strlen(sets[i]) + 1;
        if (code == SERVET_OK && i + 1 < list->count)
            to->text[used - 1] = '\n';
    }
    return code;
}

int srv_key_print(const srv_key *key, const void *at, const char *name, char *text, size_t size,
                  servet_error *error)
{
    const reply room = {name, text, size, error}, *to = &room;
    const servet_value *value = at;
    switch (key->form) {
    case SRV_A_TEXT:
        return print_text(to, at);
    case SRV_A_STRING:
        return print_text(to, *(char *const *)at);
    case SRV_AN_INT:
        return print_long(to, *(const int *)at);
    case SRV_ENOUGH:
    case SRV_A_POSITIVE:
        return *(const int *)at ? print_long(to, *(const int *)at) : not_measured(to);
    case SRV_A_LONG:
        return print_long(to, *(const long long *)at);
    case SRV_A_NUMBER:
        return print_number(to, *(const double *)at);
    case SRV_A_SIZE:
        return print_number(to, round(*(const double *)at));
    case SRV_A_BOOL:
        return print_text(to, *(const bool *)at ? "yes" : "no");
    case SRV_A_CORE:
        return print_core(to, at);
    case SRV_A_VALUE:
        return print_value(to, value, value->value);
    case SRV_IN_US:
        return print_microseconds(to, value, value->value);
    case SRV_A_LOW:
        return print_value(to, value, value->low);
    case SRV_A_HIGH:
        return print_value(to, value, value->high);
    case SRV_A_COUNT:
        return print_count(to, at);
    case SRV_A_WORD:
        return print_text(to, key->words->text[*(const int *)at]);
    case SRV_SETS_OF_CORES:
        return print_sets(to, at);
    case SRV_BEST_COPY:
        value = srv_best_copy(at);
        return print_value(to, value, value->value);
    }
    return not_measured(to);
}

/* --- parts of values -------------------------------------------------------------------------- */

int srv_key_print_aspect(const srv_key *key, const servet_value *value, srv_aspect aspect,
                         const char *name, char *text, size_t size, servet_error *error)
{
    const reply room = {name, text, size, error}, *to = &room;
    double end = aspect == SRV_ASPECT_LOW ? value->low : value->high;
    if (!servet_value_known(value))
        return not_measured(to);
    switch (aspect) {
    case SRV_ASPECT_SAMPLES:
        return print_long(to, value->samples);
    case SRV_ASPECT_METHOD:
        return print_text(to, servet_method_name(value->method));
    case SRV_ASPECT_TRUSTED:
        return print_text(to, value->trusted ? "yes" : "no");
    default:
        return key->form == SRV_IN_US ? print_microseconds(to, value, end)
                                      : print_value(to, value, end);
    }
}

static void write_number(const srv_key *key, const servet_value *value, double number,
                         char text[SRV_NUMBER_TEXT_MAX])
{
    bool bytes = value->unit == SERVET_UNIT_BYTE || value->unit == SERVET_UNIT_BYTE_PER_SECOND;
    bool us = key->form == SRV_IN_US;
    srv_number_text(us ? round(number * 1e12) / 1e6 : bytes ? round(number) : number, text);
}

int srv_key_print_modes(const srv_key *key, const servet_value *value, const servet_modes *modes,
                        const char *name, char *text, size_t size, servet_error *error)
{
    const reply room = {name, text, size, error}, *to = &room;
    char first[SRV_NUMBER_TEXT_MAX], second[SRV_NUMBER_TEXT_MAX], lines[4 * SRV_NUMBER_TEXT_MAX];
    if (!servet_value_known(value))
        return not_measured(to);
    write_number(key, value, modes->count ? modes->value[0] : value->value, first);
    write_number(key, value, modes->value[1], second);
    if (modes->count)
        snprintf(lines, sizeof lines, "%s %.3g\n%s %.3g", first, modes->share[0], second,
                 modes->share[1]);
    else
        snprintf(lines, sizeof lines, "%s 1", first);
    return print_text(to, lines);
}

/* --- facts as numbers ------------------------------------------------------------------------- */

static servet_value exactly(double number, servet_unit unit)
{
    return (servet_value){number, number, number, 0, unit, SERVET_METHOD_TIMED, true};
}

static servet_value count_of(const srv_list *list)
{
    return list->known ? exactly(list->count, SERVET_UNIT_NONE)
                       : servet_value_unknown(SERVET_UNIT_NONE);
}

bool srv_key_value(const srv_key *key, const void *at, servet_value *value)
{
    switch (key->form) {
    case SRV_A_VALUE:
    case SRV_IN_US:
        *value = *(const servet_value *)at;
        return true;
    case SRV_BEST_COPY:
        *value = *srv_best_copy(at);
        return true;
    case SRV_AN_INT:
        *value = exactly(*(const int *)at, SERVET_UNIT_NONE);
        return true;
    case SRV_ENOUGH:
    case SRV_A_POSITIVE:
        *value = *(const int *)at ? exactly(*(const int *)at, SERVET_UNIT_NONE)
                                  : servet_value_unknown(SERVET_UNIT_NONE);
        return true;
    case SRV_A_NUMBER:
        *value = exactly(*(const double *)at, SERVET_UNIT_NONE);
        return true;
    case SRV_A_SIZE:
        *value = exactly(*(const double *)at, SERVET_UNIT_BYTE);
        return true;
    case SRV_A_COUNT:
        *value = count_of(at);
        return true;
    default:
        return false;
    }
}
