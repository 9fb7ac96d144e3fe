/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A schema of share/schema against the library that reads such files: the same members, the same
 * words, the same answer. The validator knows the keywords that our schemas use, and no other.
 */
#ifndef SRV_TESTS_JSON_SCHEMA_H
#define SRV_TESTS_JSON_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/** The library's verdict on a document. */
typedef enum schema_verdict {
    SCHEMA_ACCEPTED,
    SCHEMA_REFUSED,
    SCHEMA_BEYOND /**< refused for what no schema can say */
} schema_verdict;

typedef schema_verdict schema_check(const json_t *document);

/** Loads share/schema/NAME, which all functions below work with; the caller frees it. */
json_t *schema_load(const char *name);

/** The rules that `rules` refer to, or themselves. */
const json_t *schema_follow(const json_t *rules);

/** Is true if `value` obeys `rules`, the schema or a part of it. */
bool schema_valid(const json_t *rules, const json_t *value);

/**
 * Every member of the sample is left out and set to all sorts of contents; each time the schema
 * must check as the library does. The sample is as before afterwards.
 */
void schema_agrees(json_t *sample, schema_check *check);

/** Every member of the sample is named in the schema, and the sample has all that it names. */
void schema_same_members(json_t *sample);

/** The words of `member` in the definition named are `texts`. */
void schema_same_words(const char *definition, const char *member, const char *const *texts,
                       size_t count);

#endif
