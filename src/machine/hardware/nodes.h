/* SPDX-License-Identifier: BSD-3-Clause */
/** NUMA nodes as hwloc reports them, and memory on one of them. */
#ifndef SRV_HARDWARE_NODES_H
#define SRV_HARDWARE_NODES_H

#include "machine/hardware/topology.h"

/** srv_machine_ops.nodes. Nodes without memory are omitted, unless none is reported to have any. */
int srv_nodes_list(srv_topology *topology, srv_numa numas[SRV_NUMA_MAX], int *count,
                   servet_error *error);

/** OS number of the node whose memory a PU touches first; -1: hwloc does not know it. */
int srv_nodes_home(const srv_topology *topology, int core);

/**
 * Requests that the pages of `base`.. that are touched from now on come from the node-th node of
 * srv_nodes_list(), counted from 1; 0: from the node of the touching core, as usual. It does not
 * bind them: a bound page for which its node has no room ends the process. Check the touched pages.
 * Errors: SERVET_EARGUMENT (no such node), SERVET_EUNSUPPORTED (the system refuses, as some
 * containers do).
 */
int srv_nodes_place(srv_topology *topology, int node, void *base, size_t bytes,
                    servet_error *error);

/**
 * Checks that all pages of `base`.., touched, are on this node; 0: any. Errors: SERVET_EARGUMENT
 * (no such node), SERVET_EUNSUPPORTED (some are elsewhere, for lack of room, or the system does not
 * report it).
 */
int srv_nodes_check(srv_topology *topology, int node, const void *base, size_t bytes,
                    servet_error *error);

#endif
