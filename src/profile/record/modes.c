/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores the results of repeats: values from several moments, and modes. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/units.h"
#include "profile/keys/keys.h"
#include "profile/record/edit.h"
#include "servet/record.h"

/* Replaces the modes of a fact in the list. */
static void change_modes(srv_edit *edit, srv_list *list, const char *name,
                         const servet_modes *modes)
{
    const srv_list kept = *list;
    srv_bimodal *all = srv_edit_list(edit, list, kept.count + 1, sizeof *all);
    if (!all)
        return;
    list->count = 0;
    for (int i = 0; i < kept.count; i++)
        if (strcmp(((const srv_bimodal *)kept.items)[i].fact, name) != 0)
            all[list->count++] = ((const srv_bimodal *)kept.items)[i];
    if (modes->count < 2)
        return;
    srv_bimodal *added = &all[list->count++];
    *added = (srv_bimodal){.first = modes->value[0],
                           .first_share = modes->share[0],
                           .second = modes->value[1],
                           .second_share = modes->share[1]};
    snprintf(added->fact, sizeof added->fact, "%s", name);
}

static int store_modes(servet_profile *profile, int node_class, const srv_request *request,
                       const servet_modes *modes, servet_error *error)
{
    static const srv_way job = {SRV_OF_PROFILE, {offsetof(servet_profile, network)}},
                         classes = {SRV_OF_PROFILE, {offsetof(servet_profile, classes)}};
    srv_edit edit;
    if (srv_key_of_communication(&request->key)) {
        srv_comm *changed = srv_edit_begin(&edit, profile, &job, NULL, error);
        change_modes(&edit, &changed->modes, request->name, modes);
    } else {
        srv_class *changed =
            srv_edit_begin(&edit, profile, &classes, (long[]){node_class + 1L}, error);
        change_modes(&edit, &changed->modes, request->name, modes);
    }
    return srv_edit_end(&edit);
}

static int check_value(const servet_value *stored, const servet_value *value, const char *key,
                       servet_error *error)
{
    if (!servet_value_known(stored))
        return srv_not_measured(key, error);
    bool ordered = value->low <= value->value && value->value <= value->high;
    if (value->unit != stored->unit || !ordered)
        return srv_fail(error, SERVET_EARGUMENT,
                        "%.128s: repeats with another unit, or no interval", key);
    return SERVET_OK;
}

int servet_profile_set_repeats(servet_profile *profile, int node_class, const char *key,
                               const servet_value *value, const servet_modes *modes,
                               servet_error *error)
{
    const char *class = servet_profile_class_name(profile, node_class);
    const servet_at at = {.node_class = class, .core = SERVET_ANY_CORE};
    srv_request request = {
        .profile = profile, .at = class ? &at : NULL, .name = key, .error = error};
    if (!srv_request_parse(&request) || (!class && !srv_key_of_communication(&request.key)))
        return srv_fail(error, class ? SERVET_EKEY : SERVET_EARGUMENT,
                        "%.128s: no such key, or no node class has number %d", key, node_class);
    int code = srv_request_find(&request);
    if (code == SERVET_OK && !request.fact)
        return srv_key_unknown(key, error);
    if (code != SERVET_OK)
        return code;
    if (!srv_key_is_value(&request.key) || request.key.derived ||
        request.aspect != SRV_ASPECT_ESTIMATE)
        return srv_fail(error, SERVET_EKEY, "%.128s: is no value of its own", key);
    servet_value *stored =
        (servet_value *)(uintptr_t)request.fact; /* the caller may change the profile */
    servet_modes kept = *modes;
    for (int i = 0; i < kept.count; i++)
        kept.value[i] = srv_in_unit(kept.value[i], request.key.field->unit);
    code = check_value(stored, value, key, error);
    if (code == SERVET_OK)
        code = store_modes(profile, node_class, &request, &kept, error);
    if (code != SERVET_OK)
        return code;
    servet_value joined = *value;
    joined.low = fmin(value->low, stored->low);
    joined.high = fmax(value->high, stored->high);
    joined.trusted = stored->trusted && value->trusted;
    *stored = joined;
    return SERVET_OK;
}
