/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Trust in the facts of a profile. A value is marked itself if it is not trusted. For other members
 * (counts, groups, words and numbers) each class, and the communication, has a list of doubts. A
 * doubt names a member: "kinds.caches.groups", "memory.levels", "layers.2.points". A list without a
 * number means all its items; "count" behind a list is the number of its items.
 */
#ifndef SRV_PROFILE_TRUST_H
#define SRV_PROFILE_TRUST_H

#include "profile/shape/shape.h"
#include "servet/profile.h"

/** Facts with a lower confidence (0..1) are not trusted; the confidence in a doubted fact is at
 * most this. */
#define SRV_CONFIDENCE_LEAST 0.5

/** The reason not to trust a value that was not measured. */
#define SRV_ONLY_REPORTED "only reported by the operating system"

/** The greatest number of lists on the way from the profile to a struct. */
enum { SRV_WAY_STEPS_MAX = 4 };

/** A struct of a profile, and the way to it from the class, or communication, that keeps its
 * doubts. */
typedef struct srv_site {
    const srv_shape *shape;
    const void *item;
    const srv_list *doubts; /**< of the class, or of communication; NULL: there can be none */
    bool of_job;            /**< the doubts are those of communication */
    int core;               /**< the core that is queried, or SERVET_ANY_CORE */
    const srv_list *holder; /**< the list with the struct; NULL: there is none */
    int index;              /**< in that list, from 0 */
    const srv_field *list[SRV_WAY_STEPS_MAX]; /**< the lists on the way */
    int number[SRV_WAY_STEPS_MAX];            /**< in each, from 1; 0: the only item */
    int steps;
} srv_site;

/** Begins at a profile, which is in no list, or at a class. */
void srv_site_begin(srv_site *site, const srv_shape *shape, const void *item);

/** Goes to item `number` (from 1; 0: the only one) of a list of the struct. The item must exist. */
void srv_site_enter(srv_site *site, const srv_field *list, int number);

/** Writes the path of a member of the struct for servet_profile_distrust():
 * "kinds.1.caches.2.bytes", "network.layers.2.groups". */
void srv_site_path(const srv_site *site, const char *member, char path[SERVET_NAME_MAX]);

/** Bytes of an item of a list. */
static inline size_t srv_item_size(const srv_field *list)
{
    return list->shape ? list->shape->size : sizeof(char *);
}

/** The row of a member; NULL for none. */
const srv_field *srv_row_named(const srv_shape *shape, const char *name);

/** The row of the list at `offset` of the struct. There must be a list. */
static inline const srv_field *srv_row_at(const srv_shape *shape, size_t offset)
{
    const srv_field *field = shape->fields;
    while (field->offset != offset)
        field++;
    return field;
}

/** Returns true if `fact` is `path`, or contains it; numbers may be missing in `fact`. */
bool srv_fact_covers(const char *fact, const char *path);

/** Returns the first doubt about a member of the struct or, with `count`, about the number of its
 * items; NULL if there is none. */
const srv_doubt *srv_site_doubt(const srv_site *site, const srv_field *member, bool count);

/** Confidence (0..1) in the struct; NaN if there is none. */
double srv_site_confidence(const srv_site *site);

/** Returns whether a value is trusted and, if not, the reason. `doubt` may be NULL. */
servet_trust srv_trust_value(const servet_value *value, const srv_doubt *doubt);

/** Returns the same for a member that is not a value; with `count`, for the number of items of a
 * list. */
servet_trust srv_trust_member(const srv_site *site, const srv_field *member, bool count);

/** Returns the same for the struct: for its members that are not values. If it is a value, for
 * itself. */
servet_trust srv_trust_item(const srv_site *site);

/** Returns true if the main value of the struct was counted by conflicts and is trusted. Then its
 * words and numbers are trusted, too. */
bool srv_is_counted(const srv_shape *shape, const void *item);

#endif
