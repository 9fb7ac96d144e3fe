/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The reasons behind the results of a measurement: observations, alternatives, and the rules that
 * decided between them.
 *
 * servet_measure() and servet_explain_replay() (servet/measure.h) fill a list of findings in the
 * order of the decisions: by benchmark, by core type, by level.
 */
#ifndef SERVET_EXPLAIN_H
#define SERVET_EXPLAIN_H

#include <stddef.h>
#include "servet/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Topics of findings, with names. share/doc/detection.md describes each decision. */
#define SERVET_TOPIC_LIST(X)                                                                       \
    X(SERVET_TOPIC_STRIDES, "strides") /* the first cache, from lines that share a set */          \
    X(SERVET_TOPIC_PAGES, "pages")     /* the next ones, from pages that evict each other */       \
    X(SERVET_TOPIC_CURVE, "curve")     /* all levels, from the latency curves */                   \
    X(SERVET_TOPIC_JOIN, "join")       /* which cache by conflict is which level of the curve */   \
    X(SERVET_TOPIC_SHARING, "sharing") /* which cores share a level */                             \
    X(SERVET_TOPIC_LINE, "line")       /* the line of a level, and false-sharing granularity */

/** Outcomes of findings, with names. */
#define SERVET_OUTCOME_LIST(X)                                                                     \
    X(SERVET_OUTCOME_SEEN, "seen")         /* an observation; nothing was decided */               \
    X(SERVET_OUTCOME_ACCEPTED, "accepted") /* the alternative holds, or the rule is met */         \
    X(SERVET_OUTCOME_REJECTED, "rejected") /* it does not hold, or the rule is not met */

#define SERVET_EXPLAIN_ENUM_(name, text) name,
typedef enum servet_topic {
    SERVET_TOPIC_LIST(SERVET_EXPLAIN_ENUM_) SERVET_TOPIC_COUNT
} servet_topic;
typedef enum servet_outcome {
    SERVET_OUTCOME_LIST(SERVET_EXPLAIN_ENUM_) SERVET_OUTCOME_COUNT
} servet_outcome;
#undef SERVET_EXPLAIN_ENUM_

/** The topic's name ("pages"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_topic_name(servet_topic topic);

/** The outcome's name ("rejected"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_outcome_name(servet_outcome outcome);

enum { SERVET_FINDING_CORES_MAX = 64, SERVET_FINDING_TEXT_MAX = 256 };

/** One observation or decision. */
typedef struct servet_finding {
    servet_topic topic;
    char cores[SERVET_FINDING_CORES_MAX]; /**< the core type: its name ("all" if there is only one),
                                             or its ranges ("0-7") */
    /** Level, from 1; 0: no level. Strides, pages and curve count their levels independently of
     * each other; the findings about SERVET_TOPIC_JOIN say which level of the profile each of them
     * is. */
    int level;
    char text[SERVET_FINDING_TEXT_MAX]; /**< a clause in English, without a full stop */
    double value, limit; /**< the numbers compared, in that order; NAN if none were */
    const char *rule;    /**< the constant that decided, as share/doc/detection.md names it; NULL:
                              no constant decided. Static storage */
    servet_outcome outcome;
} servet_finding;

/** Findings, in the order of the decisions. */
typedef struct servet_findings {
    size_t n; /**< number of findings */
    servet_finding *finding;
    int code; /**< SERVET_OK, or SERVET_EMEMORY: the list is incomplete */
} servet_findings;

#define SERVET_FINDINGS_INIT                                                                       \
    {                                                                                              \
        0, NULL, SERVET_OK                                                                         \
    }

/** Frees the findings and resets the list to SERVET_FINDINGS_INIT. NULL and an empty list are
 * allowed. */
SERVET_API void servet_findings_free(servet_findings *findings);

#ifdef __cplusplus
}
#endif
#endif
