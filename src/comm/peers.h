/* SPDX-License-Identifier: BSD-3-Clause */
/** Gathers the locations of the ranks of a communicator on its rank 0. */
#ifndef SRV_COMM_PEERS_H
#define SRV_COMM_PEERS_H

#include "machine/ranks/string_gather.h"
#include "servet/identity.h"
#include "servet/network.h"

/** The largest number of a core. */
enum { SRV_PEER_CORES_MAX = 8192 };

/** A host of the communicator. */
typedef struct srv_host {
    const char *name;
    int first; /**< its first rank */
    int node;  /**< its number in the job that measured the network; -1: it took no part */
    int like;  /**< a node of that job with the same cores, which may be itself; -1: none */
} srv_host;

/** A rank. */
typedef struct srv_peer {
    const char *cores; /**< OS numbers of the PUs that it may run on, as ranges; "": not known */
    int host;          /**< number of its host */
    const char *fingerprint; /**< fingerprint of its host (servet_machine.fingerprint) */
} srv_peer;

typedef struct srv_peers {
    srv_peer *peer;
    int count;
    srv_host *host; /**< the hosts, ordered by name */
    int host_count;
    srv_gathered_strings strings; /**< memory of the strings above */
} srv_peers;

/**
 * Gathers the locations of all ranks of `comm` on rank 0; srv_peers_finish() frees them. All ranks
 * call it and get the same code. Errors: SERVET_EMEMORY, SERVET_ECOMMUNICATION.
 */
int srv_peers_gather(MPI_Comm comm, srv_peers *peers);

/** Finds the hosts in the profile; called on rank 0. Errors: SERVET_EMEMORY. */
int srv_peers_find(srv_peers *peers, const servet_profile *profile, servet_error *error);

/** Frees the locations. A zeroed struct is valid. */
void srv_peers_finish(srv_peers *peers);

#endif
