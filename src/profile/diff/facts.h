/* SPDX-License-Identifier: BSD-3-Clause */
/** Compares a fact of two profiles. */
#ifndef SRV_PROFILE_DIFF_FACTS_H
#define SRV_PROFILE_DIFF_FACTS_H

#include "profile/keys/keys.h"
#include "servet/diff.h"

/** The facts of a key in two profiles; at[i] is NULL if profile i has no place for it. */
typedef struct srv_fact_pair {
    const srv_key *key;
    const void *at[2];
} srv_fact_pair;

/** True if profile `i` has the fact. */
bool srv_fact_known(const srv_fact_pair *pair, int i);

/** Compares facts if at least one is known: fills quantity, comparison, trust and change of
 * `*fact`. Errors: SERVET_EMEMORY. */
int srv_facts_compare(const srv_fact_pair *pair, const double tolerance[SERVET_QUANTITY_COUNT],
                      servet_diff_fact *fact);

#endif
