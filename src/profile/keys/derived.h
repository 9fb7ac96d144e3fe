/* SPDX-License-Identifier: BSD-3-Clause */
/** Answers that are worked out for each query, of keys that srv_key_is_computed(). */
#ifndef SRV_PROFILE_KEYS_DERIVED_H
#define SRV_PROFILE_KEYS_DERIVED_H

#include "profile/keys/keys.h"

/** The answer at the numbers of the key. Errors: those of the public queries. */
int srv_key_derive(const srv_key *key, const servet_profile *profile, const int *index,
                   servet_value *answer);

/** The next larger one of the key's last numbers that was measured; 0: none, or the facts that the
 * answer is worked out of are listed, and compared, instead. */
int srv_key_next(const srv_key *key, const servet_profile *profile, const int *index, int after);

#endif
