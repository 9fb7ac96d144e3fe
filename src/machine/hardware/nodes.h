/* SPDX-License-Identifier: BSD-3-Clause */
/** NUMA nodes as hwloc knows them, and memory on one of them. */
#ifndef SRV_HARDWARE_NODES_H
#define SRV_HARDWARE_NODES_H

#include "machine/hardware/topology.h"

/** srv_machine_ops.nodes. Nodes without memory are left out, unless none is said to have any. */
int srv_nodes_list(srv_topology *topology, srv_numa numas[SRV_NUMA_MAX], int *count,
                   servet_error *error);

/**
 * Asks that the pages of `base`.. that are touched from now on come from the node-th node of
 * srv_nodes_list(), counted from 1; 0: from where the core that touches them is, as usual.
 * Not more than asks: a bound page for which its node has no room ends the process, so that what
 * was touched is to be checked. Errors: SERVET_EARGUMENT (no such node), SERVET_EUNSUPPORTED (the
 * system refuses, as some containers do).
 */
int srv_nodes_place(srv_topology *topology, int node, void *base, size_t bytes,
                    servet_error *error);

/**
 * Makes sure that all pages of `base`.., touched, lie on this node; 0: wherever they lie. Errors:
 * SERVET_EARGUMENT (no such node), SERVET_EUNSUPPORTED (some lie elsewhere, for want of room, or
 * the system does not tell).
 */
int srv_nodes_check(srv_topology *topology, int node, const void *base, size_t bytes,
                    servet_error *error);

#endif
