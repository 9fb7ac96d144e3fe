/* SPDX-License-Identifier: BSD-3-Clause */
/** How different two lists of sets of cores are. */
#ifndef SRV_PROFILE_DIFF_GROUPS_H
#define SRV_PROFILE_DIFF_GROUPS_H

#include "profile/types.h"

/**
 * The share, in `*share`, of the pairs of cores (each core with itself included) that are in one
 * set in one list only, among those that are in one set in either list: 0 for the same sets, 1 for
 * nothing in common. The lists hold well-formed, disjoint sets, of cores or of cores of nodes, with
 * their spans (profile/spans.h); their order does not matter. Takes time in proportion to the
 * ranges, not to the cores. Errors: SERVET_EMEMORY.
 */
int srv_groups_difference(const srv_list *a, const srv_list *b, double *share);

#endif
