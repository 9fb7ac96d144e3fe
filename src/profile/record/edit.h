/* SPDX-License-Identifier: BSD-3-Clause */
/** Setters by ways (profile/query/find.h): from the profile to a stored struct, or to a list. */
#ifndef SRV_PROFILE_RECORD_EDIT_H
#define SRV_PROFILE_RECORD_EDIT_H

#include "profile/query/find.h"
#include "profile/record/change.h"

/** A stored struct, and its copy that a setter changes. */
typedef struct srv_edit {
    const srv_shape *shape;
    void *stored;
    srv_json_path where;
    union {
        srv_class node_class;
        srv_core_kind kind;
        srv_cache cache;
        srv_distance distance;
        srv_overhead overhead;
        srv_comm comm;
        srv_comm_layer layer;
    } copy;
} srv_edit;

/**
 * Goes the way, from a profile, by the numbers of its steps, each from 1. The shallow copy of what
 * is at its end; NULL, with SERVET_EARGUMENT in `error`, where there is nothing.
 */
void *srv_edit_begin(srv_edit *edit, servet_profile *profile, const srv_way *way,
                     const long *numbers, servet_error *error);

/** Puts the copy in the place of what is stored, as srv_change() does. */
int srv_edit_end(srv_edit *edit, int code);

/* --- lists, which the last step leads to; its items replace those that are there. Errors:
       SERVET_EARGUMENT, SERVET_EMEMORY. --- */

/** Structs that begin with the items, each of `size` bytes, and are zero behind them. */
int srv_set_items(servet_profile *profile, const srv_way *way, const long *numbers,
                  const void *items, size_t size, int count, servet_error *error);

/** Sets of cores. */
int srv_set_sets(servet_profile *profile, const srv_way *way, const long *numbers,
                 const char *const *sets, int count, servet_error *error);

#endif
