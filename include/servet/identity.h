/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Finds the node class of a profile to which a node belongs, for tools that report how the class
 * was found, or that query other nodes. Programs only need servet_profile_here().
 * share/doc/identity.md explains the rule.
 */
#ifndef SERVET_IDENTITY_H
#define SERVET_IDENTITY_H

#include "servet/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a node is found among the node classes of a profile. */
#define SERVET_IDENTITY_LIST(X)                                                                    \
    X(SERVET_IDENTITY_NONE, "none")         /* it is in no class */                                \
    X(SERVET_IDENTITY_LISTED, "listed")     /* a class lists its host name, and has its            \
                                               processor */                                        \
    X(SERVET_IDENTITY_ALIKE, "alike")       /* no class lists it, and exactly one class has an     \
                                               equal fingerprint */                                \
    X(SERVET_IDENTITY_MODEL, "model")       /* the profile is of one simulated machine: its only   \
                                               class is used */                                    \
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
 * The class of any node in `*index`, and how it was found in `*identity` (may be NULL). It is found
 * by the node's host name and fingerprint; a process on the node gets them from gethostname() and
 * servet_node_fingerprint(). Errors: SERVET_EOTHER (the text says what differs).
 */
SERVET_API int servet_profile_identify(const servet_profile *profile, const char *host,
                                       const char *fingerprint, int *index,
                                       servet_identity *identity, servet_error *error);

/** Writes the fingerprint of this node (servet_machine.fingerprint) into `text` of `size` bytes;
 *  SERVET_TEXT_MAX are enough. Errors: SERVET_ERANGE (it was cut). */
SERVET_API int servet_node_fingerprint(char *text, size_t size);

/**
 * Returns true if two fingerprints differ, and writes the word in which they differ, "pus was 4 and
 * is 2", into `text` of `size` bytes. Returns false and "" if the nodes are of one type: memory may
 * differ by 5 %. An empty fingerprint is unknown, and does not differ from any other.
 */
SERVET_API bool servet_fingerprints_differ(const char *was, const char *is, char *text,
                                           size_t size);

#ifdef __cplusplus
}
#endif
#endif
