/* SPDX-License-Identifier: BSD-3-Clause */
/** Classes of nodes that measure alike, and what sets the others apart. */
#ifndef SRV_MEASURE_CLASSES_H
#define SRV_MEASURE_CLASSES_H

#include "servet/record.h"

/** How a node differs from another one. */
typedef struct srv_difference {
    bool alike;
    bool slower; /**< the same hardware, as far as was measured, but something takes longer */
    char text[SERVET_TEXT_MAX]; /**< "memory.single is 4.1e+09 instead of 9.8e+09" */
} srv_difference;

/**
 * Compares the first classes of two profiles. What only one of them knows is no difference: a
 * budget may have ended before. Of several differences the text tells one of hardware, else the
 * greatest.
 */
srv_difference srv_compare_nodes(const servet_profile *usual, const servet_profile *other);

/** The same for two classes of one profile, by their numbers. */
srv_difference srv_compare_classes(const servet_profile *profile, int usual, int other);

/**
 * Puts the nodes' profiles, of which some may be NULL, together into that of a cluster: nodes that
 * measure alike become a class, described by the least disturbed of them (its run's noise); the
 * largest class comes first. The profiles are used up: all are closed, or are `*cluster`.
 * `*cluster` is NULL where all were. Errors: SERVET_EMEMORY.
 */
int srv_merge_nodes(servet_profile **profiles, int count, servet_profile **cluster,
                    servet_error *error);

#endif
