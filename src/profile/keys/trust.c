/* SPDX-License-Identifier: BSD-3-Clause */
/* Trust in the answer of a key, with the reason against it. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/units.h"
#include "profile/keys/keys.h"
#include "profile/trust.h"

/* Returns true if the key means the number of items. */
static bool is_count(const srv_key *key)
{
    return !key->derived && (key->type == SRV_VALUES || key->type == SRV_STRINGS ||
                             key->type == SRV_LIST || key->type == SRV_FACTS);
}

/* Finds the struct that has the fact, or the item that is the fact. */
static int locate(const srv_request *request, srv_site *site)
{
    long numbers[SRV_KEY_INDICES_MAX];
    for (int i = 0; i < SRV_KEY_INDICES_MAX; i++)
        numbers[i] = request->index[i];
    return srv_locate(request->profile, request->at, &request->key.way, numbers, site);
}

static servet_trust trust_value(const srv_request *request, const srv_site *site,
                                const srv_field *member)
{
    servet_trust trust = srv_trust_value(request->fact, srv_site_doubt(site, member, false));
    trust.confidence = srv_site_confidence(site);
    return trust;
}

servet_trust srv_request_trust(const srv_request *request)
{
    const srv_key *of = &request->key;
    /* for items of a list with one key, such as scaling.N, the site is the item itself */
    const srv_field *member = of->is_item ? NULL : of->field;
    servet_trust trust = {.trusted = true, .confidence = NAN};
    srv_site site;
    if (locate(request, &site) != SERVET_OK || of->label.weight == SRV_EXTENT)
        return trust;
    if (srv_key_is_value(of))
        return trust_value(request, &site, member);
    return member ? srv_trust_member(&site, member, is_count(of)) : trust;
}

/* --- queries ---------------------------------------------------------------------------------- */

int servet_profile_trust(const servet_profile *profile, const servet_at *at, const char *key,
                         servet_trust *trust, servet_error *error)
{
    srv_request request = {.profile = profile, .at = at, .name = key, .error = error};
    int code = srv_request_answer(&request);
    if (code == SERVET_OK)
        *trust = srv_request_trust(&request);
    return code;
}

void servet_profile_trusted_only(servet_profile *profile, bool only)
{
    profile->trusted_only = only;
}

/* --- whose modes they are --------------------------------------------------------------------- */

/* Writes the key without a part behind it. The best copy is one of the kernels and has its modes.
 */
static void name_fact(const srv_request *request, const srv_class *class,
                      char name[SERVET_NAME_MAX])
{
    const char *key = request->name;
    size_t length =
        request->aspect == SRV_ASPECT_ESTIMATE ? strlen(key) : (size_t)(strrchr(key, '.') - key);
    snprintf(name, SERVET_NAME_MAX, "%.*s", (int)length, key);
    if (!request->key.derived || !request->key.derived->pick)
        return;
    const srv_kernels *kernels = class->memory_bandwidth.items;
    ptrdiff_t kernel = (const servet_value *)request->fact - kernels->bandwidth;
    snprintf(name, SERVET_NAME_MAX, "memory.%s", servet_kernel_name((servet_kernel)kernel));
}

/* Returns the modes of the fact with the key `name`; NULL: none were found, or none are stored. */
static const srv_bimodal *find_modes(const srv_list *kept, const char *name)
{
    const srv_bimodal *all = kept ? kept->items : NULL;
    for (int i = 0; kept && i < kept->count; i++)
        if (strcmp(all[i].fact, name) == 0)
            return &all[i];
    return NULL;
}

/* --- queries ---------------------------------------------------------------------------------- */

int srv_request_modes(const srv_request *request, servet_modes *modes)
{
    char name[SERVET_NAME_MAX];
    servet_value value;
    const srv_class *class = srv_class_named(request->profile, request->at);
    const srv_comm *comm = request->profile->network.items;
    if (!srv_key_value(&request->key, request->fact, &value) || !servet_value_known(&value))
        return srv_not_measured(request->name, request->error);
    name_fact(request, class, name);
    const srv_list *kept = class ? &class->modes : NULL;
    if (srv_key_of_communication(&request->key))
        kept = comm ? &comm->modes : NULL;
    const srv_bimodal *found = find_modes(kept, name);
    *modes = (servet_modes){0};
    if (!found)
        return SERVET_OK;
    *modes = (servet_modes){.count = 2,
                            .value = {found->first, found->second},
                            .share = {found->first_share, found->second_share}};
    for (int i = 0; i < modes->count; i++)
        modes->value[i] = srv_of_unit(modes->value[i], request->key.field->unit);
    return SERVET_OK;
}

int servet_profile_modes(const servet_profile *profile, const servet_at *at, const char *key,
                         servet_modes *modes, servet_error *error)
{
    srv_request request = {.profile = profile, .at = at, .name = key, .error = error};
    int code = srv_request_find(&request);
    if (code == SERVET_OK && !request.fact)
        return srv_key_unknown(key, error);
    return code == SERVET_OK ? srv_request_modes(&request, modes) : code;
}
