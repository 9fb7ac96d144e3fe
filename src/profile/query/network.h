/* SPDX-License-Identifier: BSD-3-Clause */
/** Common parts of queries about communication. */
#ifndef SRV_PROFILE_QUERY_NETWORK_H
#define SRV_PROFILE_QUERY_NETWORK_H

#include "profile/types.h"

/** Facts about communication. Errors: SERVET_EUNMEASURED. */
int srv_comm_find(const servet_profile *profile, const srv_comm **comm);

/** Layer `layer`, from 1. Errors: SERVET_EUNMEASURED, SERVET_ERANGE. */
int srv_comm_layer_find(const servet_profile *profile, int layer, const srv_comm_layer **answer);

/** The fastest layer of the kind of two cores that has both in one group, from 0; -1 for none. */
int srv_comm_common_layer(const srv_comm *comm, servet_place a, servet_place b);

/** SERVET_EUNTRUSTED where the profile does not answer from groups of a layer that are not trusted.
 */
int srv_demand_groups(const servet_profile *profile, int layer);

/**
 * The value on the straight line from `a` to `b` at the share `where` (0..1) of the way, as with
 * its interval; a or b themselves at the ends. Trusted as far as both are.
 */
servet_value srv_value_between(const servet_value *a, const servet_value *b, double where);

/** The same value as an answer beyond the measured points. */
servet_value srv_value_beyond(servet_value value);

/** A value and its interval times a factor, which may be uncertain, too. */
servet_value srv_value_times(servet_value value, const servet_value *factor);

#endif
