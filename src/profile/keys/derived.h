/* SPDX-License-Identifier: BSD-3-Clause */
/** Computes the answers to keys for which srv_key_is_computed() is true. */
#ifndef SRV_PROFILE_KEYS_DERIVED_H
#define SRV_PROFILE_KEYS_DERIVED_H

#include "profile/keys/keys.h"

/** Computes the answer for the core of `at` and the numbers of the key. Errors: those of the public
 * queries. */
int srv_key_derive(const srv_key *key, const servet_profile *profile, const servet_at *at,
                   const int *index, servet_value *answer);

/** Returns the next larger measured value of the key's last number; 0: there is none, or the facts
 * behind the answer are listed and compared instead. */
int srv_key_next(const srv_key *key, const servet_profile *profile, const int *index, int after);

#endif
