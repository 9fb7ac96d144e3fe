/* SPDX-License-Identifier: BSD-3-Clause */
/** What the parts of servet_profile_reconcile() share: marking facts that contradict each other. */
#ifndef SRV_PROFILE_CONSISTENT_H
#define SRV_PROFILE_CONSISTENT_H

#include "profile/types.h"

/** A value, and its path for servet_profile_distrust(). */
typedef struct srv_fact {
    servet_value *value;
    char path[SERVET_NAME_MAX];
} srv_fact;

/**
 * `lesser` must not be above `greater`, as far as their intervals allow: else both are marked as
 * not trusted, with the statement and the other one as the reason. Facts that are unknown or not
 * trusted contradict nothing. Errors: SERVET_EMEMORY.
 */
int srv_demand_order(servet_profile *profile, int class, const srv_fact *lesser,
                     const srv_fact *greater, const char *statement, servet_error *error);

/** Marks what contradicts itself in the layers of communication. Errors: SERVET_EMEMORY. */
int srv_mark_layers(servet_profile *profile, servet_error *error);

#endif
