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

#include "facts/layers/detect_cut.h"

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

#endif
