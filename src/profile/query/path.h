/* SPDX-License-Identifier: BSD-3-Clause */
/** Facts by their paths, such as "kinds.1.caches.2.groups". */
#ifndef SRV_PROFILE_QUERY_PATH_H
#define SRV_PROFILE_QUERY_PATH_H

#include "profile/query/find.h"

/** The way that a path describes. */
typedef struct srv_path {
    srv_way way;
    long numbers[SRV_WAY_STEPS_MAX];
    int steps, number_count;
    const srv_shape *shape; /**< shape of the struct to which it leads */
} srv_path;

/** True if the path begins at the profile with "network."; others begin at a class. */
bool srv_path_is_of_job(const char *text);

/** Adds a step into item `number` of a list, or into its only item. At most SRV_WAY_STEPS_MAX steps
 * are possible. */
void srv_path_enter(srv_path *path, const srv_field *list, long number);

/**
 * Follows `text` to the struct with its last member, and returns this member; NULL: there is none.
 * `numbers` has the numbers of the items on the way, from 1; NULL: the text has each number behind
 * its list.
 */
const srv_field *srv_path_follow(srv_path *path, const char *text, const int *numbers);

/** Returns the size of the public structs of a list; 0: it has none. */
size_t srv_public_size(const srv_field *list);

#endif
