/* SPDX-License-Identifier: BSD-3-Clause */
/** Classes of nodes that measure alike, and the differences of the others. */
#ifndef SRV_RUN_CLASSES_H
#define SRV_RUN_CLASSES_H

#include "profile/record/compare.h"
#include "servet/record.h"

/**
 * Merges the nodes' profiles, of which some may be NULL, into that of a cluster: nodes that
 * measure alike become a class, described by the node with the most trusted facts, of several the
 * least disturbed one (noise of its run); the largest class comes first. The profiles are used up:
 * all are closed, or are `*cluster`.
 * `*cluster` is NULL where all were. Errors: SERVET_EMEMORY.
 */
int srv_merge_nodes(servet_profile **profiles, int count, servet_profile **cluster,
                    servet_error *error);

#endif
