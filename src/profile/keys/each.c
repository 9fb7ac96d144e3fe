/* SPDX-License-Identifier: BSD-3-Clause */
/* Visits the keys of all facts of a profile, and finds the types of their answers. */
#include <stdio.h>
#include <string.h>

#include "profile/keys/derived.h"

void srv_key_name(const srv_key *key, const int *index, char name[SRV_KEY_NAME_MAX])
{
    size_t used = 0;
    for (const char *at = key->pattern; *at && used < SRV_KEY_NAME_MAX - 1; at++) {
        bool number = srv_is_placeholder(*at);
        size_t room = SRV_KEY_NAME_MAX - used;
        used += number ? (size_t)snprintf(name + used, room, "%d", *index++)
                       : (size_t)snprintf(name + used, room, "%c", *at);
    }
}

/* --- types ------------------------------------------------------------------------------------ */

static servet_key_type type_of_fact(const srv_key *key)
{
    static const servet_key_type types[SRV_TYPE_COUNT] = {
        [SRV_VALUE] = SERVET_KEY_VALUE,    [SRV_INTEGER] = SERVET_KEY_NUMBER,
        [SRV_COUNT] = SERVET_KEY_NUMBER,   [SRV_LONG] = SERVET_KEY_NUMBER,
        [SRV_NUMBER] = SERVET_KEY_NUMBER,  [SRV_VALUES] = SERVET_KEY_NUMBER,
        [SRV_STRINGS] = SERVET_KEY_NUMBER, [SRV_LIST] = SERVET_KEY_NUMBER,
        [SRV_FACTS] = SERVET_KEY_NUMBER,   [SRV_BOOL] = SERVET_KEY_TRUTH,
        [SRV_WORD] = SERVET_KEY_TEXT,      [SRV_TEXT] = SERVET_KEY_TEXT,
        [SRV_STRING] = SERVET_KEY_TEXT,    [SRV_OBJECT] = SERVET_KEY_TEXT,
        [SRV_SETS] = SERVET_KEY_LINES,     [SRV_PLACES] = SERVET_KEY_LINES,
    };
    return types[key->type];
}

static servet_key_type type_of_part(srv_aspect part)
{
    static const servet_key_type types[SRV_ASPECT_COUNT] = {
        [SRV_ASPECT_LOW] = SERVET_KEY_NUMBER,     [SRV_ASPECT_HIGH] = SERVET_KEY_NUMBER,
        [SRV_ASPECT_SAMPLES] = SERVET_KEY_NUMBER, [SRV_ASPECT_CONFIDENCE] = SERVET_KEY_NUMBER,
        [SRV_ASPECT_METHOD] = SERVET_KEY_TEXT,    [SRV_ASPECT_REASON] = SERVET_KEY_TEXT,
        [SRV_ASPECT_MODES] = SERVET_KEY_LINES,    [SRV_ASPECT_TRUSTED] = SERVET_KEY_TRUTH,
    };
    return types[part];
}

int servet_profile_key_type(const char *key, servet_key_type *type, servet_error *error)
{
    srv_request request = {.name = key, .error = error};
    if (!srv_request_parse(&request))
        return srv_key_unknown(key, error);
    *type = request.aspect == SRV_ASPECT_ESTIMATE ? type_of_fact(&request.key)
                                                  : type_of_part(request.aspect);
    return SERVET_OK;
}

/* --- all facts -------------------------------------------------------------------------------- */

typedef struct walk {
    const servet_profile *profile;
    const servet_at *at;
    servet_key_visit *visit;
    void *context;
    servet_error *error;
    const srv_key *key;
    int index[SRV_KEY_INDICES_MAX]; /* its numbers */
    int code;                       /* the code that ended the walk */
} walk;

static int visit_key(walk *on)
{
    char name[SRV_KEY_NAME_MAX];
    srv_key_name(on->key, on->index, name);
    return on->visit(on->context, name);
}

static int visit_answer(walk *on)
{
    servet_value answer;
    int code = srv_key_derive(on->key, on->profile, on->at, on->index, &answer);
    return code == SERVET_OK && servet_value_known(&answer) ? visit_key(on) : SERVET_OK;
}

/* If answers can be computed for any number, visits each measured number. */
static int visit_numbers(walk *on, int *number)
{
    int code = SERVET_OK;
    for (*number = 0; code == SERVET_OK;) {
        *number = srv_key_next(on->key, on->profile, on->index, *number);
        if (!*number)
            break;
        code = visit_answer(on);
    }
    return code;
}

static int numbers_in(const char *pattern)
{
    int count = 0;
    while ((pattern = strpbrk(pattern, "NM"))) {
        pattern++;
        count++;
    }
    return count;
}

static int visit_fact(walk *on, const srv_site *site, int *index)
{
    bool any_number = index < on->index + numbers_in(on->key->pattern);
    if (srv_key_is_computed(on->key))
        return any_number ? visit_numbers(on, index) : visit_answer(on);
    const void *fact = srv_key_member(on->key, site->item);
    return fact && srv_key_is_known(on->key, fact) ? visit_key(on) : SERVET_OK;
}

/* Follows the key from step `step` on, into each item of its lists. */
static int descend(walk *on, const srv_site *from, int step, int *index)
{
    size_t offset = step < SRV_WAY_STEPS_MAX ? on->key->way.step[step] : 0;
    if (!offset)
        return visit_fact(on, from, index);
    const srv_field *list = srv_row_at(from->shape, offset);
    bool numbered = list->type != SRV_MAYBE;
    int code = SERVET_OK;
    for (int i = 1; code == SERVET_OK; i++) {
        srv_site site = *from;
        if (srv_site_step(&site, list, i) != SERVET_OK)
            break;
        if (numbered)
            *index = i;
        code = descend(on, &site, step + 1, index + numbered);
        if (!numbered)
            break;
    }
    return code;
}

static bool visit_pattern(const srv_key *key, void *context)
{
    walk *on = context;
    srv_site site;
    on->key = key;
    on->code = srv_site_find(on->profile, on->at, key->way.scope, &site, on->error);
    if (on->code == SERVET_OK && site.item)
        on->code = descend(on, &site, 0, on->index);
    return on->code == SERVET_OK;
}

int servet_profile_each(const servet_profile *profile, const servet_at *at, servet_key_visit *visit,
                        void *context, servet_error *error)
{
    walk on = {profile, at, visit, context, error, NULL, {0}, SERVET_OK};
    on.code = srv_check_here(profile, at, error);
    if (on.code == SERVET_OK)
        (void)srv_keys_walk(visit_pattern, &on);
    return on.code;
}
