/* SPDX-License-Identifier: BSD-3-Clause */
/* One fact by its key. */
#include "profile/keys/keys.h"

#include "core/error.h"

/* Computed facts; their errors are returned like those of stored ones. */
static int work_out(const servet_profile *profile, const srv_request *request, const char *key,
                    servet_value *answer, servet_error *error)
{
    int code = request->key.derived->ask(profile, request->index, answer);
    if (code == SERVET_EUNMEASURED)
        return srv_fail(error, code, "%.128s: not measured", key);
    if (code != SERVET_OK)
        return srv_fail(error, code, "%.128s: beyond what was measured", key);
    return SERVET_OK;
}

/* Facts of all classes together are of their cluster: they do not apply to other machines, either.
 */
static int check_here(const servet_profile *profile, const servet_at *at, servet_error *error)
{
    bool any = (at && at->node_class) || servet_profile_class_count(profile) == 0;
    return any ? SERVET_OK : servet_profile_here(profile, NULL, error);
}

int srv_key_answer(const servet_profile *profile, const servet_at *at, const char *key,
                   srv_request *request, servet_value *worked_out, const void **fact,
                   servet_error *error)
{
    int code = srv_key_fact(profile, at, key, request, fact, error);
    if (code == SERVET_OK)
        code = check_here(profile, at, error);
    if (code == SERVET_OK && !*fact) {
        code = work_out(profile, request, key, worked_out, error);
        *fact = worked_out;
    }
    if (code == SERVET_OK && !srv_key_is_known(&request->key, *fact))
        code = srv_fail(error, SERVET_EUNMEASURED, "%.128s: not measured", key);
    return code;
}

static int print_part(const servet_profile *profile, const servet_at *at,
                      const srv_request *request, const void *fact, const char *key, char *text,
                      size_t size, servet_error *error)
{
    servet_value value;
    servet_modes modes = {0};
    (void)srv_key_value(&request->key, fact, &value);
    if (request->aspect != SRV_ASPECT_MODES)
        return srv_key_print_aspect(&request->key, &value, request->aspect, key, text, size, error);
    if (!srv_key_is_asked(&request->key))
        (void)servet_profile_modes(profile, at, key, &modes, NULL);
    return srv_key_print_modes(&request->key, &value, &modes, key, text, size, error);
}

static int print(const servet_profile *profile, const servet_at *at, const srv_request *request,
                 const void *fact, const char *key, char *text, size_t size, servet_error *error)
{
    servet_trust trust = srv_key_trust(profile, at, key, request, fact);
    if (srv_is_trust(request->aspect))
        return srv_key_print_trust(&trust, request->aspect, key, text, size, error);
    if (!trust.trusted && profile->trusted_only)
        return srv_fail(error, SERVET_EUNTRUSTED, "%.96s: not trusted: %.128s", key, trust.reason);
    return request->aspect == SRV_ASPECT_ESTIMATE
               ? srv_key_print(&request->key, fact, key, text, size, error)
               : print_part(profile, at, request, fact, key, text, size, error);
}

int servet_profile_get(const servet_profile *profile, const servet_at *at, const char *key,
                       char *text, size_t size, servet_error *error)
{
    servet_profile all = *profile; /* which answers what is worked out of what is not trusted */
    srv_request request;
    servet_value worked_out;
    const void *fact;
    all.trusted_only = false;
    int code = srv_key_answer(&all, at, key, &request, &worked_out, &fact, error);
    return code == SERVET_OK ? print(profile, at, &request, fact, key, text, size, error) : code;
}
