/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers the fact of a key: reads it from its place, or computes it. */
#include "profile/keys/keys.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "profile/keys/derived.h"

/* --- what was not measured -------------------------------------------------------------------- */

/* True if the member holds facts of pairs of cores. */
static bool is_of_pairs(const char *name)
{
    static const char *const members[] = {"groups",           "sharing",       "coherence",
                                          "distance.layers",  "memory.levels", "memory.scaling",
                                          "memory.saturation"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strcmp(name, members[i]) == 0)
            return true;
    return false;
}

static bool needs_pairs(const srv_key *key)
{
    const srv_shape *shape = srv_scope_shapes[key->way.scope];
    bool found = is_of_pairs(key->field->name);
    for (int i = 0; i < srv_way_steps(&key->way); i++) {
        const srv_field *list = srv_row_at(shape, key->way.step[i]);
        found = found || is_of_pairs(list->name);
        shape = list->shape;
    }
    return found;
}

/* Explains why a fact is missing, if the profile shows it; `whole`: with all other facts of its
 * benchmark. */
static void explain(const srv_request *request, bool whole, char text[SERVET_TEXT_MAX])
{
    enum { LIST_MAX = 128 };
    const srv_class *class = srv_class_named(request->profile, request->at);
    bool of_job = srv_key_of_communication(&request->key);
    servet_run run = {.seed = 0};
    char unfinished[LIST_MAX], left_out[LIST_MAX];
    (void)servet_profile_run(request->profile, &run);
    srv_words_list(run.unfinished, unfinished, sizeof unfinished);
    srv_words_list(run.cut, left_out, sizeof left_out);
    *text = '\0';
    if (of_job && !request->profile->network.count)
        snprintf(text, SERVET_TEXT_MAX, " (servet-mpi measure does)");
    else if (!of_job && class && class->machine.pu_count == 1 && needs_pairs(&request->key))
        snprintf(text, SERVET_TEXT_MAX, " (only one core may be used)");
    else if (whole && *run.unfinished)
        snprintf(text, SERVET_TEXT_MAX, " (unfinished: %s)", unfinished);
    else if (whole && *run.cut)
        snprintf(text, SERVET_TEXT_MAX, " (the time limit cut %s)", left_out);
    else if (whole && strstr(run.options, "--only"))
        snprintf(text, SERVET_TEXT_MAX, " (run with %.128s)", run.options);
}

static int fail_unmeasured(const srv_request *request, bool whole)
{
    char why[SERVET_TEXT_MAX];
    explain(request, whole, why);
    return srv_fail(request->error, SERVET_EUNMEASURED, "%.128s: not measured%s", request->name,
                    why);
}

/* --- stored ----------------------------------------------------------------------------------- */

/* Goes one step down; `number` is the number in the key, if the step takes one. */
static int step_down(const srv_request *request, const srv_field *list, int number, srv_site *site)
{
    int count = ((const srv_list *)(const void *)((const char *)site->item + list->offset))->count;
    int code = srv_site_step(site, list, number);
    if (code == SERVET_EUNMEASURED)
        return fail_unmeasured(request, true);
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
    int code = srv_site_find(request->profile, request->at, way->scope, &site, request->error);
    for (int i = 0; i < srv_way_steps(way) && code == SERVET_OK && site.item; i++) {
        const srv_field *list = srv_row_at(site.shape, way->step[i]);
        code = step_down(request, list, list->type == SRV_MAYBE ? 1 : *index++, &site);
    }
    request->fact = srv_key_member(&request->key, site.item);
    return code == SERVET_OK && !request->fact ? fail_unmeasured(request, true) : code;
}

int srv_request_find(srv_request *request)
{
    if (!srv_request_parse(request))
        return srv_key_unknown(request->name, request->error);
    srv_site site; /* of which a computed answer is */
    return srv_key_is_computed(&request->key)
               ? srv_site_find(request->profile, request->at, request->key.way.scope, &site,
                               request->error)
               : find_fact(request);
}

/* --- computed --------------------------------------------------------------------------------- */

/* Computes the answer, even from facts that are not trusted; the answer is then marked. Errors are
 * the same as for stored facts. */
static int work_out(srv_request *request)
{
    servet_profile all = *request->profile;
    all.trusted_only = false;
    int code =
        srv_key_derive(&request->key, &all, request->at, request->index, &request->worked_out);
    request->fact = &request->worked_out;
    if (code == SERVET_EUNMEASURED)
        return fail_unmeasured(request, !srv_key_is_value(&request->key));
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
    if (code == SERVET_OK && srv_key_is_computed(&request->key))
        code = work_out(request);
    if (code == SERVET_OK && !srv_key_is_known(&request->key, request->fact))
        code = fail_unmeasured(request, !srv_key_is_value(&request->key));
    return code;
}
