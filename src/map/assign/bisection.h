/* SPDX-License-Identifier: BSD-3-Clause */
/** A set of processes that is being cut in two. */
#ifndef SRV_MAP_ASSIGN_BISECTION_H
#define SRV_MAP_ASSIGN_BISECTION_H

#include <stdint.h>

#include "core/room.h"
#include "map/traffic/graph.h"

/** A graph whose processes are being assigned, and room for the work. */
typedef struct srv_bisection {
    const srv_graph *graph; /**< with the traffic of both directions */
    int *weight;            /**< weight of each entry of the graph; the sum is below 2^31 */
    int *members;           /**< the processes; the members of each set are contiguous */
    int *place;             /**< position of each process in `members` */
    unsigned char *side;    /**< of each process: 0 or 1 */
    unsigned char *best;    /**< the sides of the best cut so far */
    int64_t *gain;          /**< decrease of the cut if the process moves */
    int *moves, *in_heap, *heap[2];
    srv_room room; /**< has the arrays */
} srv_bisection;

/** The set members[first..end-1], with `left` members for side 0. */
typedef struct srv_map_cut {
    int first, end, left;
} srv_map_cut;

/**
 * Computes an initial cut and stores it in on->side of the set's members. The sizes of the sides
 * may differ from the requested ones. Errors: SERVET_EUNSUPPORTED (this method is not available),
 * SERVET_EMEMORY.
 */
typedef int srv_beginning(srv_bisection *on, const srv_map_cut *cut);

#endif
