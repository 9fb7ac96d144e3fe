/* SPDX-License-Identifier: BSD-3-Clause */
/** The order in which units are joined: average linkage inside each block, on costs less effects.
 */
#ifndef SRV_FACTS_LAYERS_DETECT_TREE_H
#define SRV_FACTS_LAYERS_DETECT_TREE_H

#include "facts/layers/detect_effects.h"

/** Two clusters become one; `a` and `b` are units of theirs. */
typedef struct srv_merge {
    double height; /**< the mean cost between them, less effects */
    int a, b;
    int a_size, b_size;
    int order; /**< of joining, so that equal heights sort the same way everywhere */
} srv_merge;

/** Writes the merges of all blocks, lowest first, into `merges`, which has room for one per unit,
 * and returns how many there are. A cluster is always made before it is joined to another. `work`
 * has room for as many numbers as there are pairs of units in the largest block. */
int srv_tree_build(const srv_units *units, const double *effect, srv_merge *merges, float *work,
                   int *size, int *chain);

/** The cut after the first `count` merges. */
void srv_tree_cut(const srv_units *units, const srv_merge *merges, int count, srv_cut *cut);

/** One for each doubling of the size of groups, and two more. */
enum { SRV_CUTS_MAX = 32 };

/** Writes into `merge_counts` after how many merges to cut, and how many there are into `*count`:
 * where the gap between inside and outside explains most of the costs, before the largest jump of
 * the heights, and where the gap explains most among the cuts into groups that are alike, for each
 * doubling of their size. Cuts of nothing and of everything are none. Errors: SERVET_EMEMORY. */
int srv_cuts_choose(const srv_units *units, const double *effect, const srv_merge *merges,
                    int merge_count, int merge_counts[SRV_CUTS_MAX], int *count,
                    servet_error *error);

#endif
