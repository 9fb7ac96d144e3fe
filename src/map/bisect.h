/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Cuts a set of processes in two of given sizes, so that little is sent from one to the other:
 * several beginnings, each made better by moving one process after the other, also uphill (C. M.
 * Fiduccia, R. M. Mattheyses, A linear-time heuristic for improving network partitions, DAC'82);
 * the best counts.
 */
#ifndef SRV_MAP_BISECT_H
#define SRV_MAP_BISECT_H

#include "map/graph.h"
#include "map/heap.h"

/** A graph whose processes are being assigned, and room for the work. */
typedef struct srv_bisection {
    const srv_graph *graph; /**< both ways */
    int *weight;            /**< of each of its entries; all of them add up to less than 2^31 */
    int *members;           /**< the processes in an order in which each set stands side by side */
    int *place;             /**< of each process in `members` */
    unsigned char *side;    /**< of each process: 0 or 1 */
    unsigned char *best;    /**< the sides of the best cut so far */
    int64_t *gain;          /**< by how much the cut shrinks if the process moves */
    int *moves, *in_heap, *heap[2];
} srv_bisection;

/** The set members[first..end-1], `left` of which are to be on side 0. */
typedef struct srv_map_cut {
    int first, end, left;
} srv_map_cut;

/** All processes of the graph in the order of their ranks; srv_bisection_finish() also after a
 *  failure. Errors: SERVET_EMEMORY. */
int srv_bisection_begin(srv_bisection *on, const srv_graph *graph, servet_error *error);

/** Frees it. */
void srv_bisection_finish(srv_bisection *on);

/** Cuts a set and sorts it: first those of side 0, on each side ranks ascend. Errors:
 *  SERVET_EMEMORY. */
int srv_bisect(srv_bisection *on, const srv_map_cut *cut);

/**
 * Sides to begin with, into on->side of the members of the set; how many are on each need not be as
 * it should. Errors: SERVET_EUNSUPPORTED (there is no such beginning), SERVET_EMEMORY.
 */
typedef int srv_beginning(srv_bisection *on, const srv_map_cut *cut);

/** The one of libscotch; there is none where that is missing or the set too small for it. */
srv_beginning srv_scotch_beginning;

#endif
