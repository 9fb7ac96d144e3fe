/* SPDX-License-Identifier: BSD-3-Clause */
/** The two halves of the layers of communication. */
#ifndef SRV_FACTS_LAYERS_STAGE_NODES_H
#define SRV_FACTS_LAYERS_STAGE_NODES_H

#include "facts/layers/stage_found.h"

/**
 * Adds the layers within nodes: nodes with the same cores are measured at once and represented by
 * medians. Errors: those of the network, SERVET_EINTERRUPTED, SERVET_EIO, SERVET_EMEMORY.
 */
int srv_network_layers_of_cores(srv_network_job *job, srv_layer_list *list, servet_error *error);

/** Adds the layers between nodes, and stores which nodes and links are slow. Errors: as above. */
int srv_network_layers_of_nodes(srv_network_job *job, srv_layer_list *list, servet_error *error);

#endif
