/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * JSON formats as tables: one row a member. A new fact is a field of a struct and a row in its
 * table; reading, writing, checking and freeing follow the rows.
 */
#ifndef SRV_CORE_JSON_SHAPE_H
#define SRV_CORE_JSON_SHAPE_H

#include <stdbool.h>
#include <jansson.h>
#include "core/error.h"
#include "core/json/path.h"
#include "core/names.h"
#include "core/units.h"
#include "servet/value.h"

/** How a member is held in C and written in JSON. */
typedef enum srv_type {
    SRV_INTEGER, /**< int; integer */
    SRV_COUNT,   /**< int from 1; integer, or null for 0: not measured */
    SRV_LONG,    /**< long long; integer */
    SRV_NUMBER,  /**< double, finite; number */
    SRV_SIZE,    /**< double, whole bytes; number, or text with a binary suffix such as "1.25M" */
    SRV_BOOL,    /**< bool; true or false */
    SRV_WORD,    /**< enum; one of `words` */
    SRV_TEXT,    /**< char[size]; string */
    SRV_STRING,  /**< char *, owned; string */
    SRV_STRINGS, /**< srv_list of char *, owned; array of strings */
    SRV_SETS,    /**< SRV_STRINGS with at least one set of cores as ranges; the sets are disjoint;
                      array, or null: not measured */
    SRV_PLACES,  /**< SRV_STRINGS with sets of cores of nodes (core/places.h); as SRV_SETS */
    SRV_VALUE,   /**< servet_value; object, or null where unknown */
    SRV_VALUES, /**< srv_list of servet_value, at least one; array of such, or null: not measured */
    SRV_OBJECT, /**< struct in place; object */
    SRV_MAYBE,  /**< srv_list of at most one struct; object or null */
    SRV_LIST,   /**< srv_list of structs; array */
    SRV_FACTS,  /**< srv_list of structs; array, or null: not measured */
    SRV_ARRAY,  /**< C array in place, and an int elsewhere that counts its items; array */
    SRV_TYPE_COUNT
} srv_type;

/** The limit of an integer, and of the items of a list, whose row has no limit: the largest number
 * of nodes or processes of a job (SERVET_RANKS_MAX). */
enum { SRV_COUNT_MAX = 1 << 20 };

/**
 * Numbers and values that are allowed. Positive and non-negative ones have the limits of their
 * unit, too (srv_field_limits()); numbers of bytes are whole.
 */
typedef enum srv_range {
    SRV_ANY, /**< a part of a value, which the row of the value checks */
    SRV_NOT_NEGATIVE,
    SRV_POSITIVE,
    SRV_SHARE,      /**< 0..1 */
    SRV_WITHIN,     /**< least..most of the field */
    SRV_0_OR_WITHIN /**< least..most of the field, or 0 for "none" */
} srv_range;

typedef struct srv_words {
    int count;
    const char *const *text;
} srv_words;

/** A list that owns its items. `known` is false where the file says null: not measured. */
typedef struct srv_list {
    void *items;
    int count;
    bool known;
    struct srv_spans *spans; /**< for items with sets of cores, owned: finds the item that has a
                                core (profile/spans.h); NULL: not recorded */
    int trust_at; /**< position at which the profile notes its trust (profile/trusted.h) */
} srv_list;

/** Room for a word of a member's name. */
enum { SRV_MEMBER_NAME_MAX = 64 };

struct srv_shape;

/** Relevance of a member with a key to comparisons of two documents. */
typedef enum srv_diff_weight {
    SRV_FACT,   /**< a fact */
    SRV_ENOUGH, /**< a fact: a number of cores or loads that is enough */
    SRV_EXTENT, /**< the amount that was measured: the comparison only looks if it is 0 */
    SRV_NOTE    /**< about the measurement, or the same as another key: not compared */
} srv_diff_weight;

/** Description of a member that has a key, which follows from its name (profile/keys/keys.c). */
typedef struct srv_label {
    const char *summary; /**< description in one line; NULL: it has no key */
    srv_diff_weight weight;
    const char *key; /**< the whole key, if it does not follow from the name; otherwise NULL */
} srv_label;

struct srv_derived;

/** One member. The columns after `optional` are for the types that they name; the last ones are
 * texts for people. */
typedef struct srv_field {
    const char *name; /**< in files, paths and keys; "memory.levels" is a member of an object */
    srv_type type;
    size_t offset;
    srv_range range;
    double least, most;   /**< SRV_WITHIN, SRV_0_OR_WITHIN; `most` is the limit of any integer, 0
                               means SRV_COUNT_MAX */
    bool optional;        /**< may be absent: keeps the default of its shape */
    bool needed;          /**< a text or a list of texts or structs: not empty; a value:
                               known */
    bool zero_is_unknown; /**< SRV_INTEGER, SRV_NUMBER: 0 means that the number is not known */
    bool is_set;          /**< SRV_TEXT, SRV_STRING: a set of cores as ranges, or empty */
    size_t size;          /**< SRV_TEXT: size of the array; in an item of a SRV_ARRAY: size of the
                               item */
    servet_unit unit;     /**< SRV_VALUE, SRV_VALUES: the unit of files and keys; facts have seconds
                               instead of ns and us (core/units.h) */
    bool is_brief; /**< SRV_VALUE, SRV_VALUES in long lists: a trusted value with the usual unit and
                      method is written as [value, low, high, samples] */
    bool is_inner; /**< the last word of the name is not a part of the key */
    const srv_words *words;        /**< SRV_WORD */
    int first_word;                /**< the first word that may be stored */
    const struct srv_shape *shape; /**< shape of SRV_VALUE and SRV_VALUES, or of the structs */
    int max; /**< limit of cores in a set (0: none), of items in a SRV_ARRAY, or of items in another
                list (0: SRV_COUNT_MAX) */
    const struct srv_field *item; /**< SRV_ARRAY: the row of an item */
    size_t count;                 /**< SRV_ARRAY: offset of the counting int */
    srv_label label;              /**< label of the member; of a list other than SRV_SETS and
                                       SRV_PLACES: label of the number of its items */
    srv_label items;              /**< SRV_VALUES, SRV_STRINGS: label of an item; SRV_LIST: label of
                                       the text with which its items begin */
    const char *noun; /**< name of the counted items, in plural, if the key has a number */
    /**
     * SRV_SETS: the member beside it, a list of at most one struct, that has the confidence in the
     * sets; NULL: there is none
     */
    const char *about;
    const char *detail; /**< a description that adds to `label.summary`, or replaces it */
    const struct srv_derived *derived; /**< keys of derived facts; NULL: none */
} srv_field;

/** Limit of the members by which a list is ordered. */
enum { SRV_ORDER_MAX = 4 };

/** A struct. */
typedef struct srv_shape {
    const char *name;        /**< name in a JSON schema, which defines it once; NULL: each time */
    const srv_field *fields; /**< ends with a NULL name */
    size_t size;             /**< size of the struct */
    size_t part;             /**< size of the public struct at its beginning; 0: it is the whole */
    size_t trusted; /**< offset of the bool of a copy that says if it is trusted; 0: none */
    int (*check)(const void *item,
                 srv_json_path *where); /**< checks rules that involve several rows; or NULL */
    const char *order[SRV_ORDER_MAX]; /**< members (numbers, words, values) by which the items of a
                                           list ascend, the first one first; none: in any order */
    bool may_repeat;                  /**< items that follow each other may be equal in these */
    /** member at which an item ends, and before which none of the same order begins; NULL: none */
    const char *end;
    const void *defaults; /**< a struct with the values of absent members; NULL: all zero */
    bool closed;          /**< members that no row names are refused, except "comment" */
} srv_shape;

/* --- for tables ------------------------------------------------------------------------------- */

/** The srv_words of an array of texts (core/names.h). */
#define SRV_WORDS(texts)                                                                           \
    {                                                                                              \
        sizeof texts / sizeof texts[0], texts                                                      \
    }

/** A row: the member of `struct_` with that name in JSON. */
#define SRV_NAMED(name_, struct_, member, ...)                                                     \
    {                                                                                              \
        .name = name_, .offset = offsetof(struct_, member), __VA_ARGS__                            \
    }

/** The row of a member that has the same name in JSON. */
#define SRV_MEMBER(struct_, member, ...) SRV_NAMED(#member, struct_, member, __VA_ARGS__)

/** The row of a char array. */
#define SRV_CHARS(struct_, member, ...)                                                            \
    SRV_MEMBER(struct_, member, .type = SRV_TEXT, .size = sizeof((struct_ *)NULL)->member,         \
               __VA_ARGS__)

/** The last row. */
#define SRV_END                                                                                    \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* --- what follows the rows -------------------------------------------------------------------- */

/**
 * Returns the least and the greatest number of the row, or of its value in `unit`: the limits of
 * the row, or else of its unit. A row that allows 0 allows it even if the least number is larger.
 */
srv_limits srv_field_limits(const srv_field *field, servet_unit unit);

/** The most items of a list. */
int srv_items_max(const srv_field *field);

/** Returns true if the row holds whole numbers alone: integers and numbers of bytes. */
bool srv_is_whole(const srv_field *field);

/** True if the row holds a list of structs. */
static inline bool srv_has_structs(const srv_field *field)
{
    return field->type == SRV_MAYBE || field->type == SRV_LIST || field->type == SRV_FACTS;
}

/** Bytes of a member, other than an SRV_ARRAY, in its struct. */
size_t srv_member_size(const srv_field *field);

/** Returns true if null, or absence of the member, means "not measured". */
bool srv_nullable(srv_type type);

/**
 * Fills the zeroed struct `item` from `json`. Errors: where->code, SERVET_EMEMORY; srv_shape_free()
 * then frees the filled members.
 */
int srv_decode(const srv_shape *shape, const json_t *json, void *item, srv_json_path *where);

/** The struct as a JSON object, members in table order; NULL without memory. The caller owns it. */
json_t *srv_encode(const srv_shape *shape, const void *item);

/** Checks a struct by its rows and hooks. Errors: where->code. */
int srv_check(const srv_shape *shape, const void *item, srv_json_path *where);

/** Frees the memory that the struct owns, not the struct. */
void srv_shape_free(const srv_shape *shape, void *item);

/** The items of a list or of an SRV_ARRAY. */
typedef struct srv_member_items {
    srv_field row; /**< of an item: a text, a value, a struct, or srv_field.item; its `size` is the
                        size of an item */
    char *first;
    int count;
} srv_member_items;

/** The items of the member at `at`, in its struct, which is a list or an SRV_ARRAY. */
srv_member_items srv_items_of(const srv_field *field, const void *at);

/** Returns the int that counts the items of the SRV_ARRAY at `at`, in its struct. */
int *srv_array_count(const srv_field *field, const void *at);

/** Adds a zeroed item and returns it; NULL without memory. The list counts the item; its spans
 * stay. */
void *srv_list_add(srv_list *list, size_t size);

#endif
