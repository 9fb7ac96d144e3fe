/* SPDX-License-Identifier: BSD-3-Clause */
/** Ways through a network that are slow, while both ends are sound with others. */
#ifndef SRV_FACTS_LAYERS_DETECT_LINKS_H
#define SRV_FACTS_LAYERS_DETECT_LINKS_H

#include "servet/analyze.h"

/** Least number of nodes: each end of a slow way needs two sound ones beside it. */
enum { SRV_LINKS_NODES_LEAST = 4 };

/** A way between two units, which are things or groups of them; or from one to all others. */
typedef struct srv_slow_way {
    int from, to;         /**< units; `to` -1: all others */
    int pair[2], like[2]; /**< things: two that send on it, and two that it is compared with */
    double factor;        /**< cost of the first two over that of the others */
} srv_slow_way;

/**
 * Finds at most `most` ways that take SERVET_SLOW_NODE times as long as others of both ends. `unit`
 * is that of each row of the matrix, 0 .. units - 1; if there are as many units as rows, each row
 * is one and is not compared as a whole. Ways that are long because of their places are not slow:
 * they may be a third of the ways of an end, and a gap lies between them and others of each end.
 * Fewer than three units, or four if pairs are distinguished, show nothing. Errors: SERVET_EMEMORY.
 */
int srv_find_slow_ways(const servet_matrix *matrix, const int *unit, int units, srv_slow_way *ways,
                       int most, int *count, servet_error *error);

#endif
