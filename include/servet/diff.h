/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Comparison of two profiles: of one machine at two times, or of two machines that should be alike.
 *
 * It compares every fact of the machine that has a key (servet_profile_get()), but not how a
 * profile was measured (run.*, host names, verdicts, confidences, ranges of the measurement). Node
 * classes and core types are matched by name; if each profile has a single one, these match under
 * any name. Groups are matched by their cores, nodes of a job by their numbers. If a list is longer
 * in one profile, the items that both have are compared; the number of items is another fact.
 *
 * Two values are the same if their 95 % intervals overlap, or if the gap between them is at most
 * the tolerance, which is a share of the larger value. The difference of sets of cores is a share,
 * too: the number of pairs of cores that are in one set in only one profile, divided by the number
 * of pairs that are in one set in at least one profile.
 */
#ifndef SERVET_DIFF_H
#define SERVET_DIFF_H

#include "servet/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Quantities: name, and the default tolerance beyond the intervals, chosen by the differences
 * between runs on one machine (share/doc/dev/decisions.md).
 */
#define SERVET_QUANTITY_LIST(X)                                                                    \
    X(SERVET_QUANTITY_SIZE, "size", 0.05)      /* bytes */                                         \
    X(SERVET_QUANTITY_LATENCY, "latency", 0.1) /* times of loads, lines, messages */               \
    X(SERVET_QUANTITY_BANDWIDTH, "bandwidth", 0.1)                                                 \
    X(SERVET_QUANTITY_RATIO, "ratio", 0.1)    /* of times or bandwidths */                         \
    X(SERVET_QUANTITY_ENOUGH, "enough", 0.34) /* cores or loads that saturate something */         \
    X(SERVET_QUANTITY_GROUPS, "groups", 0)    /* sets of cores */                                  \
    X(SERVET_QUANTITY_NUMBER, "number", 0)    /* how many there are */                             \
    X(SERVET_QUANTITY_WORD, "word", 0)        /* texts: the same or not */

#define SERVET_DIFF_ENUM_(name, ...) name,
typedef enum servet_quantity {
    SERVET_QUANTITY_LIST(SERVET_DIFF_ENUM_) SERVET_QUANTITY_COUNT
} servet_quantity;

/** The quantity's name ("latency"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_quantity_name(servet_quantity quantity);

/** The default tolerance of the quantity, a share (0.1); NaN for an invalid number. */
SERVET_API double servet_quantity_tolerance(servet_quantity quantity);

/** Result of comparing a fact. Only the last three are differences. */
#define SERVET_COMPARISON_LIST(X)                                                                  \
    X(SERVET_COMPARISON_SAME, "same")                                                              \
    X(SERVET_COMPARISON_DOUBTFUL, "doubtful") /* it differs, but a value is not trusted */         \
    X(SERVET_COMPARISON_CHANGED, "changed")                                                        \
    X(SERVET_COMPARISON_GONE, "gone") /* only the first profile has it */                          \
    X(SERVET_COMPARISON_NEW, "new")   /* only the second one has it */

typedef enum servet_comparison {
    SERVET_COMPARISON_LIST(SERVET_DIFF_ENUM_) SERVET_COMPARISON_COUNT
} servet_comparison;
#undef SERVET_DIFF_ENUM_

/** The comparison's name ("changed"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_comparison_name(servet_comparison comparison);

/** A fact of two profiles. All texts belong to the servet_diff. */
typedef struct servet_diff_fact {
    /**
     * the fact's node class, by its name in the first profile that has it; NULL: a fact of the
     * whole profile
     */
    const char *node_class;
    const char *kind; /**< the fact's core type; NULL: a fact of the whole class */
    const char *host; /**< for class.name: the node whose class is compared; otherwise NULL */
    const char *key;  /**< "caches.2.bytes"; class.name or kind.name for a class or core type
                           that only one profile has */
    servet_quantity quantity;
    servet_comparison comparison;
    /** values as servet_profile_get() prints them; NULL: not measured */
    const char *first, *second;
    bool first_trusted, second_trusted;
    double change; /**< (second - first) / first; for sets of cores, the share that differs; NaN for
                        words, and if a value is missing or 0 */
} servet_diff_fact;

/** The result of a comparison. It does not change, and does not refer to the profiles. */
typedef struct servet_diff servet_diff;

/**
 * Compares two profiles, in `*diff`; the caller destroys it. `tolerance` has a share for each of
 * the first `count` quantities (SERVET_QUANTITY_COUNT: for all). The other quantities have the
 * default tolerance; if `tolerance` is NULL, all have it. Errors: SERVET_EARGUMENT (a tolerance
 * that is negative or NaN, or more tolerances than quantities), SERVET_EMEMORY.
 */
SERVET_API int servet_diff_create(servet_diff **diff, const servet_profile *first,
                                  const servet_profile *second, const double tolerance[], int count,
                                  servet_error *error);

/** Frees the result and everything that its functions returned. NULL is allowed. */
SERVET_API void servet_diff_destroy(servet_diff *diff);

/** Number of facts that at least one profile has, including those that are the same. */
SERVET_API int servet_diff_count(const servet_diff *diff);

/** Number of facts with this result of the comparison. */
SERVET_API int servet_diff_count_of(const servet_diff *diff, servet_comparison comparison);

/** Fact `index` (from 0) in `*fact`: facts of the whole profile first, then by class. Errors:
 *  SERVET_ERANGE. */
SERVET_API int servet_diff_get(const servet_diff *diff, int index, servet_diff_fact *fact);

#ifdef __cplusplus
}
#endif
#endif
