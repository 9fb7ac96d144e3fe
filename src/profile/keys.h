/* SPDX-License-Identifier: BSD-3-Clause */
/** The names of single facts: a table of patterns, and which fact each means. */
#ifndef SRV_PROFILE_KEYS_H
#define SRV_PROFILE_KEYS_H

#include "profile/shape.h"

/** What a key is asked of; the offsets below are into the struct named. */
typedef enum srv_key_scope {
    SRV_IN_PROFILE, /**< servet_profile */
    SRV_IN_RUN,     /**< servet_run */
    SRV_IN_CLASS,   /**< srv_class */
    SRV_IN_KIND,    /**< srv_core_kind */
    SRV_IN_CACHE    /**< srv_cache number N */
} srv_key_scope;

/** How the fact is held, and so printed. */
typedef enum srv_key_form {
    SRV_A_TEXT,   /**< char array */
    SRV_A_STRING, /**< char * */
    SRV_AN_INT,   /**< int */
    SRV_A_LONG,   /**< long long */
    SRV_A_NUMBER, /**< double */
    SRV_A_SIZE,   /**< double, bytes */
    SRV_A_VALUE,  /**< servet_value, its estimate */
    SRV_A_LOW,    /**< servet_value, ends of its interval */
    SRV_A_HIGH,
    SRV_A_COUNT,      /**< srv_list */
    SRV_A_WORD,       /**< enum, one of `words` */
    SRV_SETS_OF_CORES /**< srv_list of char *, one a line */
} srv_key_form;

/** One key: where its fact is. */
typedef struct srv_key {
    const char *pattern;
    srv_key_scope scope;
    srv_key_form form;
    size_t offset;
    const char *summary;
    const srv_words *words; /**< SRV_A_WORD */
} srv_key;

/** The key that `text` means, its number N in `*index`; NULL for none. */
const srv_key *srv_key_find(const char *text, int *index);

/** The pattern that differs least from `text`. */
const char *srv_key_nearest(const char *text);

#endif
