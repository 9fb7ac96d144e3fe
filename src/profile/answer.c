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

/* Sizes are whole bytes for the shell, also where the estimate is not. */
static int print_value(const reply *to, const servet_value *value, double number)
{
    if (!servet_value_known(value))
        return not_measured(to);
    return print_number(to, value->unit == SERVET_UNIT_BYTE ? round(number) : number);
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
    case SRV_A_LONG:
        return print_long(to, *(const long long *)at);
    case SRV_A_NUMBER:
        return print_number(to, *(const double *)at);
    case SRV_A_SIZE:
        return print_number(to, round(*(const double *)at));
    case SRV_A_VALUE:
        return print_value(to, value, value->value);
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
    }
    return not_measured(to);
}

static int find_cache(const srv_core_kind *kind, int level, const reply *to, const void **base)
{
    if (!kind || !kind->caches.known)
        return not_measured(to);
    if (level < 1 || level > kind->caches.count)
        return srv_fail(to->error, SERVET_ERANGE, "%.128s: cache levels go from 1 to %d", to->key,
                        kind->caches.count);
    *base = (const srv_cache *)kind->caches.items + level - 1;
    return SERVET_OK;
}

/* The struct that holds the fact. */
static int find_base(const servet_profile *profile, const servet_at *at, const srv_key *key,
                     int index, const reply *to, const void **base)
{
    srv_target target = {NULL, NULL};
    bool of_class = key->scope != SRV_IN_PROFILE && key->scope != SRV_IN_RUN;
    int code = of_class ? srv_target_find(profile, at, &target, to->error) : SERVET_OK;
    if (code != SERVET_OK)
        return code;
    if (key->scope == SRV_IN_CACHE)
        return find_cache(target.kind, index, to, base);
    const void *const bases[] = {
        [SRV_IN_PROFILE] = profile,
        [SRV_IN_RUN] = profile->run.items,
        [SRV_IN_CLASS] = target.node_class,
        [SRV_IN_KIND] = target.kind,
    };
    *base = bases[key->scope];
    return *base ? SERVET_OK : not_measured(to);
}

int servet_profile_get(const servet_profile *profile, const servet_at *at, const char *key_text,
                       char *text, size_t size, servet_error *error)
{
    int index = 0;
    const void *base;
    const srv_key *key = srv_key_find(key_text, &index);
    const reply to = {key_text, text, size, error};
    if (!key)
        return srv_fail(error, SERVET_EKEY, "unknown key %.128s; the nearest one is %s", key_text,
                        srv_key_nearest(key_text));
    int code = find_base(profile, at, key, index, &to, &base);
    if (code != SERVET_OK)
        return code;
    return print(&to, key, (const char *)base + key->offset);
}
