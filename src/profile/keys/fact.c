/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the fact of a key is. */
#include "profile/keys/keys.h"

/* Whose answer it is. */
typedef struct question {
    const char *key;
    servet_error *error;
} question;

static int not_measured(const question *on)
{
    return srv_fail(on->error, SERVET_EUNMEASURED, "%.128s: not measured", on->key);
}

/* One step down; `number` is that of the key, where the step takes one. */
static int step_down(const srv_list_step *step, int number, const question *on, const void **at)
{
    const srv_list *list = (const void *)((const char *)*at + step->offset);
    int code = srv_step_down(step, number, at);
    if (code == SERVET_EUNMEASURED)
        return not_measured(on);
    if (code == SERVET_ERANGE && list->count == 0)
        return srv_fail(on->error, SERVET_ERANGE, "%.128s: the profile has no %s", on->key,
                        step->noun);
    if (code == SERVET_ERANGE)
        return srv_fail(on->error, SERVET_ERANGE, "%.128s: %s must be between 1 and %d", on->key,
                        step->noun, list->count);
    return SERVET_OK;
}

/* Where the fact is. */
static int find_fact(const servet_profile *profile, const servet_at *at, const srv_request *request,
                     const question *on, const void **fact)
{
    const srv_key *key = &request->key;
    const int *index = request->index;
    int code = srv_scope_find(profile, at, key->way.scope, fact, on->error);
    if (code == SERVET_OK && !*fact)
        return not_measured(on);
    for (int i = 0; i < key->way.steps && code == SERVET_OK; i++)
        code = step_down(&key->way.step[i], key->way.step[i].noun ? *index++ : 1, on, fact);
    if (code == SERVET_OK && !(*fact = srv_key_member(key, *fact)))
        return not_measured(on);
    return code;
}

int srv_key_unknown(const char *key, servet_error *error)
{
    return srv_fail(error, SERVET_EKEY, "unknown key %.128s; the nearest one is %s", key,
                    srv_key_nearest(key));
}

int srv_key_fact(const servet_profile *profile, const servet_at *at, const char *key,
                 srv_request *request, const void **fact, servet_error *error)
{
    const question on = {key, error};
    *fact = NULL;
    if (!srv_key_find(key, request))
        return srv_key_unknown(key, error);
    return srv_key_is_asked(&request->key) ? SERVET_OK : find_fact(profile, at, request, &on, fact);
}
