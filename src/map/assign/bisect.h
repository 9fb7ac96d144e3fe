/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Cuts a set of processes into two of given sizes, with little traffic between them. It improves
 * several initial cuts by moving one process after another, even if the cut grows at first (C. M.
 * Fiduccia, R. M. Mattheyses, A linear-time heuristic for improving network partitions, DAC'82),
 * and takes the best result.
 */
#ifndef SRV_MAP_ASSIGN_BISECT_H
#define SRV_MAP_ASSIGN_BISECT_H

#include "map/assign/bisection.h"

/** Begins with all processes of the graph, in the order of their ranks. Call srv_bisection_finish()
 *  also after a failure. Errors: SERVET_EMEMORY. */
int srv_bisection_begin(srv_bisection *on, const srv_graph *graph, servet_error *error);

/** Frees the memory of the bisection. */
void srv_bisection_finish(srv_bisection *on);

/** Cuts a set and sorts it: processes of side 0 come first; on each side, ranks ascend. Errors:
 *  SERVET_EMEMORY. */
int srv_bisect(srv_bisection *on, const srv_map_cut *cut);

#endif
