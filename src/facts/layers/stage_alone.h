/* SPDX-License-Identifier: BSD-3-Clause */
/** Costs of pairs of layers alone: measured all at once, pairs may slow each other down by a tenth
 * unnoticed. */
#ifndef SRV_FACTS_LAYERS_STAGE_ALONE_H
#define SRV_FACTS_LAYERS_STAGE_ALONE_H

#include "sample/messaging.h"
#include "servet/analyze.h"

/** Items are the rows of a matrix. */
typedef struct srv_alone_plan {
    srv_messaging messaging;
    const int *rank;  /**< of each thing */
    const bool *skip; /**< of each thing: it is not measured; NULL: all may be */
    double bytes;
} srv_alone_plan;

/**
 * Measures some pairs of each layer one by one. Each layer gets the median as its cost, with the
 * interval of that; one without such pairs keeps its own. `*measured` is false, and nothing
 * changes, where time is too short or a recording has no such probes. Errors: those of the network,
 * SERVET_EINTERRUPTED.
 */
int srv_network_measure_alone(const srv_alone_plan *plan, servet_layers *layers, bool *measured,
                              servet_error *error);

#endif
