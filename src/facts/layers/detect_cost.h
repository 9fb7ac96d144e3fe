/* SPDX-License-Identifier: BSD-3-Clause */
/** Costs of the pairs of a layer. */
#ifndef SRV_FACTS_LAYERS_DETECT_COST_H
#define SRV_FACTS_LAYERS_DETECT_COST_H

#include "servet/analyze.h"

/** Cost between two cores: the cheaper direction, NaN where neither was measured. */
double srv_pair_cost(const servet_matrix *matrix, size_t i, size_t j);

/** Fills in cost, near, far and group_count of the layer, whose groups are numbered from 0;
 * `before` are the groups of the layer before, or NULL. If no pair was measured, cost.samples is 0
 * and nothing else is set. Errors: SERVET_EMEMORY. */
int srv_layer_cost(const servet_matrix *matrix, const int *before, servet_layer *layer,
                   servet_error *error);

#endif
