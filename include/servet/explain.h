/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Why a measurement says what it says: what was seen, what was weighed, and which rule decided.
 *
 * A list of findings is filled by servet_measure() and servet_explain_replay() (servet/measure.h)
 * in the order of the decisions: benchmark by benchmark, kind of cores by kind, level by level.
 */
#ifndef SERVET_EXPLAIN_H
#define SERVET_EXPLAIN_H

#include <stddef.h>
#include "servet/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a finding is about, its name. share/doc/detection.md describes each decision. */
#define SERVET_TOPIC_LIST(X)                                                                       \
    X(SERVET_TOPIC_STRIDES, "strides") /* the first cache, by lines that share a set */            \
    X(SERVET_TOPIC_PAGES, "pages")     /* the next ones, by pages that evict each other */         \
    X(SERVET_TOPIC_CURVE, "curve")     /* all levels, by the latency curves */                     \
    X(SERVET_TOPIC_JOIN, "join")       /* which cache by conflict is which level of the curve */   \
    X(SERVET_TOPIC_SHARING, "sharing") /* who shares a level */                                    \
    X(SERVET_TOPIC_LINE, "line")       /* the line of a level, and the coherence block */

/** What became of it, its name. */
#define SERVET_OUTCOME_LIST(X)                                                                     \
    X(SERVET_OUTCOME_SEEN, "seen")         /* an observation, that nothing rejects */              \
    X(SERVET_OUTCOME_ACCEPTED, "accepted") /* it is so, or the rule is kept */                     \
    X(SERVET_OUTCOME_REJECTED, "rejected") /* it is not so, or the rule is broken */

#define SERVET_EXPLAIN_ENUM_(name, text) name,
typedef enum servet_topic {
    SERVET_TOPIC_LIST(SERVET_EXPLAIN_ENUM_) SERVET_TOPIC_COUNT
} servet_topic;
typedef enum servet_outcome {
    SERVET_OUTCOME_LIST(SERVET_EXPLAIN_ENUM_) SERVET_OUTCOME_COUNT
} servet_outcome;
#undef SERVET_EXPLAIN_ENUM_

/** The topic's name ("pages"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_topic_name(servet_topic topic);

/** The outcome's name ("rejected"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_outcome_name(servet_outcome outcome);

enum { SERVET_FINDING_CORES_MAX = 64, SERVET_FINDING_TEXT_MAX = 256 };

/** One thing that was seen or weighed. */
typedef struct servet_finding {
    servet_topic topic;
    char cores[SERVET_FINDING_CORES_MAX]; /**< the kind of cores: its name ("all" where there is but
                                               one), or its ranges ("0-7") */
    /** Counted from 1; 0: of no level. Of strides, pages and curve as each of them counts; a
     *  finding about SERVET_TOPIC_JOIN says which of these is which level of the profile. */
    int level;
    char text[SERVET_FINDING_TEXT_MAX]; /**< a clause in English, without a full stop */
    double value, limit; /**< what was compared, in that order; NAN where nothing was */
    const char *rule;    /**< the constant that decided, as share/doc/detection.md names it; NULL:
                              none did. Static storage */
    servet_outcome outcome;
} servet_finding;

/** Findings, in the order of the decisions. */
typedef struct servet_findings {
    size_t n, room;
    servet_finding *finding;
    int code; /**< SERVET_EMEMORY: the list is not whole */
} servet_findings;

#define SERVET_FINDINGS_INIT                                                                       \
    {                                                                                              \
        0, 0, NULL, SERVET_OK                                                                      \
    }

/** Frees the findings and leaves SERVET_FINDINGS_INIT behind. NULL and an initial list are fine. */
SERVET_API void servet_findings_free(servet_findings *findings);

#ifdef __cplusplus
}
#endif
#endif
