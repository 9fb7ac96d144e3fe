/* SPDX-License-Identifier: BSD-3-Clause */
/** Walking two profiles at once, and what differs between them. */
#ifndef SRV_PROFILE_DIFF_DIFF_H
#define SRV_PROFILE_DIFF_DIFF_H

#include "profile/keys/keys.h"
#include "servet/diff.h"

struct servet_diff {
    srv_list facts; /**< as diff.c has them */
    int counts[SERVET_COMPARISON_COUNT];
};

/** A walk over what both have, and where it is. */
typedef struct srv_diff_walk {
    const servet_profile *profile[2];
    const double *tolerance;
    servet_diff *diff;
    servet_error *error;
    const char *node_class, *kind; /**< whose facts are compared; NULL: of more than that */
    const srv_key *key;
    int index[SRV_KEY_INDICES_MAX]; /**< its numbers */
} srv_diff_walk;

/** The facts of a key in two profiles, at[i] == NULL where it has no place in profile i. */
typedef struct srv_fact_pair {
    const srv_key *key;
    const void *at[2];
} srv_fact_pair;

/* --- errors are SERVET_EMEMORY ---------------------------------------------------------------- */

/** Compares all classes, their kinds, and the nodes that they list. */
int srv_diff_classes(srv_diff_walk *on);

/** Compares by all keys of such a struct. */
int srv_diff_scope(srv_diff_walk *on, srv_scope scope, const void *first, const void *second);

/** Whether profile `i` has the fact. */
bool srv_fact_known(const srv_fact_pair *pair, int i);

/** Compares facts of which at least one is known: fills quantity, comparison, trust and change of
 * `*fact`. */
int srv_facts_compare(const srv_fact_pair *pair, const double tolerance[SERVET_QUANTITY_COUNT],
                      servet_diff_fact *fact);

/** Keeps a copy of the fact. */
int srv_diff_add(servet_diff *diff, const servet_diff_fact *fact, servet_error *error);

#endif
