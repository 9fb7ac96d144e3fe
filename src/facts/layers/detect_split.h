/* SPDX-License-Identifier: BSD-3-Clause */
/** One step of finding layers: the clearest layer between two that are known. */
#ifndef SRV_FACTS_LAYERS_DETECT_SPLIT_H
#define SRV_FACTS_LAYERS_DETECT_SPLIT_H

#include <stdbool.h>
#include "facts/layers/detect_units.h"

/** Whether there is a layer, and how sure that is. */
typedef struct srv_split {
    bool found;
    double confidence; /**< 0..1; 0.5 where it is just dear enough to get out of a group */
} srv_split;

/**
 * Looks for a layer between the units and their blocks, and numbers its groups in `group`, one
 * number per unit. `known` (or NULL) are the groups of a layer that was found when less was known:
 * it stays if its groups are still set apart and nothing explains more. Errors: SERVET_EMEMORY.
 */
int srv_split_find(const srv_units *units, const int *known, int *group, srv_split *split,
                   servet_error *error);

#endif
