/* SPDX-License-Identifier: BSD-3-Clause */
/** Contrast of groups with the groups next to them, which cuts out of a gradient lack. */
#ifndef SRV_FACTS_LAYERS_DETECT_CONTRAST_H
#define SRV_FACTS_LAYERS_DETECT_CONTRAST_H

#include "facts/layers/detect_effects.h"

typedef struct srv_layers_contrast {
    /**
     * The ratio, of a group, of the mean cost to the group next to it to that inside the two.
     * Whatever units pay for themselves cancels. Here, the value that nine of ten groups exceed.
     */
    double ratio;

    /**
     * The probability, of a group, that a pair inside is cheaper than one that leads to the group
     * next to it, less effects. Here, the mean over groups. Halves of a line along which costs grow
     * evenly have 0.92.
     */
    double purity;

    /** Share of the units that are in blocks with such a group, among all in blocks of three units
     * or more: those of two show nothing about a layer. */
    double share;

    int groups; /**< that have both an inside and a neighbour */
} srv_layers_contrast;

/** Errors: SERVET_EMEMORY. Where no group has both an inside and a neighbour, all is 0. */
int srv_contrast_of(const srv_units *units, const srv_cut *cut, const double *effect,
                    srv_layers_contrast *contrast, servet_error *error);

#endif
