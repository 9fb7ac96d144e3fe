/* SPDX-License-Identifier: BSD-3-Clause */
/** One step of finding layers: the clearest layer between two that are known. */
#ifndef SRV_FACTS_LAYERS_DETECT_SPLIT_H
#define SRV_FACTS_LAYERS_DETECT_SPLIT_H

#include <stdbool.h>
#include "facts/layers/detect_units.h"

/** No structure is a layer whose pairs cost less more than this: such a difference changes no
 * decision of a program. */
#define SRV_STEP_LEAST 0.05

/** The split of a layer, if there is one, and its confidence. */
typedef struct srv_split {
    bool found;
    double confidence; /**< 0..1; 0.5 where it is just slow enough to get out of a group */
    double whole; /**< 0.5..1, the confidence that there is no layer, if none was found; less than 1
                     if groups are set apart by less than a layer needs, or noise could hide some */
    double unseen; /**< if none was found: the step below which one would not be found for sure, as
                      a share of the mean cost */
} srv_split;

/** How far a ratio of costs exceeds the one that `groups` groups need which `coverage` of the units
 * are in: 1 where it is equal, in logarithms. */
double srv_split_margin(double ratio, int groups, double coverage);

/** The confidence that a margin gives: 0.5 at 1. */
double srv_split_confidence(double margin);

/** Searches a layer between the units and their blocks, and numbers its groups in `group`, one
 * number per unit. `known` (or NULL) are the groups of a layer found before: it is kept if its
 * groups still pass and no cut explains more. Errors: SERVET_EMEMORY. */
int srv_split_find(const srv_units *units, const int *known, int *group, srv_split *split,
                   servet_error *error);

#endif
