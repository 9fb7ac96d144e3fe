/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Compares the profile of a generated machine with the machine: each fact is right, marked (not
 * trusted, right or not), wrong without a mark, or not given.
 */
#ifndef SRV_TESTS_COMPARE_H
#define SRV_TESTS_COMPARE_H

#include "servet/profile.h"

typedef enum outcome { FACT_RIGHT, FACT_MARKED, FACT_WRONG, FACT_ABSENT, OUTCOME_COUNT } outcome;

enum { TRUTH_KEY_MAX = 48, TRUTH_TEXT_MAX = 4096, TRUTHS_MAX = 256, FACT_NAME_MAX = 32 };

/** One fact that is known. */
typedef struct truth {
    char fact[FACT_NAME_MAX];  /**< row of the table: "L3 sharing" */
    char key[TRUTH_KEY_MAX];   /**< of `servet get` */
    char text[TRUTH_TEXT_MAX]; /**< the answer; "": `value` is */
    double value;
    double tolerance; /**< relative; 0: exact */
} truth;

typedef struct truths {
    int count;
    truth list[TRUTHS_MAX];
} truths;

/** Adds a number, that there is none, or a text. The key is a format. */
truth *truth_number(truths *all, const char *fact, double value, double tolerance, const char *key,
                    ...) __attribute__((format(printf, 5, 6)));
truth *truth_none(truths *all, const char *fact, const char *key, ...)
    __attribute__((format(printf, 3, 4)));
truth *truth_text(truths *all, const char *fact, const char *text, const char *key, ...)
    __attribute__((format(printf, 4, 5)));

/** Compares one fact; a number is right within the tolerance, or if its interval holds the truth;
 * `said` (TRUTH_TEXT_MAX) receives the answer, "-" without one. */
outcome compare_fact(const servet_profile *profile, const truth *fact, char *said);

#endif
