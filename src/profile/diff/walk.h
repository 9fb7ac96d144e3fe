/* SPDX-License-Identifier: BSD-3-Clause */
/** Walking two profiles at once, key by key. */
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
    const char *node_class, *kind; /**< whose facts are compared; NULL: of more than that */
    const srv_key *key;
    int index[SRV_KEY_INDICES_MAX]; /**< its numbers */
} srv_diff_walk;

/** Compares by all keys of such a struct. Errors: SERVET_EMEMORY. */
int srv_diff_scope(srv_diff_walk *on, srv_scope scope, const void *first, const void *second);

#endif
