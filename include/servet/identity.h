/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Finds the node class of a profile that a node belongs to, for tools that report how it was found,
 * or that query other nodes. servet_profile_here() is what programs need; share/doc/identity.md
 * explains the rule.
 */
#ifndef SERVET_IDENTITY_H
#define SERVET_IDENTITY_H

#include "servet/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a node is found among the node classes of a profile. */
#define SERVET_IDENTITY_LIST(X)                                                                    \
    X(SERVET_IDENTITY_NONE, "none")         /* it is in none of them */                            \
    X(SERVET_IDENTITY_LISTED, "listed")     /* one lists its host name, and has its processor */   \
    X(SERVET_IDENTITY_ALIKE, "alike")       /* none lists it, and exactly one is of such nodes:    \
                                               their fingerprints are equal */                     \
    X(SERVET_IDENTITY_MODEL, "model")       /* the profile is of one simulated machine, which      \
                                               no program uses: it is meant */                     \
    X(SERVET_IDENTITY_RECORDED, "recorded") /* this program is recording the profile: the class    \
                                               that lists the node, or else the first one */

#define SERVET_IDENTITY_ENUM_(name, text) name,
typedef enum servet_identity {
    SERVET_IDENTITY_LIST(SERVET_IDENTITY_ENUM_) SERVET_IDENTITY_COUNT
} servet_identity;
#undef SERVET_IDENTITY_ENUM_

/** The identity's name ("listed"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_identity_name(servet_identity identity);

/** How this node was found: servet_profile_here() fails only with SERVET_IDENTITY_NONE. */
SERVET_API servet_identity servet_profile_identity(const servet_profile *profile);

/**
 * The class of any node in `*index`, and how it was found in `*identity` (may be NULL), by its
 * host name and fingerprint, which a process there gets from gethostname() and
 * servet_node_fingerprint(). Errors: SERVET_EOTHER (the text says what differs).
 */
SERVET_API int servet_profile_identify(const servet_profile *profile, const char *host,
                                       const char *fingerprint, int *index,
                                       servet_identity *identity, servet_error *error);

/** Writes the fingerprint of this node (servet_machine.fingerprint) into `text` of `size` bytes;
 *  SERVET_TEXT_MAX are enough. Errors: SERVET_ERANGE (it was cut). */
SERVET_API int servet_node_fingerprint(char *text, size_t size);

/**
 * Says in which word two fingerprints differ, "pus was 4 and is 2", in `text` of `size` bytes, and
 * returns true; false and "" if they are of one type: memory may differ by 5 %. A fingerprint "" is
 * not known, and differs from none.
 */
SERVET_API bool servet_fingerprints_differ(const char *was, const char *is, char *text,
                                           size_t size);

#ifdef __cplusplus
}
#endif
#endif
