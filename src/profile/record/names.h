/* SPDX-License-Identifier: BSD-3-Clause */
/** Names of facts as servet_profile_distrust() has them: "coherence kinds.1.caches.line", words
 * with a dot in between, the next name behind a blank. */
#ifndef SRV_PROFILE_RECORD_NAMES_H
#define SRV_PROFILE_RECORD_NAMES_H

#include "profile/shape/shape.h"

/** The rest of a name behind its first word. */
const char *srv_names_rest(const char *name);

/** True behind the last word. */
bool srv_names_end(const char *name);

/** True if the first word is `word`. */
bool srv_names_word(const char *name, const char *word);

/** The rest of the name behind the name of a member, which may have several words; "" if it ends
 * within them; NULL: it names another member. */
const char *srv_names_behind(const char *name, const char *member);

/** The next of several names. */
const char *srv_names_next(const char *name);

/** The number at the beginning of a name; 0: it means all items. */
int srv_names_number(const char *name);

/** True for lists of structs or of values. */
bool srv_names_list(srv_type type);

#endif
