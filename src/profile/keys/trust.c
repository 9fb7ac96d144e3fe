/* SPDX-License-Identifier: BSD-3-Clause */
/* Trust in the answer of a key, with the reason against it. */
#include <math.h>
#include <stdio.h>

#include "core/error.h"
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

/* Returns the trust in a value, which may have two modes. */
static servet_trust trust_value(const srv_request *request, const srv_site *site,
                                const srv_field *member)
{
    servet_modes modes = {0};
    const srv_doubt *doubt = srv_site_doubt(site, member, false);
    servet_trust trust = srv_trust_value(request->fact, doubt);
    if (!trust.trusted && !doubt && !srv_key_is_computed(&request->key))
        (void)srv_request_modes(request, &modes);
    if (modes.count)
        snprintf(trust.reason, sizeof trust.reason, SRV_TWO_MODES);
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
