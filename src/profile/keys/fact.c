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
static int step_down(const srv_field *list, int number, const question *on, srv_site *site)
{
    int count = ((const srv_list *)(const void *)((const char *)site->item + list->offset))->count;
    int code = srv_site_step(site, list, number);
    if (code == SERVET_EUNMEASURED)
        return not_measured(on);
    if (code == SERVET_ERANGE && count == 0)
        return srv_fail(on->error, SERVET_ERANGE, "%.128s: the profile has no %s", on->key,
                        list->noun);
    if (code == SERVET_ERANGE)
        return srv_fail(on->error, SERVET_ERANGE, "%.128s: %s must be between 1 and %d", on->key,
                        list->noun, count);
    return SERVET_OK;
}

/* Where the fact is. */
static int find_fact(const servet_profile *profile, const servet_at *at, const srv_request *request,
                     const question *on, const void **fact)
{
    const srv_key *key = &request->key;
    const int *index = request->index;
    srv_site site;
    int code = srv_site_begin(profile, at, key->way.scope, &site, on->error);
    if (code == SERVET_OK && !site.item)
        return not_measured(on);
    for (int i = 0; i < srv_way_steps(&key->way) && code == SERVET_OK; i++) {
        const srv_field *list = srv_row_named(site.shape, key->way.step[i]);
        code = step_down(list, list->type == SRV_MAYBE ? 1 : *index++, on, &site);
    }
    if (code == SERVET_OK && !(*fact = srv_key_member(key, site.item)))
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
