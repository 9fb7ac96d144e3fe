/* SPDX-License-Identifier: BSD-3-Clause */
/** Common functions of queries of communication. */
#ifndef SRV_PROFILE_QUERY_NETWORK_H
#define SRV_PROFILE_QUERY_NETWORK_H

#include "profile/types.h"

/** Finds the facts of communication. Errors: SERVET_EUNMEASURED. */
int srv_comm_find(const servet_profile *profile, const srv_comm **comm);

/** Layer `layer`, from 1. Errors: SERVET_EUNMEASURED, SERVET_ERANGE. */
int srv_comm_layer_find(const servet_profile *profile, int layer, const srv_comm_layer **answer);

/** Returns the fastest layer, from 0, that has two cores in one group, within or between nodes as
 * the cores are; -1: there is none. */
int srv_comm_common_layer(const srv_comm *comm, servet_place a, servet_place b);

/** Returns SERVET_EUNTRUSTED if the profile gives trusted answers only, and the groups of the layer
 * are not trusted. */
int srv_demand_groups(const servet_profile *profile, int layer);

/**
 * Interpolates linearly between `a` and `b`, with their intervals; `where` (0..1) is the position.
 * At the ends it returns `a` or `b` unchanged. The result is trusted if both are.
 */
servet_value srv_value_between(const servet_value *a, const servet_value *b, double where);

/** Marks a value as an answer beyond the measured points. */
servet_value srv_value_beyond(servet_value value);

/** Multiplies a value and its interval by a factor, which may have an interval, too. */
servet_value srv_value_times(servet_value value, const servet_value *factor);

#endif
