/* SPDX-License-Identifier: BSD-3-Clause */
/** Who sits where, as rank 0 knows it of all. */
#ifndef SRV_RANKS_ROSTER_H
#define SRV_RANKS_ROSTER_H

#include "machine/network.h"
#include "machine/ranks/seat.h"

typedef struct srv_roster {
    srv_rank *rank;
    int rank_count;
    srv_network_node *node;
    int *leader; /**< first rank of each node */
    int node_count;
} srv_roster;

/** Numbers the nodes of the seats of all ranks. Errors: SERVET_EMEMORY. */
int srv_roster_init(srv_roster *roster, const srv_seat *seats, int rank_count, servet_error *error);

/** Gives node i the number number[i], a permutation. Errors: SERVET_EMEMORY. */
int srv_roster_renumber(srv_roster *roster, const int *number, servet_error *error);

/** A zeroed roster is fine. */
void srv_roster_finish(srv_roster *roster);

#endif
