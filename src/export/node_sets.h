/* SPDX-License-Identifier: BSD-3-Clause */
/** Reads the description of a node from the profile, and its sets of PUs: the cores, packages and
 * NUMA nodes. */
#ifndef SRV_EXPORT_NODE_SETS_H
#define SRV_EXPORT_NODE_SETS_H

#include <stdio.h>
#include "servet/node.h"

/** Reads the description of a node class; NULL: of this node. Errors: SERVET_ERANGE,
 * SERVET_EOTHER. */
int srv_export_machine(const servet_profile *profile, const char *node_class,
                       servet_machine *machine, servet_error *error);

/** Sets in the format of queries, "0-3,8". A zeroed struct has no sets. */
typedef struct srv_pu_sets {
    char **items;
    int count;
} srv_pu_sets;

/** Adds the PUs of each instance of a cache level of the core type of `at`, if they are trusted.
 * Errors: SERVET_EMEMORY. */
int srv_pu_sets_add_cache(const servet_profile *profile, const servet_at *at, int level,
                          srv_pu_sets *sets, servet_error *error);

void srv_pu_sets_finish(srv_pu_sets *sets);

/** Reads sets of a node class; none if they are not known. Errors: SERVET_EMEMORY. */
typedef int srv_pu_sets_reader(const servet_profile *profile, const servet_at *at,
                               srv_pu_sets *sets, servet_error *error);

/** The PUs of each core: each PU, or the PUs that share an L1. There are none if the number of
 * these sets is not the number of cores. */
srv_pu_sets_reader srv_pu_sets_cores;

/** The PUs of each package, equal parts of hwloc's logical order. */
srv_pu_sets_reader srv_pu_sets_packages;

/** The PUs of each NUMA node that has some. */
srv_pu_sets_reader srv_pu_sets_numa;

/** Writes the PUs of a set as bits: "0x1f". */
void srv_pu_mask(const char *cores, FILE *stream);

/** Writes the PUs of a set as a list: "0, 1, 8". */
void srv_pu_list(const char *cores, FILE *stream);

#endif
