/* SPDX-License-Identifier: BSD-3-Clause */
/** The rank table of rank 0: node and PU of every rank of the job. */
#ifndef SRV_RANKS_RANK_TABLE_H
#define SRV_RANKS_RANK_TABLE_H

#include "machine/network.h"
#include "machine/ranks/rank_location.h"

typedef struct srv_rank_table {
    srv_rank *rank;
    int rank_count;
    srv_network_node *node;
    int *leader; /**< first rank of each node */
    int node_count;
} srv_rank_table;

/** Numbers the nodes of the locations of all ranks. Errors: SERVET_EMEMORY. */
int srv_rank_table_init(srv_rank_table *table, const srv_rank_location *locations, int rank_count,
                        servet_error *error);

/** Gives node i the number number[i], a permutation. Errors: SERVET_EMEMORY. */
int srv_rank_table_renumber(srv_rank_table *table, const int *number, servet_error *error);

/** `*share` is 1 if two ranks are on one PU of one machine, whatever their nodes call themselves,
 * else 0. Errors: SERVET_EMEMORY. */
int srv_rank_table_share_cores(const srv_rank_table *table, int *share, servet_error *error);

/** A zeroed table is valid. */
void srv_rank_table_finish(srv_rank_table *table);

#endif
