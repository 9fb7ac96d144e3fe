/* SPDX-License-Identifier: BSD-3-Clause */
/** Selects candidates among all cuts of a tree. */
#ifndef SRV_FACTS_LAYERS_DETECT_CUTS_H
#define SRV_FACTS_LAYERS_DETECT_CUTS_H

#include "facts/layers/detect_tree.h"

/** One for each doubling of the size of groups, and two more. */
enum { SRV_CUTS_MAX = 32 };

/**
 * Writes into `merge_counts` after how many merges to cut, and how many there are into `*count`:
 * where the gap between inside and outside explains most of the costs, before the largest jump of
 * the heights, and where the gap explains most among the cuts into groups that are alike, for each
 * doubling of their size. Cuts of nothing and of everything are none. Errors: SERVET_EMEMORY.
 */
int srv_cuts_choose(const srv_units *units, const double *effect, const srv_merge *merges,
                    int merge_count, int merge_counts[SRV_CUTS_MAX], int *count,
                    servet_error *error);

#endif
