/* SPDX-License-Identifier: BSD-3-Clause */
/* One fact by its key. */
#include "profile/keys.h"

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
static int step_down(const srv_step *step, int number, const question *on, const void **at)
{
    const srv_list *list = (const void *)((const char *)*at + step->offset);
    int code = srv_step_down(step, number, at);
    if (code == SERVET_EUNMEASURED)
        return not_measured(on);
    if (code == SERVET_ERANGE && list->count == 0)
        return srv_fail(on->error, SERVET_ERANGE, "%.128s: there are no %s", on->key, step->noun);
    if (code == SERVET_ERANGE)
        return srv_fail(on->error, SERVET_ERANGE, "%.128s: %s go from 1 to %d", on->key, step->noun,
                        list->count);
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

/* What is worked out; its errors are as good as any fact's. */
static int work_out(const servet_profile *profile, const srv_request *request, const question *on,
                    servet_value *answer)
{
    int code = request->key.derived->ask(profile, request->index, answer);
    if (code == SERVET_EUNMEASURED)
        return not_measured(on);
    if (code != SERVET_OK)
        return srv_fail(on->error, code, "%.128s: beyond what was measured", on->key);
    return SERVET_OK;
}

static int unknown_key(const question *on)
{
    return srv_fail(on->error, SERVET_EKEY, "unknown key %.128s; the nearest one is %s", on->key,
                    srv_key_nearest(on->key));
}

int srv_key_fact(const servet_profile *profile, const servet_at *at, const char *key,
                 srv_request *request, const void **fact, servet_error *error)
{
    const question on = {key, error};
    if (!srv_key_find(key, request) || srv_key_is_asked(&request->key))
        return unknown_key(&on);
    return find_fact(profile, at, request, &on, fact);
}

/* --- the whole -------------------------------------------------------------------------------- */

static int print_part(const servet_profile *profile, const servet_at *at,
                      const srv_request *request, const servet_value *value, const question *on,
                      char *text, size_t size)
{
    servet_modes modes = {0};
    if (request->aspect != SRV_ASPECT_MODES)
        return srv_key_print_aspect(&request->key, value, request->aspect, on->key, text, size,
                                    on->error);
    if (!srv_key_is_asked(&request->key) && servet_value_known(value))
        (void)servet_profile_modes(profile, at, on->key, &modes, NULL);
    return srv_key_print_modes(&request->key, value, &modes, on->key, text, size, on->error);
}

int servet_profile_get(const servet_profile *profile, const servet_at *at, const char *key,
                       char *text, size_t size, servet_error *error)
{
    const question on = {key, error};
    srv_request request;
    servet_value value;
    const void *fact = &value;
    if (!srv_key_find(key, &request))
        return unknown_key(&on);
    int code = srv_key_is_asked(&request.key) ? work_out(profile, &request, &on, &value)
                                              : find_fact(profile, at, &request, &on, &fact);
    if (code != SERVET_OK)
        return code;
    if (request.aspect == SRV_ASPECT_ESTIMATE)
        return srv_key_print(&request.key, fact, key, text, size, error);
    (void)srv_key_value(&request.key, fact, &value);
    return print_part(profile, at, &request, &value, &on, text, size);
}
