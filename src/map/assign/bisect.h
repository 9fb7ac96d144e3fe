/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Cuts a set of processes in two of given sizes with little traffic between them: from several
 * initial cuts, each improved by moving one process after another, also if the cut grows at first
 * (C. M. Fiduccia, R. M. Mattheyses, A linear-time heuristic for improving network partitions,
 * DAC'82); the best cut counts.
 */
#ifndef SRV_MAP_ASSIGN_BISECT_H
#define SRV_MAP_ASSIGN_BISECT_H

#include "map/assign/bisection.h"

/** All processes of the graph in the order of their ranks; srv_bisection_finish() also after a
 *  failure. Errors: SERVET_EMEMORY. */
int srv_bisection_begin(srv_bisection *on, const srv_graph *graph, servet_error *error);

/** Frees it. */
void srv_bisection_finish(srv_bisection *on);

/** Cuts a set and sorts it: first those of side 0, on each side ranks ascend. Errors:
 *  SERVET_EMEMORY. */
int srv_bisect(srv_bisection *on, const srv_map_cut *cut);

#endif
