/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Trust in the facts of a profile. Values have a mark of their own. For counts, groups,
 * words and numbers the class, or communication, has a list of doubts, each of a member:
 * "kinds.caches.groups", "memory.levels", "layers.2.points". A name without a number means all
 * items; "count" behind a list is the number of its items.
 */
#ifndef SRV_PROFILE_TRUST_H
#define SRV_PROFILE_TRUST_H

#include "profile/shape/shape.h"
#include "servet/profile.h"

/** Confidence (0..1) below which nothing is trusted; a doubted confidence is at most this. */
#define SRV_CONFIDENCE_LEAST 0.5

/** The reason not to trust a value that alternated between two, each of which is known. */
#define SRV_TWO_MODES "seen in two modes while it was measured"

/** The reason not to trust a value that was not measured. */
#define SRV_ONLY_REPORTED "only reported by the operating system"

/** The most lists on the way from a class, or from communication, to a struct. */
enum { SRV_SITE_STEPS_MAX = 4 };

/** A struct of a profile, and the way to it from where its doubts are kept. */
typedef struct srv_site {
    const srv_shape *shape;
    const void *item;
    const srv_list *doubts; /**< of the class, or of communication; NULL: there can be none */
    int core;               /**< that a query is about, or SERVET_ANY_CORE */
    const srv_list *holder; /**< the list with the struct; NULL: there is none */
    int index;              /**< in that list, from 0 */
    const srv_field *list[SRV_SITE_STEPS_MAX]; /**< the lists on the way */
    int number[SRV_SITE_STEPS_MAX];            /**< in each, from 1; 0: the only item */
    int steps;
} srv_site;

/** Begins at a struct that is in no list: a profile; or at a class. */
void srv_site_begin(srv_site *site, const srv_shape *shape, const void *item);

/** Goes to item `number` (from 1; 0: the only one), which is there, of a list of the struct. */
void srv_site_enter(srv_site *site, const srv_field *list, int number);

/** Bytes of an item of a list. */
static inline size_t srv_item_size(const srv_field *list)
{
    return list->shape ? list->shape->size : sizeof(char *);
}

/** The row of a member; NULL for none. */
const srv_field *srv_row_named(const srv_shape *shape, const char *name);

/** The row of the list at `offset` of the struct, which has one there. */
static inline const srv_field *srv_row_at(const srv_shape *shape, size_t offset)
{
    const srv_field *field = shape->fields;
    while (field->offset != offset)
        field++;
    return field;
}

/** The first doubt that covers a member of the struct, or with `count` the number of its items;
 * NULL: none does. */
const srv_doubt *srv_site_doubt(const srv_site *site, const srv_field *member, bool count);

/** Confidence (0..1) in the struct; NaN if there is none. */
double srv_site_confidence(const srv_site *site);

/** A value: trusted or not, and why not. `doubt` may be NULL. */
servet_trust srv_trust_value(const servet_value *value, const srv_doubt *doubt);

/** A member of the struct that is no value; with `count`, the number of items of a list. */
servet_trust srv_trust_member(const srv_site *site, const srv_field *member, bool count);

/** Trust in the struct's members besides its values; for a value, in itself. */
servet_trust srv_trust_item(const srv_site *site);

/** True if the value that the struct rests on was counted by conflicts and is trusted: then words
 * and numbers are, too. */
bool srv_is_counted(const srv_shape *shape, const void *item);

#endif
