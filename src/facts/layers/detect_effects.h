/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How well a grouping of units explains the costs. Between units i and j of block b the model is
 *
 *     cost = mean(b) + effect(i) + effect(j) - (gap if i and j are in the same group)
 *
 * The effect is the part of the cost that a unit has with all others, e.g. for the path to the
 * line's home. Each block has its own mean, so that only contrasts inside blocks count.
 */
#ifndef SRV_FACTS_LAYERS_DETECT_EFFECTS_H
#define SRV_FACTS_LAYERS_DETECT_EFFECTS_H

#include "facts/layers/detect_units.h"

/** Error of every model of costs, as a share of their mean: it adds to the noise. */
#define SRV_MODEL_ERROR 0.02

/** Fits `effect` (one per unit; in: where to start) to the costs, given the cut. Returns the sum of
 * squares that the model leaves. */
double srv_effects_fit(const srv_units *units, const srv_cut *cut, double *effect);

/** Nats that name the effects of all units, to the precision at which costs of this variance show
 * them: the mean of each group, e.g. of the cores of one package, and what units differ from it. */
double srv_effects_nats(const srv_units *units, const srv_cut *cut, const double *effect,
                        double variance);

/** The pairs of a block and those inside groups: their numbers, and the sums of their costs. */
typedef struct srv_pair_sums {
    double pairs, sum;
    double inside, inside_sum;
} srv_pair_sums;

/** Evidence of blocks for the gap; contrasts and weights of blocks add up. */
typedef struct srv_gap {
    double contrast, weight; /**< their quotient is the gap */
} srv_gap;

/** The gap of one block. */
srv_gap srv_gap_of(const srv_pair_sums *block);

/** The part of the sum of squares that a gap explains; 0 where it would be negative. */
double srv_gap_explains(srv_gap gap);

/** Means over the groups that have both a pair inside and a neighbour. */
typedef struct srv_layers_contrast {
    /** The ratio of the mean cost of a group to its nearest neighbour over the mean cost inside the
     * two. Costs of the units themselves cancel. */
    double ratio;

    /** The step at the border of a group, as a share of the step between the mean costs: by how
     * much the nearest pair across costs more than these two units cost with their own groups, less
     * effects. 1 if all pairs across cost alike, 0 or less where a line along which costs grow
     * evenly is cut. */
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
