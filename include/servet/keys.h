/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * All facts of a profile by their keys, for tools that list them. For a single fact, use
 * servet_profile_get().
 */
#ifndef SERVET_KEYS_H
#define SERVET_KEYS_H

#include "servet/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Type of the answer to a key, which says how to read its text. */
typedef enum servet_key_type {
    SERVET_KEY_VALUE,  /**< a measured number: its key may be followed by .low, .high, .samples */
    SERVET_KEY_NUMBER, /**< any other number */
    SERVET_KEY_TRUTH,  /**< yes or no */
    SERVET_KEY_TEXT,   /**< a word or a text */
    SERVET_KEY_LINES,  /**< lines, such as sets of cores */
    SERVET_KEY_TYPE_COUNT
} servet_key_type;

/**
 * The type of the answer to a key with its numbers ("caches.2.bytes"), in `*type`. Errors:
 * SERVET_EKEY (unknown key; the error text names the most similar key).
 */
SERVET_API int servet_profile_key_type(const char *key, servet_key_type *type, servet_error *error);

/** Gets a key with its numbers, valid during the call. A result other than 0 ends the visits. */
typedef int servet_key_visit(void *context, const char *key);

/**
 * Calls `visit` with `context` for the key of each fact that the profile has of a core, its class
 * and the whole cluster, trusted or not, in the order of servet_profile_key(). If an answer can be
 * computed for any number, only the measured numbers are visited, or none if another key lists
 * them. Returns the result that ended the visits, or 0. Errors: as servet_profile_get().
 */
SERVET_API int servet_profile_each(const servet_profile *profile, const servet_at *at,
                                   servet_key_visit *visit, void *context, servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
