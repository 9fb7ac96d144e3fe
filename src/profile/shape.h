/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The file format as tables: one row a member. A new fact is a field in types.h and a row in
 * shape.c; reading, writing, checking and freeing follow the rows.
 */
#ifndef SRV_PROFILE_SHAPE_H
#define SRV_PROFILE_SHAPE_H

#include <jansson.h>
#include "profile/trail.h"
#include "profile/types.h"

/** How a member is held in C and written in JSON. */
typedef enum srv_type {
    SRV_INTEGER, /**< int; integer */
    SRV_LONG,    /**< long long; integer */
    SRV_NUMBER,  /**< double, finite; number */
    SRV_BOOL,    /**< bool; true or false */
    SRV_WORD,    /**< enum; one of `words` */
    SRV_TEXT,    /**< char[size]; string */
    SRV_STRING,  /**< char *, owned; string */
    SRV_STRINGS, /**< srv_list of char *, owned; array of strings */
    SRV_VALUE,   /**< servet_value; object, or null where unknown */
    SRV_OBJECT,  /**< struct in place; object */
    SRV_MAYBE,   /**< srv_list of at most one struct; object or null */
    SRV_LIST,    /**< srv_list of structs; array */
    SRV_FACTS,   /**< the same; array, or null where not measured */
    SRV_TYPE_COUNT
} srv_type;

/** What numbers and values are allowed. */
typedef enum srv_range { SRV_ANY, SRV_NOT_NEGATIVE, SRV_POSITIVE, SRV_SHARE } srv_range;

typedef struct srv_words {
    int count;
    const char *const *text;
} srv_words;

extern const srv_words srv_cache_kind_words, srv_verdict_words;

struct srv_shape;

/** One member; the columns below `range` serve the types they name. */
typedef struct srv_field {
    const char *name;
    srv_type type;
    size_t offset;
    srv_range range;
    size_t size;                   /**< SRV_TEXT: of the array */
    servet_unit unit;              /**< SRV_VALUE: the only one accepted */
    const srv_words *words;        /**< SRV_WORD */
    const struct srv_shape *shape; /**< SRV_VALUE, SRV_OBJECT, SRV_MAYBE, SRV_LIST, SRV_FACTS */
    int max;                       /**< SRV_LIST, SRV_FACTS: most items; 0: no limit */
} srv_field;

/** A struct. `check`, which may be NULL, judges what no single row can. */
typedef struct srv_shape {
    const srv_field *fields; /**< ends with a NULL name */
    size_t size;             /**< of the struct */
    int (*check)(const void *item, srv_trail *trail);
} srv_shape;

extern const srv_shape srv_profile_shape, srv_run_shape, srv_class_shape, srv_kind_shape;

/** Whether null, or absence, is a legal way to say "not measured". */
bool srv_nullable(srv_type type);

/**
 * Fills the zeroed struct `item` from `json`. Errors: trail->code, SERVET_EMEMORY; srv_shape_free()
 * then frees what was filled.
 */
int srv_decode(const srv_shape *shape, const json_t *json, void *item, srv_trail *trail);

/** The struct as a JSON object, members in table order; NULL without memory. The caller owns it. */
json_t *srv_encode(const srv_shape *shape, const void *item);

/** Judges a struct by its rows and hooks. Errors: trail->code. */
int srv_check(const srv_shape *shape, const void *item, srv_trail *trail);

/** Frees what the struct owns, not the struct. */
void srv_shape_free(const srv_shape *shape, void *item);

/** Room for one more item, zeroed; NULL without memory. The list then counts it. */
void *srv_list_add(srv_list *list, size_t size);

#endif
