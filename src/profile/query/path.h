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
    const srv_shape *shape; /**< of the struct that it leads to */
} srv_path;

/** True if the path begins at the profile with "network."; others begin at a class. */
bool srv_path_is_of_job(const char *text);

/** Goes into item `number` of a list, or into the only one. Only SRV_WAY_STEPS_MAX steps fit. */
void srv_path_enter(srv_path *path, const srv_field *list, long number);

/**
 * Goes on to the struct with the last member of `text`, which is returned; NULL: there is none.
 * `numbers` are those of the items on the way, from 1; NULL: each stands in the text behind its
 * list.
 */
const srv_field *srv_path_follow(srv_path *path, const char *text, const int *numbers);

/** Bytes of the public structs of a list; 0: it has none. */
size_t srv_public_size(const srv_field *list);

#endif
