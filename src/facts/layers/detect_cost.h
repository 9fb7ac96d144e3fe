/* SPDX-License-Identifier: BSD-3-Clause */
/** Costs of the pairs of a layer. */
#ifndef SRV_FACTS_LAYERS_DETECT_COST_H
#define SRV_FACTS_LAYERS_DETECT_COST_H

#include <stdbool.h>

#include "servet/analyze.h"

/** Cost between two cores: the cheaper direction, NaN where neither was measured. */
double srv_pair_cost(const servet_matrix *matrix, size_t i, size_t j);

/** True if a layer's groups join two cores that those of the layer before (NULL: none) do not. */
static inline bool srv_joins(const int *group, const int *before, size_t i, size_t j)
{
    return group[i] == group[j] && (!before || before[i] != before[j]);
}

/** True if layer `number` (from 0) joins two cores that no layer before it does. */
bool srv_is_of_layer(const servet_layers *layers, int number, size_t i, size_t j);

/** The pair of such cores, ascending, whose cost is nearest to the layer's; both 0 if none was
 * measured. */
void srv_typical_pair(const servet_matrix *matrix, const servet_layers *layers, int number,
                      size_t pair[2]);

/** Fills in cost, near, far and group_count of the layer, whose groups are numbered from 0;
 * `before` are the groups of the layer before, or NULL. If no pair was measured, cost.samples is 0
 * and nothing else is set. Errors: SERVET_EMEMORY. */
int srv_layer_cost(const servet_matrix *matrix, const int *before, servet_layer *layer,
                   servet_error *error);

#endif
