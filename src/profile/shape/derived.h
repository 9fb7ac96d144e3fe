/* SPDX-License-Identifier: BSD-3-Clause */
/** Answers of keys that are worked out, as srv_key_derive. */
#ifndef SRV_PROFILE_SHAPE_DERIVED_H
#define SRV_PROFILE_SHAPE_DERIVED_H

#include "servet/network.h"

/** layers.N.time_us.M: of a message of index[1] bytes in layer index[0]. */
int srv_derive_time(const servet_profile *profile, const int *index, servet_value *answer);

/** The size, as srv_key_next, of the first point of that layer's curve beyond `after`. */
int srv_derive_next_size(const servet_profile *profile, const int *index, int after);

/** layers.N.slowdown.M: while index[1] messages go at once, of those that told the layers apart. */
int srv_derive_slowdown(const servet_profile *profile, const int *index, servet_value *answer);

/** layers.N.aggregation_below.M: up to which size index[1] messages are better sent as one, the end
 * of the last range that pays before the first one that loses; 0: there is none. */
int srv_derive_aggregation(const servet_profile *profile, const int *index, servet_value *answer);

/** The number of messages, as srv_key_next, of that layer's ranges beyond `after`. */
int srv_derive_next_batch(const servet_profile *profile, const int *index, int after);

/** network.distance_ratio.N and network.access_ratio.N, and the largest N that was measured. */
int srv_derive_distance_ratio(const servet_profile *profile, const int *index,
                              servet_value *answer);
int srv_derive_access_ratio(const servet_profile *profile, const int *index, servet_value *answer);
int srv_derive_largest_distance(const servet_profile *profile, const int *index,
                                servet_value *answer);
int srv_derive_most_processes(const servet_profile *profile, const int *index,
                              servet_value *answer);

#endif
