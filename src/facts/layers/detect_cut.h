/* SPDX-License-Identifier: BSD-3-Clause */
/** A grouping of units; groups stay inside their blocks. */
#ifndef SRV_FACTS_LAYERS_DETECT_CUT_H
#define SRV_FACTS_LAYERS_DETECT_CUT_H

#include <stdbool.h>
#include "facts/layers/detect_units.h"

typedef struct srv_cut {
    int count;
    int *group; /**< of each unit, numbered by their first units */
    int *
        start; /**< of each group, and one more: its units are order[start[g]..start[g + 1] - 1], */
    int *order; /**< ascending */
    int *work;  /**< for srv_cut_set() */
} srv_cut;

/** Makes room for cuts of that many units. False where memory is short; free it then, too. */
bool srv_cut_init(srv_cut *cut, int units);

/** Frees the room; fine for a cut that is all zero. */
void srv_cut_finish(srv_cut *cut);

/** Sets the groups from a number per unit, the same for those in the same group (may be
 * cut->group); numbers lie between 0 and the number of units. */
void srv_cut_set(srv_cut *cut, int units, const int *group);

/** The number of units of a group. */
static inline int srv_cut_size(const srv_cut *cut, int group)
{
    return cut->start[group + 1] - cut->start[group];
}

/** True if groups of these sizes are alike: no unit is alone, and none is larger than twice the
 * smallest. */
bool srv_sizes_alike(int smallest, int largest);

/** True if all groups are alike. */
bool srv_cut_alike(const srv_cut *cut);

#endif
