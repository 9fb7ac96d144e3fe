/* SPDX-License-Identifier: BSD-3-Clause */
/** Members by names as servet_profile_distrust() has them: "coherence kinds.1.caches.line", words
 * with a dot in between, the next name behind a blank. */
#ifndef SRV_PROFILE_RECORD_NAMED_H
#define SRV_PROFILE_RECORD_NAMED_H

#include "profile/shape/shape.h"

/** The rest of a name behind its first word. */
const char *srv_named_rest(const char *name);

/** True behind the last word. */
bool srv_named_end(const char *name);

/** True if the first word is `word`. */
bool srv_named_word(const char *name, const char *word);

/** The first of several names, "" if there is none, and the next of them. */
const char *srv_named_first(const char *names);
const char *srv_named_next(const char *name);

/** Called for a member, `field`, of the struct `one`, and of `other` if there are two. */
typedef void srv_named_visit(const srv_shape *shape, const srv_field *field, void *one,
                             void *other);

/**
 * Visits the members of a name, with all that is in them, in a struct, or in two structs of a shape
 * together: then of two lists only the items that both have. A list without a number means all its
 * items. `other` may be NULL, and so may `one`: then nothing is visited. Returns false if the shape
 * has no such member that is measured.
 */
bool srv_named_each(const srv_shape *shape, void *one, void *other, const char *name,
                    srv_named_visit *visit);

#endif
