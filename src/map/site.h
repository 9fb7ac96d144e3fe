/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Seats on a machine, and which of its groups each is in: the tree along which processes are dealt
 * out. Levels are those of communication within nodes, then the node, then those between nodes,
 * then all of it; groups of a level lie within those of the next.
 */
#ifndef SRV_MAP_SITE_H
#define SRV_MAP_SITE_H

#include "servet/profile.h"

/** A seat: where one process can be. */
typedef struct srv_map_seat {
    int node;     /**< number of its node, from 0, those of one site without gaps or not */
    int job_node; /**< number of that in the job that measured the network; -1: took no part */
    int like;     /**< number in the job of a node with the same cores; -1: none */
    int core;     /**< OS number of its first core */
} srv_map_seat;

/** Seats and their groups. */
typedef struct srv_site {
    int count, levels;
    int node_level;   /**< the level whose groups are the nodes */
    int *layer;       /**< of each level, the layer whose price messages have that meet there */
    int *group;       /**< of seat s in level l at [s * levels + l], from 0 in each level */
    int *group_count; /**< of each level */
    int *order;       /**< the seats, those of a group side by side in every level */
} srv_site;

/**
 * Finds the groups of all seats; srv_site_finish() also after a failure. A core or node that is in
 * no group of a layer is a group of its own. Errors: SERVET_EUNMEASURED (no layers),
 * SERVET_EMEMORY.
 */
int srv_site_begin(srv_site *site, const servet_profile *profile, const srv_map_seat *seats,
                   int count, servet_error *error);

/** Frees it. */
void srv_site_finish(srv_site *site);

/** The groups of a seat, by level. */
const int *srv_site_groups(const srv_site *site, int seat);

/** The level in which two seats meet: the nearest that has both in one group. */
int srv_site_meeting(const srv_site *site, int a, int b);

#endif
