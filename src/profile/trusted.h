/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Trust in each list and in each of its structs, worked out once when a profile is opened, so that
 * a query only reads it. A change of the profile discards all of it; it is then worked out for each
 * query, because a profile under construction belongs to one thread and is seldom queried.
 */
#ifndef SRV_PROFILE_TRUSTED_H
#define SRV_PROFILE_TRUSTED_H

#include "profile/trust.h"

/** Works it out for the whole profile, in profile->trust. Errors: SERVET_EMEMORY. */
int srv_trusted_note(servet_profile *profile);

/** Discards it: the profile is about to change, or to be closed. */
void srv_trusted_forget(servet_profile *profile);

/** True if the struct at the site, an item of a list, is trusted. */
bool srv_trusts_item(const servet_profile *profile, const srv_site *site);

/** True if the list at `offset` of the struct is trusted, with `count` the number of its items. */
bool srv_trusts_list(const servet_profile *profile, const srv_site *site, size_t offset,
                     bool count);

/** True if the number of cores that saturate the memory of a node is trusted. */
bool srv_trusts_saturation(const servet_profile *profile, const srv_class *class);

#endif
