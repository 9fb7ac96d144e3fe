/* SPDX-License-Identifier: BSD-3-Clause */
/** Slow links between nodes: found in the matrix of all nodes, confirmed by pairs alone. */
#ifndef SRV_FACTS_LAYERS_STAGE_LINKS_H
#define SRV_FACTS_LAYERS_STAGE_LINKS_H

#include "run/network/job.h"
#include "servet/analyze.h"

typedef struct srv_links_plan {
    srv_network_job *job;
    const servet_matrix *matrix; /**< of nodes */
    const servet_layers *layers; /**< found in it */
    const int *node, *rank;      /**< of each row */
} srv_links_plan;

/** Stores the slow links of nodes that are not slow themselves in the profile. What there
 * is no time to confirm is not trusted. Errors: those of the network, SERVET_EINTERRUPTED,
 * SERVET_EMEMORY. */
int srv_network_find_links(const srv_links_plan *plan, servet_error *error);

#endif
