/* SPDX-License-Identifier: BSD-3-Clause */
/** Computes the difference of two lists of sets of cores. */
#ifndef SRV_PROFILE_DIFF_GROUPS_H
#define SRV_PROFILE_DIFF_GROUPS_H

#include "profile/types.h"

/**
 * Computes a share, in `*share`: the number of pairs of cores that are in one set in only one list,
 * divided by the number of pairs that are in one set in at least one list (a core and itself are a
 * pair, too). It is 0 for the same sets, 1 for nothing in common. The lists have well-formed,
 * disjoint sets of cores, or of cores of nodes, with their spans (profile/spans.h); their order
 * does not matter. The time is proportional to the number of ranges, not of cores. Errors:
 * SERVET_EMEMORY.
 */
int srv_groups_difference(const srv_list *a, const srv_list *b, double *share);

#endif
