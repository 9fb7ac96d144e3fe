/* SPDX-License-Identifier: BSD-3-Clause */
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
static int print_microseconds(const reply *to, const servet_value *seconds)
{
    return servet_value_known(seconds) ? print_number(to, round(seconds->value * 1e12) / 1e6)
                                       : not_measured(to);
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

static int print(const reply *to, const srv_key *key, const void *at)
{
    const servet_value *value = at;
    switch (key->form) {
    case SRV_A_TEXT:
        return print_text(to, at);
    case SRV_A_STRING:
        return print_text(to, *(char *const *)at);
    case SRV_AN_INT:
        return print_long(to, *(const int *)at);
    case SRV_A_POSITIVE:
        return *(const int *)at ? print_long(to, *(const int *)at) : not_measured(to);
    case SRV_A_LONG:
        return print_long(to, *(const long long *)at);
    case SRV_A_NUMBER:
        return print_number(to, *(const double *)at);
    case SRV_A_SIZE:
        return print_number(to, round(*(const double *)at));
    case SRV_A_VALUE:
        return print_value(to, value, value->value);
    case SRV_IN_US:
        return print_microseconds(to, value);
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

/* The struct that the question is asked of; NULL where the class has no core kinds. */
static int find_start(const servet_profile *profile, const servet_at *at, srv_key_scope scope,
                      const void **start, servet_error *error)
{
    srv_target target = {NULL, NULL};
    int code = SERVET_OK;
    if (scope != SRV_OF_PROFILE)
        code = srv_target_find(profile, at, &target, error);
    const void *const starts[] = {
        [SRV_OF_PROFILE] = profile,
        [SRV_OF_CLASS] = target.node_class,
        [SRV_OF_KIND] = target.kind,
    };
    *start = starts[scope];
    return code;
}

/* One step down; `number` is that of the key, where the step takes one. */
static int step_down(const srv_key_step *step, int number, const reply *to, const void **at)
{
    const srv_list *list = (const void *)((const char *)*at + step->offset);
    int code = srv_list_item(list, number - 1L, step->size, at);
    if (code == SERVET_EUNMEASURED)
        return not_measured(to);
    if (code == SERVET_ERANGE && list->count == 0)
        return srv_fail(to->error, SERVET_ERANGE, "%.128s: there are no %s", to->key, step->noun);
    if (code == SERVET_ERANGE)
        return srv_fail(to->error, SERVET_ERANGE, "%.128s: %s go from 1 to %d", to->key, step->noun,
                        list->count);
    return SERVET_OK;
}

/* The struct that holds the fact. */
static int find_place(const servet_profile *profile, const servet_at *at, const srv_key *key,
                      const int *index, const reply *to, const void **place)
{
    const srv_key_step *step = key->place->step;
    int code = find_start(profile, at, key->place->scope, place, to->error);
    if (code == SERVET_OK && !*place)
        return not_measured(to);
    for (int i = 0; i < SRV_KEY_STEPS_MAX && step[i].size && code == SERVET_OK; i++)
        code = step_down(&step[i], step[i].noun ? *index++ : 1, to, place);
    return code;
}

/* What is worked out; its errors are as good as any fact's. */
static int find_answer(const servet_profile *profile, const srv_key *key, const int *index,
                       const reply *to, servet_value *answer)
{
    int code = key->ask(profile, index, answer);
    if (code == SERVET_EUNMEASURED)
        return not_measured(to);
    if (code != SERVET_OK)
        return srv_fail(to->error, code, "%.128s: beyond what was measured", to->key);
    return SERVET_OK;
}

int servet_profile_get(const servet_profile *profile, const servet_at *at, const char *key_text,
                       char *text, size_t size, servet_error *error)
{
    int index[SRV_KEY_INDICES_MAX];
    const void *place;
    const srv_key *key = srv_key_find(key_text, index);
    const reply to = {key_text, text, size, error};
    if (!key)
        return srv_fail(error, SERVET_EKEY, "unknown key %.128s; the nearest one is %s", key_text,
                        srv_key_nearest(key_text));
    if (key->ask) {
        servet_value answer;
        int code = find_answer(profile, key, index, &to, &answer);
        return code == SERVET_OK ? print(&to, key, &answer) : code;
    }
    int code = find_place(profile, at, key, index, &to, &place);
    return code == SERVET_OK ? print(&to, key, (const char *)place + key->offset) : code;
}
