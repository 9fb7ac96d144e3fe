/* SPDX-License-Identifier: BSD-3-Clause */
/** Finds slow links of a network, whose ends are sound with other nodes. */
#ifndef SRV_FACTS_LAYERS_DETECT_LINKS_H
#define SRV_FACTS_LAYERS_DETECT_LINKS_H

#include "servet/analyze.h"

typedef struct srv_paces {
    double *fastest; /**< of each node */
    double *column;  /**< work: costs with one node */
    double *ratio;   /**< at [node * (n - 1) + other, without itself]: its cost over that of the
                        other's median partner */
    double usual;    /**< the fastest of the median node */
} srv_paces;

/** Fills in the paces of at least three nodes; false without memory. srv_paces_finish() either way.
 */
bool srv_paces_find(const servet_matrix *matrix, srv_paces *paces);
void srv_paces_finish(srv_paces *paces);

/** The slowness of node `node` of n, with its interval over the partners. A node is slow if its
 * fastest messages are: no cable or switch of a single way is in them; and if it is with most
 * others slower than these are with others: the fastest way of a sound node may be to a slow one.
 */
servet_value srv_slowness_of(const srv_paces *paces, size_t node, size_t n);

/** Least number of nodes: each end of a slow link needs two sound nodes beside it. */
enum { SRV_LINKS_NODES_LEAST = 4 };

/** A link between two units, which are nodes or groups of them; or from one unit to all others. */
typedef struct srv_slow_way {
    int from, to;         /**< units; `to` -1: all others */
    int pair[2], like[2]; /**< two nodes that send over it, and two that it is compared with */
    double factor;        /**< cost of the first pair divided by that of the second */
} srv_slow_way;

/** Finds at most `most` links that take SERVET_SLOW_NODE times the time of the others of both ends.
 * `unit` is the unit of each row of the matrix, 0 .. units - 1; if each row is a unit, units are
 * not compared as a whole. Links that are long because of their places are not slow: a slow link is
 * one of at most a third of the links of each end, with a gap between it and the others. Fewer than
 * three units, or four if pairs are distinguished, show nothing. Errors: SERVET_EMEMORY. */
int srv_find_slow_ways(const servet_matrix *matrix, const int *unit, int units, srv_slow_way *ways,
                       int most, int *count, servet_error *error);

#endif
