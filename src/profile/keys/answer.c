/* SPDX-License-Identifier: BSD-3-Clause */
/* One fact by its key. */
#include "profile/keys/keys.h"

/* What is worked out; its errors are as good as any fact's. */
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

static int print_part(const servet_profile *profile, const servet_at *at,
                      const srv_request *request, const servet_value *value, const char *key,
                      char *text, size_t size, servet_error *error)
{
    servet_modes modes = {0};
    if (request->aspect != SRV_ASPECT_MODES)
        return srv_key_print_aspect(&request->key, value, request->aspect, key, text, size, error);
    if (!srv_key_is_asked(&request->key) && servet_value_known(value))
        (void)servet_profile_modes(profile, at, key, &modes, NULL);
    return srv_key_print_modes(&request->key, value, &modes, key, text, size, error);
}

/* What a profile says of all classes together is of their cluster: another machine has no answer in it,
 * either. */
static int check_here(const servet_profile *profile, const servet_at *at, servet_error *error)
{
    bool any = (at && at->node_class) || servet_profile_class_count(profile) == 0;
    return any ? SERVET_OK : servet_profile_here(profile, NULL, error);
}

int servet_profile_get(const servet_profile *profile, const servet_at *at, const char *key,
                       char *text, size_t size, servet_error *error)
{
    srv_request request;
    servet_value value;
    const void *fact;
    int code = srv_key_fact(profile, at, key, &request, &fact, error);
    if (code == SERVET_OK)
        code = check_here(profile, at, error);
    if (code == SERVET_OK && !fact) {
        code = work_out(profile, &request, key, &value, error);
        fact = &value;
    }
    if (code != SERVET_OK)
        return code;
    if (request.aspect == SRV_ASPECT_ESTIMATE)
        return srv_key_print(&request.key, fact, key, text, size, error);
    (void)srv_key_value(&request.key, fact, &value);
    return print_part(profile, at, &request, &value, key, text, size, error);
}
