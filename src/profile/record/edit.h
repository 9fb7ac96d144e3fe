/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Changes a profile: a setter gets a copy of a stored struct, puts new members into it, and
 * srv_edit_end() decides which of the two stays. The first error is kept until then, and further
 * steps do nothing.
 */
#ifndef SRV_PROFILE_RECORD_EDIT_H
#define SRV_PROFILE_RECORD_EDIT_H

#include "profile/query/find.h"

/** A stored struct, and its copy that a setter changes. */
typedef struct srv_edit {
    int code; /**< the first error; servet_error has its text */
    const srv_shape *shape;
    void *stored;           /**< the stored struct; NULL: there is none */
    const srv_shape *outer; /**< shape of the nearest struct around it with rules, or NULL */
    const void *outer_item;
    int outer_depth; /**< depth of `where` at that struct */
    srv_json_path where;
    union {
        servet_profile profile;
        srv_class node_class;
        srv_comm comm;
    } copy; /**< has room for any struct: these are the largest ones */
} srv_edit;

/**
 * Follows the way from a profile, with the numbers of its steps, each from 1; a NULL way stays at
 * the profile. Returns a shallow copy of the struct at its end. If there is none, the copy is
 * zeroed, and edit->code is SERVET_EARGUMENT.
 */
void *srv_edit_begin(srv_edit *edit, servet_profile *profile, const srv_way *way,
                     const long *numbers, servet_error *error);

/**
 * Replaces the stored struct by the copy, if this is valid and there was no error. Frees the memory
 * that only the dropped one of both holds. Returns the first error: edit->code, SERVET_EARGUMENT,
 * SERVET_EMEMORY.
 */
int srv_edit_end(srv_edit *edit);

/* --- new lists, in place of what `*list` of the copy says; the old items are not freed. Errors:
       SERVET_EARGUMENT (a negative count), SERVET_EMEMORY. --- */

/** Makes a list of `count` zeroed structs of `size` bytes, and returns them; NULL after an error,
 * even an earlier one. */
void *srv_edit_list(srv_edit *edit, srv_list *list, int count, size_t size);

/** Makes a list of `count` structs of `size` bytes. Each begins with a copy of an item of
 * `item_size` <= size bytes, and is zero behind it. */
void srv_edit_items(srv_edit *edit, srv_list *list, const void *items, size_t item_size, int count,
                    size_t size);

/** Makes a list of copies of texts, such as sets of cores. */
void srv_edit_texts(srv_edit *edit, srv_list *list, const char *const *texts, int count);

/** Makes a list of copies of values; without values, it is not measured. */
void srv_edit_values(srv_edit *edit, srv_list *list, const servet_value *values, int count);

/* --- without a copy --------------------------------------------------------------------------- */

/** Returns a JSON path for structs that do not come from a file: failures are SERVET_EARGUMENT. */
srv_json_path srv_no_file(servet_error *error);

/** Returns a class by its number; NULL, with SERVET_EARGUMENT in `error`, if there is none. */
srv_class *srv_class_at(servet_profile *profile, int node_class, servet_error *error);

/** Moves a class to the end of the profile's classes and names it `name`; its old place is then
 * empty. Errors: SERVET_EMEMORY. */
int srv_class_adopt(servet_profile *profile, srv_class *class, const char *name,
                    servet_error *error);

/** Exchanges two structs or members of `size` bytes. */
void srv_swap(void *a, void *b, size_t size);

/** Removes the doubts, or the modes, of the facts of a name from a list of items of `size` bytes,
 * which begin with their fact. */
void srv_forget(srv_list *list, size_t size, const char *name);

/** A copy of `text` for the caller to free; NULL without memory. */
char *srv_copy_text(const char *text);

/** Marks the facts at a path if there is a doubt about the very item that they are part of. A doubt
 * about all items of a list is one about what was measured with them. */
void srv_heed_doubts(servet_profile *profile, int node_class, const char *path);

#endif
