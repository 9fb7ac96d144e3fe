/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Changing a profile: a setter copies a stored struct, puts new members into the copy, and lets
 * srv_change() decide which of the two stays.
 */
#ifndef SRV_PROFILE_RECORD_CHANGE_H
#define SRV_PROFILE_RECORD_CHANGE_H

#include "profile/shape/shape.h"

/** A JSON path for structs that do not come from a file: failures are SERVET_EARGUMENT. */
srv_json_path srv_no_file(servet_error *error);

/**
 * Puts `changed`, a shallow copy of `stored` with members replaced, in its place if it is valid.
 * Of the one that is dropped, what the other does not hold is freed. `code` is that of filling the
 * copy: an error drops it. Errors: `code`, where->code, SERVET_EMEMORY.
 */
int srv_change(const srv_shape *shape, void *stored, void *changed, int code, srv_json_path *where);

/** A class by its number; NULL, with SERVET_EARGUMENT in `error`, for none. */
srv_class *srv_class_at(servet_profile *profile, int node_class, servet_error *error);

/** A copy of `text` for the caller to free; NULL without memory. */
char *srv_copy_text(const char *text);

/* --- new lists, in place of what `*list` says; the old items are not freed. Errors:
       SERVET_EARGUMENT (a negative count), SERVET_EMEMORY. --- */

/** Copies sets of cores. */
int srv_copy_sets(const char *const *sets, int count, srv_list *list, servet_error *error);

/** Copies values; no value at all is not measured. */
int srv_copy_values(const servet_value *values, int count, srv_list *list, servet_error *error);

/** A list of `count` structs of `size` bytes that begin with copies of the items, each `item_size`
 *  <= size bytes, and are zero behind them. */
int srv_copy_items(const void *items, size_t item_size, int count, size_t size, srv_list *list,
                   servet_error *error);

/** A list of `count` zeroed structs of `size` bytes. */
int srv_new_list(int count, size_t size, srv_list *list, servet_error *error);

#endif
