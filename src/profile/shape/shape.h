/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The description of all contents of a profile. A new fact is a field in types.h and a row in a
 * table of this folder. Reading, writing, checking, freeing, the keys of servet_profile_get(),
 * comparing, the JSON schema and the page of keys follow the rows (core/json/shape.h). Members that
 * were added after the first version of the format may be null.
 */
#ifndef SRV_PROFILE_SHAPE_SHAPE_H
#define SRV_PROFILE_SHAPE_SHAPE_H

#include "core/json/shape.h"
#include "profile/types.h"

extern const srv_words srv_cache_kind_words, srv_verdict_words;

extern const srv_shape srv_value_shape, srv_profile_shape, srv_run_shape, srv_class_shape,
    srv_kind_shape, srv_bimodal_shape, srv_doubt_shape, srv_comm_shape;

/** The parts of a value that may follow its key; the last three may follow the key of any fact. */
#define SRV_ASPECT_LIST(X)                                                                         \
    X(SRV_ASPECT_LOW, "low")                                                                       \
    X(SRV_ASPECT_HIGH, "high")                                                                     \
    X(SRV_ASPECT_SAMPLES, "samples")                                                               \
    X(SRV_ASPECT_METHOD, "method")                                                                 \
    X(SRV_ASPECT_MODES, "modes")                                                                   \
    X(SRV_ASPECT_TRUSTED, "trusted")                                                               \
    X(SRV_ASPECT_CONFIDENCE, "confidence")                                                         \
    X(SRV_ASPECT_REASON, "reason")

#define SRV_ASPECT_ENUM_(name, text) name,
typedef enum srv_aspect {
    SRV_ASPECT_ESTIMATE,
    SRV_ASPECT_LIST(SRV_ASPECT_ENUM_) SRV_ASPECT_COUNT
} srv_aspect;
#undef SRV_ASPECT_ENUM_

/** Returns the value that the struct with the member has under another key; NULL: it has none. */
typedef const void *srv_key_pick(const void *item);

/** Answers that are computed for each query, in profile/keys/derived.c. */
typedef enum srv_derivation {
    SRV_NOT_DERIVED,
    SRV_DERIVE_TIME,
    SRV_DERIVE_SLOWDOWN,
    SRV_DERIVE_AGGREGATION,
    SRV_DERIVE_DISTANCE_RATIO,
    SRV_DERIVE_ACCESS_RATIO,
    SRV_DERIVE_LARGEST_DISTANCE,
    SRV_DERIVE_MOST_PROCESSES,
    SRV_DERIVE_VECTOR_SPEED,
    SRV_DERIVE_INTEGER_SPEED,
    SRV_DERIVE_MEMORY_SPEED,
    SRV_DERIVATION_COUNT
} srv_derivation;

/** A key of a value that is not a member; one of the columns below the label is filled. Answers
 * computed from facts with keys are SRV_NOTE, because those facts are compared. A curve is an
 * exception: its points differ from run to run, so that the answers at these points are compared.
 */
typedef struct srv_derived {
    const char *name; /**< name beside the member, '#' is a number; the last row has NULL */
    srv_label label;
    const char *detail; /**< an addition to its summary; or NULL */
    servet_unit unit;   /**< for computed answers: the unit of the key */
    srv_aspect aspect;  /**< the part of the member */
    srv_key_pick *pick;
    srv_derivation derivation;
} srv_derived;

/** Limit of the cores of a node: twice the limit of Linux. */
enum { SRV_NODE_CORES_MAX = 16384 };

/** Limit of the items of a list that queries search from its beginning: four times the most of any
 * measurement. */
enum { SRV_ITEMS_MAX = 1024 };

/** Members of a list of srv_bimodal. */
#define SRV_MODES_DETAIL                                                                           \
    "facts that alternated between two values, by their keys; null or empty if there are none"

/** Members of a list of srv_doubt. */
#define SRV_DOUBTS_DETAIL                                                                          \
    "facts that were measured under noise, by their members; null or empty if there are none"

/** The row of a value, and the row of a list of values; labels follow. */
#define SRV_NAMED_VALUE(name_, struct_, member, unit_, range_, ...)                                \
    SRV_NAMED(name_, struct_, member, .type = SRV_VALUE, .unit = unit_, .range = range_,           \
              .shape = &srv_value_shape, __VA_ARGS__)
#define SRV_NAMED_VALUES(name_, struct_, member, unit_, range_, ...)                               \
    SRV_NAMED(name_, struct_, member, .type = SRV_VALUES, .unit = unit_, .range = range_,          \
              .is_brief = true, .shape = &srv_value_shape, __VA_ARGS__)

/** The rows of a value and of bandwidths that have their member's name. */
#define SRV_MEMBER_VALUE(struct_, member, unit_, range_, ...)                                      \
    SRV_NAMED_VALUE(#member, struct_, member, unit_, range_, __VA_ARGS__)
#define SRV_MEMBER_RATE(struct_, member, ...)                                                      \
    SRV_MEMBER_VALUE(struct_, member, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE, __VA_ARGS__)
#define SRV_NAMED_RATES(name_, struct_, member, ...)                                               \
    SRV_NAMED_VALUES(name_, struct_, member, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE,        \
                     __VA_ARGS__)

/** The row of a time that files and keys have in ns, or in us; its name ends with the unit. */
#define SRV_MEMBER_NS(struct_, member, ...)                                                        \
    SRV_NAMED_VALUE(#member "_ns", struct_, member, SRV_UNIT_NANOSECOND, SRV_NOT_NEGATIVE,         \
                    __VA_ARGS__)
#define SRV_MEMBER_US(struct_, member, range_, ...)                                                \
    SRV_NAMED_VALUE(#member "_us", struct_, member, SRV_UNIT_MICROSECOND, range_, __VA_ARGS__)

/** The row of a size in whole bytes. */
#define SRV_MEMBER_SIZE(struct_, member, ...)                                                      \
    SRV_MEMBER(struct_, member, .type = SRV_NUMBER, .range = SRV_POSITIVE,                         \
               .unit = SERVET_UNIT_BYTE, __VA_ARGS__)

/** The row of a member with the name `verdict`, and the row of a member with the name `confidence`.
 */
#define SRV_NAMED_VERDICT(name_, struct_, summary_)                                                \
    SRV_NAMED(name_, struct_, verdict, .type = SRV_WORD, .words = &srv_verdict_words,              \
              .label = {summary_, SRV_NOTE})
#define SRV_MEMBER_VERDICT(struct_, summary_) SRV_NAMED_VERDICT("verdict", struct_, summary_)
#define SRV_MEMBER_CONFIDENCE(struct_, summary_)                                                   \
    SRV_MEMBER(struct_, confidence, .type = SRV_NUMBER, .range = SRV_SHARE,                        \
               .label = {summary_, SRV_NOTE})

/** Columns of a public struct with a member `trusted`, which is the whole stored struct, or its
 * first part. */
#define SRV_WHOLE(struct_) .size = sizeof(struct_), .trusted = offsetof(struct_, trusted)
#define SRV_PART(struct_)  .part = sizeof(struct_), .trusted = offsetof(struct_, trusted)

/** The row of a list of structs that may be null, and of a struct that may. */
#define SRV_NAMED_FACTS(name_, struct_, member, shape_, ...)                                       \
    SRV_NAMED(name_, struct_, member, .type = SRV_FACTS, .shape = shape_, .max = SRV_ITEMS_MAX,    \
              __VA_ARGS__)
#define SRV_MEMBER_FACTS(struct_, member, shape_, ...)                                             \
    SRV_NAMED_FACTS(#member, struct_, member, shape_, __VA_ARGS__)

/**
 * Compares two measurements of a degradation by their number of nodes, then by the bytes of their
 * messages. Returns > 0 if `a` has more, 0 if they are equal.
 */
int srv_degradation_order(const srv_degradation *a, const srv_degradation *b);

#endif
