/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What changed between two profiles: of one machine at two times, or of two machines that should be
 * alike.
 *
 * Compared is every fact of the machine that has a key (servet_profile_get()); what says how a
 * profile was measured (run.*, host names, verdicts, confidences, how much was asked) is not. Node
 * classes and core kinds are matched by name or, where both profiles have a single one, whatever
 * its name; groups of cores by the cores, nodes of a job by their numbers in it. Of lists that are
 * longer in one profile, what both have is compared; how many there are is a fact of its own.
 *
 * Two values are the same where their 95 % intervals touch, or come as near to each other as the
 * tolerance says, which is a share of the larger value. Sets of cores differ by a share, too: of all
 * pairs of cores that are in one set, in either profile, those that are so in one profile only.
 */
#ifndef SERVET_DIFF_H
#define SERVET_DIFF_H

#include "servet/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What facts are quantities of: name, and the tolerance beyond their intervals that is usual, chosen
 * by what runs on one machine differ by (share/doc/decisions.md).
 */
#define SERVET_QUANTITY_LIST(X)                                                                    \
    X(SERVET_QUANTITY_SIZE, "size", 0.05)      /* bytes */                                         \
    X(SERVET_QUANTITY_LATENCY, "latency", 0.1) /* times of loads, lines, messages */               \
    X(SERVET_QUANTITY_BANDWIDTH, "bandwidth", 0.1)                                                 \
    X(SERVET_QUANTITY_RATIO, "ratio", 0.1)     /* of times or bandwidths */                        \
    X(SERVET_QUANTITY_ENOUGH, "enough", 0.34)  /* cores or loads that saturate something */        \
    X(SERVET_QUANTITY_GROUPS, "groups", 0)     /* sets of cores */                                 \
    X(SERVET_QUANTITY_NUMBER, "number", 0)     /* how many there are */                            \
    X(SERVET_QUANTITY_WORD, "word", 0)         /* texts: the same or not */

#define SERVET_DIFF_ENUM_(name, ...) name,
typedef enum servet_quantity {
    SERVET_QUANTITY_LIST(SERVET_DIFF_ENUM_) SERVET_QUANTITY_COUNT
} servet_quantity;

/** The quantity's name ("latency"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_quantity_name(servet_quantity quantity);

/** The tolerance of the quantity that is usual, a share (0.1); NaN for a number that is none. */
SERVET_API double servet_quantity_tolerance(servet_quantity quantity);

/** What became of a fact. Only the last three are differences. */
#define SERVET_COMPARISON_LIST(X)                                                                  \
    X(SERVET_COMPARISON_SAME, "same")                                                              \
    X(SERVET_COMPARISON_DOUBTFUL, "doubtful")  /* it differs, but a value is not trusted */        \
    X(SERVET_COMPARISON_CHANGED, "changed")                                                        \
    X(SERVET_COMPARISON_GONE, "gone")          /* only the first profile has it */                 \
    X(SERVET_COMPARISON_NEW, "new")            /* only the second one has it */

typedef enum servet_comparison {
    SERVET_COMPARISON_LIST(SERVET_DIFF_ENUM_) SERVET_COMPARISON_COUNT
} servet_comparison;
#undef SERVET_DIFF_ENUM_

/** The comparison's name ("changed"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_comparison_name(servet_comparison comparison);

/** A fact of two profiles. All texts belong to the difference. */
typedef struct servet_diff_fact {
    const char *node_class; /**< whose fact it is, by its name in the first profile that has it;
                                 NULL: of the profile */
    const char *kind;       /**< of which core kind of the class; NULL: of all of it */
    const char *host;       /**< the node whose class.name is compared; NULL: no node's */
    const char *key;        /**< "caches.2.bytes"; class.name or kind.name for a class or kind that
                                 only one profile has */
    servet_quantity quantity;
    servet_comparison comparison;
    const char *first, *second; /**< as servet_profile_get() prints them; NULL: not measured */
    bool first_trusted, second_trusted;
    double change; /**< by what share of the first one the second one is more, of sets of cores the
                        share that differs; NaN for words, and where one is missing or 0 */
} servet_diff_fact;

/** What was compared. It depends on no profile any more, and does not change. */
typedef struct servet_diff servet_diff;

/**
 * Compares two profiles, in `*diff`; the caller destroys it. `tolerance` holds a share for each
 * quantity; NULL: the usual ones. Errors: SERVET_EARGUMENT (a tolerance that is negative or NaN),
 * SERVET_EMEMORY.
 */
SERVET_API int servet_diff_create(servet_diff **diff, const servet_profile *first,
                                  const servet_profile *second,
                                  const double tolerance[SERVET_QUANTITY_COUNT],
                                  servet_error *error);

/** Frees the difference and all it lent out. NULL is fine. */
SERVET_API void servet_diff_destroy(servet_diff *diff);

/** Number of facts that at least one profile has, those that are the same included. */
SERVET_API int servet_diff_count(const servet_diff *diff);

/** How many of them compare so. */
SERVET_API int servet_diff_count_of(const servet_diff *diff, servet_comparison comparison);

/** Fact `index` (from 0), those of the profile first, then by class. Errors: SERVET_ERANGE. */
SERVET_API int servet_diff_get(const servet_diff *diff, int index, servet_diff_fact *fact);

#ifdef __cplusplus
}
#endif
#endif
