/* SPDX-License-Identifier: BSD-3-Clause */
/** Sets of PUs of a node: its cores, packages and NUMA nodes, as the profile knows them. */
#ifndef SRV_EXPORT_NODE_SETS_H
#define SRV_EXPORT_NODE_SETS_H

#include <stdio.h>
#include "servet/node.h"

/** Sets in the format of queries, "0-3,8"; zeroed there are none. */
typedef struct srv_pu_sets {
    char **items;
    int count;
} srv_pu_sets;

/** Adds a copy of a set. Errors: SERVET_EMEMORY. */
int srv_pu_sets_add(srv_pu_sets *sets, const char *cores, servet_error *error);

void srv_pu_sets_finish(srv_pu_sets *sets);

/** Reads sets of a node class; none where the profile does not know them. Errors: SERVET_EMEMORY.
 */
typedef int srv_pu_sets_reader(const servet_profile *profile, const servet_at *at,
                               srv_pu_sets *sets, servet_error *error);

/** The PUs of each core: each PU, or those that share an L1. None if their number is not that of
 * the cores. */
srv_pu_sets_reader srv_pu_sets_cores;

/** The PUs of each package, equal parts of hwloc's logical order. */
srv_pu_sets_reader srv_pu_sets_packages;

/** The PUs of each NUMA node that has some. */
srv_pu_sets_reader srv_pu_sets_numa;

/** "0x1f": the PUs of a set as bits. */
void srv_pu_mask(const char *cores, FILE *stream);

/** "0, 1, 8": the PUs of a set. */
void srv_pu_list(const char *cores, FILE *stream);

/** A text as a string of JSON or Python. */
void srv_quoted(const char *text, FILE *stream);

#endif
