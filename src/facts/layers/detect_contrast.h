/* SPDX-License-Identifier: BSD-3-Clause */
/** Contrast of groups with their neighbours, which cuts through a gradient lack. */
#ifndef SRV_FACTS_LAYERS_DETECT_CONTRAST_H
#define SRV_FACTS_LAYERS_DETECT_CONTRAST_H

#include "facts/layers/detect_effects.h"

/** Means over the groups that have both a pair inside and a neighbour. */
typedef struct srv_layers_contrast {
    /**
     * The ratio of the mean cost of a group to its nearest neighbour over the mean cost inside the
     * two. Costs of the units themselves cancel.
     */
    double ratio;

    /**
     * The step at the border of a group, as a share of the step between the mean costs: by how much
     * the nearest pair across costs more than these two units cost with their own groups, less
     * effects. 1 if all pairs across cost alike, 0 or less where a line along which costs grow
     * evenly is cut.
     */
    double edge;

    /** The probability that a pair inside a group is cheaper than one to its nearest neighbour,
     * less effects. Blocks of a torus, whose units all have a near partner beyond the border, have
     * 0.75. */
    double purity;

    /** Share of the units that are in such groups, among all in blocks of three units or more:
     * blocks of two show nothing about a layer. */
    double coverage;

    int groups; /**< their number */
} srv_layers_contrast;

/** Finds the contrast. If no group has both a pair inside and a neighbour, all is 0. Errors:
 * SERVET_EMEMORY. */
int srv_contrast_of(const srv_units *units, const srv_cut *cut, const double *effect,
                    srv_layers_contrast *contrast, servet_error *error);

#endif
