/* SPDX-License-Identifier: BSD-3-Clause */
/** The names of single facts: a table of patterns, and which fact each means. */
#ifndef SRV_PROFILE_KEYS_H
#define SRV_PROFILE_KEYS_H

#include "profile/shape.h"

/** What a key is asked of. */
typedef enum srv_key_scope {
    SRV_OF_PROFILE, /**< servet_profile */
    SRV_OF_CLASS,   /**< srv_class */
    SRV_OF_KIND     /**< srv_core_kind */
} srv_key_scope;

/** A step from a struct into one of its lists. */
typedef struct srv_key_step {
    size_t offset;    /**< of the srv_list in the struct */
    size_t size;      /**< of its items; 0: no step */
    const char *noun; /**< what the next number of the key counts, "cache levels"; NULL: the list
                           holds at most one item, which is meant */
} srv_key_step;

/** Numbers in a key, as N and M in its pattern, and steps to a fact. */
enum { SRV_KEY_INDICES_MAX = 2, SRV_KEY_STEPS_MAX = 3 };

/** The struct that holds a fact. */
typedef struct srv_key_place {
    srv_key_scope scope;
    srv_key_step step[SRV_KEY_STEPS_MAX];
} srv_key_place;

/** How the fact is held, and so printed. */
typedef enum srv_key_form {
    SRV_A_TEXT,     /**< char array */
    SRV_A_STRING,   /**< char * */
    SRV_AN_INT,     /**< int */
    SRV_A_POSITIVE, /**< int, 0 where it was not measured */
    SRV_A_LONG,     /**< long long */
    SRV_A_NUMBER,   /**< double */
    SRV_A_SIZE,     /**< double, bytes */
    SRV_A_VALUE,    /**< servet_value, its estimate */
    SRV_IN_US,      /**< servet_value of seconds, in microseconds */
    SRV_A_LOW,      /**< servet_value, ends of its interval */
    SRV_A_HIGH,
    SRV_A_COUNT,       /**< srv_list */
    SRV_A_WORD,        /**< enum, one of `words` */
    SRV_SETS_OF_CORES, /**< srv_list of char *, one a line */
    SRV_BEST_COPY      /**< srv_kernels, the better one that copies */
} srv_key_form;

/** An answer that is worked out, by the numbers of the key. Errors: those of the public questions. */
typedef int srv_key_ask(const servet_profile *profile, const int *index, servet_value *answer);

/** One key: where its fact is. */
typedef struct srv_key {
    const char *pattern;
    const srv_key_place *place;
    srv_key_form form;
    size_t offset; /**< in the struct found there */
    const char *summary;
    const srv_words *words; /**< SRV_A_WORD */
    srv_key_ask *ask;       /**< SRV_A_VALUE, SRV_IN_US: of an answer that is in no place; or NULL */
} srv_key;

/** All keys; the last one has no pattern. */
extern const srv_key srv_keys[];

/** The key that `text` means, its numbers in `index`; NULL for none. */
const srv_key *srv_key_find(const char *text, int index[SRV_KEY_INDICES_MAX]);

/** The pattern that differs least from `text`. */
const char *srv_key_nearest(const char *text);

#endif
