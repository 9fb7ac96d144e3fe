/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts as text, and as numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "profile/keys/keys.h"
#include "core/json/number.h"
#include "core/text.h"
#include "core/units.h"

/* Destination of an answer, and its profile. */
typedef struct reply {
    const srv_key *key;
    const char *name;
    char *text;
    size_t size;
    servet_error *error;
} reply;

static int not_measured(const reply *to)
{
    return srv_not_measured(to->name, to->error);
}

static int print_text(const reply *to, const char *text)
{
    size_t length = strlen(text);
    if (length >= to->size)
        return srv_fail(to->error, SERVET_ERANGE, "%.128s: needs room for %zu bytes", to->name,
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

/* Returns a number of a value in the key's unit. Sizes and rates become whole bytes for the shell,
 * even if the estimate has a fraction; microseconds are rounded to picoseconds. */
static double shown(const srv_key *key, servet_unit unit, double number)
{
    servet_unit wanted = srv_key_is_computed(key) ? key->derived->unit : key->field->unit;
    if (wanted == SRV_UNIT_MICROSECOND)
        return round(number * 1e12) / 1e6;
    bool is_bytes = unit == SERVET_UNIT_BYTE || unit == SERVET_UNIT_BYTE_PER_SECOND;
    return is_bytes ? round(number) : srv_in_unit(number, wanted);
}

/* --- one function for each type --------------------------------------------------------------- */

typedef int printer(const reply *to, const void *at);

static int print_chars(const reply *to, const void *at)
{
    return print_text(to, at);
}

static int print_string(const reply *to, const void *at)
{
    return print_text(to, *(char *const *)at);
}

static int print_integer(const reply *to, const void *at)
{
    return print_long(to, *(const int *)at);
}

static int print_positive(const reply *to, const void *at)
{
    return *(const int *)at ? print_integer(to, at) : not_measured(to);
}

static int print_long_integer(const reply *to, const void *at)
{
    return print_long(to, *(const long long *)at);
}

static int print_double(const reply *to, const void *at)
{
    return print_number(to, shown(to->key, to->key->field->unit, *(const double *)at));
}

static int print_bool(const reply *to, const void *at)
{
    return print_text(to, *(const bool *)at ? "yes" : "no");
}

static int print_word(const reply *to, const void *at)
{
    return print_text(to, to->key->field->words->text[*(const int *)at]);
}

/* Prints a place, the only struct with a key. */
static int print_place(const reply *to, const void *at)
{
    const servet_place *place = at;
    char text[2 * SRV_NUMBER_TEXT_MAX];
    snprintf(text, sizeof text, "%d:%d", place->node, place->core);
    return print_text(to, text);
}

static int print_estimate(const reply *to, const void *at)
{
    const servet_value *value = at;
    return servet_value_known(value) ? print_number(to, shown(to->key, value->unit, value->value))
                                     : not_measured(to);
}

static int print_count(const reply *to, const void *at)
{
    const srv_list *list = at;
    return list->known ? print_long(to, list->count) : not_measured(to);
}

/* Prints each set on a line; the caller ends the last line. */
static int print_sets(const reply *to, const void *at)
{
    const srv_list *list = at;
    char *const *sets = list->items;
    size_t used = 0;
    int code = list->known ? SERVET_OK : not_measured(to);
    for (int i = 0; i < list->count && code == SERVET_OK; i++) {
        const reply rest = {to->key, to->name, to->text + used, to->size - used, to->error};
        code = print_text(&rest, sets[i]);
        used += strlen(sets[i]) + 1;
        if (code == SERVET_OK && i + 1 < list->count)
            to->text[used - 1] = '\n';
    }
    return code;
}

static printer *const printers[SRV_TYPE_COUNT] = {
    [SRV_TEXT] = print_chars,     [SRV_STRING] = print_string,     [SRV_INTEGER] = print_integer,
    [SRV_COUNT] = print_positive, [SRV_LONG] = print_long_integer, [SRV_NUMBER] = print_double,
    [SRV_BOOL] = print_bool,      [SRV_WORD] = print_word,         [SRV_OBJECT] = print_place,
    [SRV_VALUE] = print_estimate, [SRV_VALUES] = print_count,      [SRV_STRINGS] = print_count,
    [SRV_LIST] = print_count,     [SRV_FACTS] = print_count,       [SRV_SETS] = print_sets,
    [SRV_PLACES] = print_sets,
};

int srv_key_print(const srv_key *key, const void *at, const char *name, char *text, size_t size,
                  servet_error *error)
{
    const reply to = {key, name, text, size, error};
    return printers[key->type](&to, at);
}

/* --- answers, and parts of them --------------------------------------------------------------- */

/* Prints a line for each mode: its value in the unit of the key, and its share. A fact without
 * modes has one line: the value, with share 1. */
static int print_modes(const reply *to, const srv_request *request, const servet_value *value)
{
    const srv_key *key = &request->key;
    char first[SRV_NUMBER_TEXT_MAX], second[SRV_NUMBER_TEXT_MAX], lines[4 * SRV_NUMBER_TEXT_MAX];
    servet_modes modes = {0};
    if (!srv_key_is_computed(key))
        (void)srv_request_modes(request, &modes);
    srv_number_text(shown(key, value->unit, modes.count ? modes.value[0] : value->value), first);
    srv_number_text(shown(key, value->unit, modes.value[1]), second);
    srv_numbers numbers = srv_numbers_begin();
    if (modes.count)
        snprintf(lines, sizeof lines, "%s %.3g\n%s %.3g", first, modes.share[0], second,
                 modes.share[1]);
    else
        snprintf(lines, sizeof lines, "%s 1", first);
    srv_numbers_end(numbers);
    return print_text(to, lines);
}

static int print_trust(const reply *to, const servet_trust *trust, srv_aspect aspect)
{
    if (aspect == SRV_ASPECT_TRUSTED)
        return print_text(to, trust->trusted ? "yes" : "no");
    if (aspect == SRV_ASPECT_REASON)
        return print_text(to, trust->reason);
    return isnan(trust->confidence) ? not_measured(to) : print_number(to, trust->confidence);
}

static int print_part(const reply *to, const srv_request *request)
{
    const srv_key *key = &request->key;
    servet_value value = {0};
    (void)srv_key_value(key, request->fact, &value);
    switch (request->aspect) {
    case SRV_ASPECT_LOW:
        return print_number(to, shown(key, value.unit, value.low));
    case SRV_ASPECT_HIGH:
        return print_number(to, shown(key, value.unit, value.high));
    case SRV_ASPECT_SAMPLES:
        return print_long(to, value.samples);
    case SRV_ASPECT_METHOD:
        return print_text(to, servet_method_name(value.method));
    case SRV_ASPECT_MODES:
        return print_modes(to, request, &value);
    default:
        return printers[key->type](to, request->fact);
    }
}

/* Prints the answer, or the requested part of it. */
static int print_answer(const srv_request *request, char *text, size_t size)
{
    const reply to = {&request->key, request->name, text, size, request->error};
    servet_trust trust = srv_request_trust(request);
    if (srv_is_trust(request->aspect))
        return print_trust(&to, &trust, request->aspect);
    if (!trust.trusted && request->profile->trusted_only)
        return srv_fail(request->error, SERVET_EUNTRUSTED, "%.96s: not trusted: %.128s",
                        request->name, trust.reason);
    return print_part(&to, request);
}

int servet_profile_get(const servet_profile *profile, const servet_at *at, const char *key,
                       char *text, size_t size, servet_error *error)
{
    srv_request request = {.profile = profile, .at = at, .name = key, .error = error};
    int code = srv_request_answer(&request);
    return code == SERVET_OK ? print_answer(&request, text, size) : code;
}
