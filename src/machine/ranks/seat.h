/* SPDX-License-Identifier: BSD-3-Clause */
/** Where a rank sits: its node, and the PU that it is bound to. */
#ifndef SRV_RANKS_SEAT_H
#define SRV_RANKS_SEAT_H

#include <mpi.h>

#include "machine/hardware/topology.h"

typedef struct srv_seat {
    char host[SERVET_NAME_MAX];
    char boot[SERVET_NAME_MAX]; /**< which start of which kernel: alike where hosts share a machine
                                 */
    int leader;                 /**< first rank of the node */
    int peers;                  /**< ranks on the node */
    int core;                   /**< OS number of the PU */
} srv_seat;

/** Zeroes the seat but for `host` and `boot`. */
void srv_seat_name(srv_seat *seat);

/**
 * Finds the rank's node and binds it; all ranks of `comm` call it together. Ranks that the launcher
 * left free to run on the same PUs are spread over these in order; with more ranks than PUs,
 * several share one. Errors: SERVET_EMACHINE, SERVET_EMEMORY; the other ranks are then not kept
 * waiting.
 */
int srv_seat_take(MPI_Comm comm, srv_topology *topology, srv_seat *seat, servet_error *error);

/** Lets the calling thread run on all PUs that the job may use on this node. */
void srv_seat_leave(srv_topology *topology);

/** Binds the calling thread to the seat again. */
int srv_seat_return(srv_topology *topology, const srv_seat *seat, servet_error *error);

#endif
