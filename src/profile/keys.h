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
    SRV_ENOUGH,     /**< the same, of what was found to be enough */
    SRV_A_LONG,     /**< long long */
    SRV_A_NUMBER,   /**< double */
    SRV_A_SIZE,     /**< double, bytes */
    SRV_A_BOOL,     /**< bool, yes or no */
    SRV_A_CORE,     /**< servet_place, node:core */
    SRV_A_VALUE,    /**< servet_value, its estimate */
    SRV_IN_US,      /**< servet_value of seconds, in microseconds */
    SRV_A_LOW,      /**< servet_value, ends of its interval */
    SRV_A_HIGH,
    SRV_A_COUNT,       /**< srv_list */
    SRV_A_WORD,        /**< enum, one of `words` */
    SRV_SETS_OF_CORES, /**< srv_list of char *, one a line */
    SRV_BEST_COPY      /**< srv_kernels, the better one that copies */
} srv_key_form;

/** What two profiles are compared in (servet/diff.h). */
typedef enum srv_key_weight {
    SRV_KEY_FACT,   /**< a fact of the machine */
    SRV_KEY_EXTENT, /**< how much was asked: compared is only whether anything was */
    SRV_KEY_NOTE    /**< of the measurement, or the same as another key: not compared */
} srv_key_weight;

/** An answer that is worked out, by the numbers of the key. Errors: those of the public questions. */
typedef int srv_key_ask(const servet_profile *profile, const int *index, servet_value *answer);

/** The next larger one of the key's last numbers that was measured; 0: none. */
typedef int srv_key_next(const servet_profile *profile, const int *index, int after);

/** One key: where its fact is. */
typedef struct srv_key {
    const char *pattern;
    const srv_key_place *place;
    srv_key_form form;
    size_t offset; /**< in the struct found there */
    const char *summary;
    srv_key_weight weight;
    const srv_words *words; /**< SRV_A_WORD */
    srv_key_ask *ask;       /**< SRV_A_VALUE, SRV_IN_US: of an answer that is worked out, whose last
                                 number is none of `place`; or NULL */
    srv_key_next *next;     /**< of the same */
} srv_key;

/** A part of a value: what may follow the key of one. */
#define SRV_ASPECT_LIST(X)                                                                         \
    X(SRV_ASPECT_LOW, "low")                                                                       \
    X(SRV_ASPECT_HIGH, "high")                                                                     \
    X(SRV_ASPECT_SAMPLES, "samples")                                                               \
    X(SRV_ASPECT_METHOD, "method")                                                                 \
    X(SRV_ASPECT_TRUSTED, "trusted")                                                               \
    X(SRV_ASPECT_MODES, "modes")

#define SRV_ASPECT_ENUM_(name, text) name,
typedef enum srv_aspect { SRV_ASPECT_LIST(SRV_ASPECT_ENUM_) SRV_ASPECT_ESTIMATE } srv_aspect;
#undef SRV_ASPECT_ENUM_

/** What a text asks for. */
typedef struct srv_request {
    const srv_key *key;
    int index[SRV_KEY_INDICES_MAX]; /**< its numbers */
    srv_aspect aspect;
} srv_request;

/** All keys; the last one has no pattern. */
extern const srv_key srv_keys[];

/** Finds what `text` asks for. False: it is no key. */
bool srv_key_find(const char *text, srv_request *request);

/** Finds the stored fact that a key means, none that is worked out. Errors: as servet_profile_get(). */
int srv_key_fact(const servet_profile *profile, const servet_at *at, const char *key,
                 srv_request *request, const void **fact, servet_error *error);

/** The pattern that differs least from `text`. */
const char *srv_key_nearest(const char *text);

/** The value that a key's fact at `at` is, exactly so for numbers; false for what is neither. */
bool srv_key_value(const srv_key *key, const void *at, servet_value *value);

/** The fact at `at` as text, `name` being its key. Errors: as servet_profile_get(). */
int srv_key_print(const srv_key *key, const void *at, const char *name, char *text, size_t size,
                  servet_error *error);

/** Modes as text, a line each: what it is in the unit of the key, and its share. One mode is the value, all
 *  the time. */
int srv_key_print_modes(const srv_key *key, const servet_value *value, const servet_modes *modes,
                        const char *name, char *text, size_t size, servet_error *error);

/** The same of a part of a value of that key, but of its modes. */
int srv_key_print_aspect(const srv_key *key, const servet_value *value, srv_aspect aspect,
                         const char *name, char *text, size_t size, servet_error *error);

#endif
