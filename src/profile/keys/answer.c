/* SPDX-License-Identifier: BSD-3-Clause */
/* One fact by its key: where it is stored, or what is worked out. */
#include "profile/keys/keys.h"

#include "core/error.h"

int srv_not_measured(const char *key, servet_error *error)
{
    return srv_fail(error, SERVET_EUNMEASURED, "%.128s: not measured", key);
}

/* --- stored ----------------------------------------------------------------------------------- */

/* One step down; `number` is that of the key, where the step takes one. */
static int step_down(const srv_request *request, const srv_field *list, int number, srv_site *site)
{
    int count = ((const srv_list *)(const void *)((const char *)site->item + list->offset))->count;
    int code = srv_site_step(site, list, number);
    if (code == SERVET_EUNMEASURED)
        return srv_not_measured(request->name, request->error);
    if (code == SERVET_ERANGE && count == 0)
        return srv_fail(request->error, SERVET_ERANGE, "%.128s: the profile has no %s",
                        request->name, list->noun);
    if (code == SERVET_ERANGE)
        return srv_fail(request->error, SERVET_ERANGE, "%.128s: %s must be between 1 and %d",
                        request->name, list->noun, count);
    return SERVET_OK;
}

static int find_fact(srv_request *request)
{
    const srv_way *way = &request->key.way;
    const int *index = request->index;
    srv_site site;
    int code = srv_site_begin(request->profile, request->at, way->scope, &site, request->error);
    for (int i = 0; i < srv_way_steps(way) && code == SERVET_OK && site.item; i++) {
        const srv_field *list = srv_row_named(site.shape, way->step[i]);
        code = step_down(request, list, list->type == SRV_MAYBE ? 1 : *index++, &site);
    }
    request->fact = srv_key_member(&request->key, site.item);
    return code == SERVET_OK && !request->fact ? srv_not_measured(request->name, request->error)
                                               : code;
}

int srv_request_find(srv_request *request)
{
    if (!srv_request_parse(request))
        return srv_key_unknown(request->name, request->error);
    return srv_key_is_asked(&request->key) ? SERVET_OK : find_fact(request);
}

/* --- worked out ------------------------------------------------------------------------------- */

/* Also out of what is not trusted: the answer tells. Errors are returned like those of stored
 * facts.
 */
static int work_out(srv_request *request)
{
    servet_profile all = *request->profile;
    all.trusted_only = false;
    int code = request->key.derived->derive(&all, request->index, &request->worked_out);
    request->fact = &request->worked_out;
    if (code == SERVET_EUNMEASURED)
        return srv_not_measured(request->name, request->error);
    return code == SERVET_OK
               ? code
               : srv_fail(request->error, code, "%.128s: beyond what was measured", request->name);
}

int srv_check_here(const servet_profile *profile, const servet_at *at, servet_error *error)
{
    bool any = (at && at->node_class) || servet_profile_class_count(profile) == 0;
    return any ? SERVET_OK : servet_profile_here(profile, NULL, error);
}

int srv_request_answer(srv_request *request)
{
    int code = srv_request_find(request);
    if (code == SERVET_OK)
        code = srv_check_here(request->profile, request->at, request->error);
    if (code == SERVET_OK && srv_key_is_asked(&request->key))
        code = work_out(request);
    if (code == SERVET_OK && !srv_key_is_known(&request->key, request->fact))
        code = srv_not_measured(request->name, request->error);
    return code;
}

int servet_profile_get(const servet_profile *profile, const servet_at *at, const char *key,
                       char *text, size_t size, servet_error *error)
{
    srv_request request = {.profile = profile, .at = at, .name = key, .error = error};
    int code = srv_request_answer(&request);
    return code == SERVET_OK ? srv_request_print(&request, text, size) : code;
}
