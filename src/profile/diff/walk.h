/* SPDX-License-Identifier: BSD-3-Clause */
/** Walks through two profiles together, key by key. */
#ifndef SRV_PROFILE_DIFF_WALK_H
#define SRV_PROFILE_DIFF_WALK_H

#include "profile/diff/found.h"
#include "profile/keys/keys.h"

/** A walk through both profiles, and its position. */
typedef struct srv_diff_walk {
    const servet_profile *profile[2];
    const double *tolerance;
    servet_diff *diff;
    servet_error *error;
    const char *node_class,
        *kind; /**< class and core type of the facts; NULL: facts of the whole */
    const srv_key *key;
    int index[SRV_KEY_INDICES_MAX]; /**< its numbers */
} srv_diff_walk;

/** Compares two structs of a scope by all its keys. Errors: SERVET_EMEMORY. */
int srv_diff_scope(srv_diff_walk *on, srv_scope scope, const void *first, const void *second);

#endif
