/* SPDX-License-Identifier: BSD-3-Clause */
/** Finds a torus in the message times of pairs of nodes, which grow with each link on the way. */
#ifndef SRV_FACTS_LAYERS_DETECT_TORUS_H
#define SRV_FACTS_LAYERS_DETECT_TORUS_H

#include "servet/analyze.h"
#include "stats/torus.h"

/** A torus, and the time that each link adds to a message, with its 95 % interval. */
typedef struct srv_found_torus {
    srv_torus torus; /**< count 0: the times show none */
    servet_value step;
} srv_found_torus;

/** Searches the torus whose distances explain the costs best, among all of `nodes` nodes numbered
 * along its dimensions; node[i] is the number of row i of the matrix; -1: it is left out. Errors:
 * SERVET_EMEMORY. */
int srv_torus_find(const servet_matrix *matrix, const int *node, int nodes, srv_found_torus *found,
                   servet_error *error);

#endif
