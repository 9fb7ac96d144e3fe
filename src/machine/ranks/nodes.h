/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The measurement of all nodes, as the main thread of rank 0 leads it while it measures its own.
 * The others give signs of life all the time: one that gives none for SRV_HANG_SECONDS hangs,
 * however long measuring takes.
 */
#ifndef SRV_RANKS_NODES_H
#define SRV_RANKS_NODES_H

#include "machine/ranks/preside.h"

/**
 * Serves SRV_REQUEST_NODES. Errors: SERVET_ECOMMUNICATION (a node is silent; the text names it),
 * SERVET_EINTERRUPTED, those of servet_measure_cost().
 */
int srv_preside_nodes(srv_office *office, servet_error *error);

#endif
