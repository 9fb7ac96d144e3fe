/* SPDX-License-Identifier: BSD-3-Clause */
/** Paces of nodes or switches: the ratio of the time of their messages to that of others' messages.
 */
#ifndef SRV_FACTS_LAYERS_DETECT_PACES_H
#define SRV_FACTS_LAYERS_DETECT_PACES_H

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

#endif
