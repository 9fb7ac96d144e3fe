/* SPDX-License-Identifier: BSD-3-Clause */
/** Finds slow links of a network, whose ends are sound with other nodes. */
#ifndef SRV_FACTS_LAYERS_DETECT_LINKS_H
#define SRV_FACTS_LAYERS_DETECT_LINKS_H

#include "servet/analyze.h"

/** Least number of nodes: each end of a slow link needs two sound nodes beside it. */
enum { SRV_LINKS_NODES_LEAST = 4 };

/** A link between two units, which are nodes or groups of them; or from one unit to all others. */
typedef struct srv_slow_way {
    int from, to;         /**< units; `to` -1: all others */
    int pair[2], like[2]; /**< two nodes that send over it, and two that it is compared with */
    double factor;        /**< cost of the first pair divided by that of the second */
} srv_slow_way;

/**
 * Finds at most `most` links that take SERVET_SLOW_NODE times the time of the others of both ends.
 * `unit` is the unit of each row of the matrix, 0 .. units - 1; if each row is a unit, units are
 * not compared as a whole. Links that are long because of their places are not slow: a slow link is
 * one of at most a third of the links of each end, with a gap between it and the others. Fewer than
 * three units, or four if pairs are distinguished, show nothing. Errors: SERVET_EMEMORY.
 */
int srv_find_slow_ways(const servet_matrix *matrix, const int *unit, int units, srv_slow_way *ways,
                       int most, int *count, servet_error *error);

#endif
