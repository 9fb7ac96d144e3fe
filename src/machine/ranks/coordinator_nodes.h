/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Commands all nodes to measure themselves, while rank 0 measures its own. The others send
 * heartbeats: a node without one for SRV_HANG_SECONDS hangs, however long measuring takes.
 */
#ifndef SRV_RANKS_COORDINATOR_NODES_H
#define SRV_RANKS_COORDINATOR_NODES_H

#include "machine/ranks/coordinator.h"

/**
 * Serves SRV_REQUEST_NODES. Errors: SERVET_ECOMMUNICATION (a node is silent; the text names it),
 * SERVET_EINTERRUPTED, those of srv_node_measurer.cost().
 */
int srv_coordinator_measure_nodes(srv_coordinator *coordinator, servet_error *error);

#endif
