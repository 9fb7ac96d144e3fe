/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Marks of trust for each list and each of its structs. They are computed once, when a profile is
 * opened, so that a query only reads them. A change of the profile discards them. Then trust is
 * computed for each query, because a profile under construction belongs to one thread and is rarely
 * queried.
 */
#ifndef SRV_PROFILE_TRUSTED_H
#define SRV_PROFILE_TRUSTED_H

#include "profile/trust.h"

/** Computes the marks of the whole profile, in profile->trust. Errors: SERVET_EMEMORY. */
int srv_trusted_note(servet_profile *profile);

/** Discards the marks. Call it before the profile is changed or closed. */
void srv_trusted_forget(servet_profile *profile);

/** True if the struct at the site, an item of a list, is trusted. */
bool srv_trusts_item(const servet_profile *profile, const srv_site *site);

/** Returns true if the list at `offset` of the struct is trusted; with `count`, if the number of
 * its items is. */
bool srv_trusts_list(const servet_profile *profile, const srv_site *site, size_t offset,
                     bool count);

/** True if the number of cores that saturate the memory of a node is trusted. */
bool srv_trusts_saturation(const servet_profile *profile, const srv_class *class);

#endif
