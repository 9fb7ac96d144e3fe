/* SPDX-License-Identifier: BSD-3-Clause */
/** The location of a rank: its node, and the PU that it is bound to. */
#ifndef SRV_RANKS_RANK_LOCATION_H
#define SRV_RANKS_RANK_LOCATION_H

#include <mpi.h>

#include "machine/hardware/topology.h"

typedef struct srv_rank_location {
    char host[SERVET_NAME_MAX];
    char boot[SERVET_NAME_MAX]; /**< identifies a boot of a kernel: equal on hosts that share a
                                 * machine
                                 */
    int leader;                 /**< first rank of the node */
    int peers;                  /**< ranks on the node */
    int core;                   /**< OS number of the PU */
} srv_rank_location;

/** Zeroes the location except `host` and `boot`. */
void srv_rank_location_identify(srv_rank_location *location);

/**
 * Finds the rank's node and binds it; all ranks of `comm` call it together. Ranks that the launcher
 * left free to run on the same PUs are spread over these in command; with more ranks than PUs,
 * several share one. Errors: SERVET_EMACHINE, SERVET_EMEMORY; the other ranks are then not kept
 * waiting.
 */
int srv_rank_location_find(MPI_Comm comm, srv_topology *topology, srv_rank_location *location,
                           servet_error *error);

/** Lets the calling thread run on all PUs that the job may use on this node. */
void srv_rank_unbind(srv_topology *topology);

/** Binds the calling thread to the PU of the location. */
int srv_rank_bind(srv_topology *topology, const srv_rank_location *location, servet_error *error);

/** True if the calling thread is still bound there. */
bool srv_rank_is_bound(const srv_topology *topology, const srv_rank_location *location);

/** Bytes of memory for messages that are rotated, of each of two pools: more than any cache of the
 * PU holds, but not more than the node's memory allows. */
size_t srv_rank_rotated_bytes(srv_topology *topology, const srv_rank_location *location);

#endif
