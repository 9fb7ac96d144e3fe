/* SPDX-License-Identifier: BSD-3-Clause */
/** A node as a network of one rank, its quietest core: a run samples noise, and reads the clock, of
 * nodes and jobs alike. */
#ifndef SRV_RUN_NODE_H
#define SRV_RUN_NODE_H

#include "machine/network.h"

typedef struct srv_node {
    srv_network head; /**< it sends no messages */
    srv_machine *machine;
    srv_rank rank;
    srv_network_node node;
} srv_node;

/** On the least disturbed of `cores`; always the same one, for frequencies to compare. Errors:
 * those of the machine. */
int srv_node_begin(srv_node *node, srv_machine *machine, const char *cores, servet_error *error);

#endif
