/* SPDX-License-Identifier: BSD-3-Clause */
/** Layers that noise could hide. */
#ifndef SRV_FACTS_LAYERS_DETECT_POWER_H
#define SRV_FACTS_LAYERS_DETECT_POWER_H

#include "facts/layers/detect_units.h"

/** The tests that a layer into equal groups has to pass. */
typedef struct srv_power_rules {
    double step;     /**< least ratio of costs less 1, of a single group */
    double least;    /**< the same of any number of groups */
    double edge;     /**< least step at the border, as a share of the step */
    double evidence; /**< nats */
} srv_power_rules;

/** Steps are shares of the cost of the nearer pairs. */
typedef struct srv_power {
    double unseen; /**< a layer with a smaller step would not be found for sure; INFINITY: none
                      would */
    double hidden; /**< 0..0.5, the probability that one is hidden */
} srv_power;

/**
 * Finds the power of a search in units whose costs deviate by `deviation` from their means and
 * effects. If no block has four units, no such layer is possible, and both results are 0.
 */
srv_power srv_power_of(const srv_units *units, double deviation, const srv_power_rules *rules);

#endif
