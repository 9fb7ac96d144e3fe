/* SPDX-License-Identifier: BSD-3-Clause */
/** Contrast of groups with their neighbours, which cuts through a gradient lack. */
#ifndef SRV_FACTS_LAYERS_DETECT_CONTRAST_H
#define SRV_FACTS_LAYERS_DETECT_CONTRAST_H

#include "facts/layers/detect_effects.h"

typedef struct srv_layers_contrast {
    /**
     * The ratio of the mean cost of a group to its nearest neighbour over the mean cost inside the
     * two. Costs of the units themselves cancel. Here, the value that nine of ten groups exceed.
     */
    double ratio;

    /**
     * The probability that a pair inside a group is cheaper than one to its nearest neighbour, less
     * effects. Here, the mean over groups. Halves of a line along which costs grow evenly have
     * 0.92.
     */
    double purity;

    /** Share of the units that are in blocks with such a group, among all in blocks of three units
     * or more: blocks of two show nothing about a layer. */
    double share;

    int groups; /**< that have both a pair inside and a neighbour */
} srv_layers_contrast;

/** Finds the contrast. If no group has both a pair inside and a neighbour, all is 0. Errors:
 * SERVET_EMEMORY. */
int srv_contrast_of(const srv_units *units, const srv_cut *cut, const double *effect,
                    srv_layers_contrast *contrast, servet_error *error);

#endif
