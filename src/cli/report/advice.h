/* SPDX-License-Identifier: BSD-3-Clause */
/** What programs should do by the results of a profile: sentences, the reason for each, and whether
 *  the results behind it are trusted. */
#ifndef SRV_CLI_REPORT_ADVICE_H
#define SRV_CLI_REPORT_ADVICE_H

#include "servet/profile.h"

enum { REPORT_ADVICE_MAX = 320 };

typedef struct report_advice {
    char text[REPORT_ADVICE_MAX]; /**< a sentence without its full stop: "pad data ..." */
    char why[REPORT_ADVICE_MAX];  /**< what was measured, as a clause */
    char doubt[SERVET_TEXT_MAX];  /**< why it is not trusted; "" if it is */
} report_advice;

/** Gets each advice in turn. */
typedef void report_advised(void *context, const report_advice *advice);

/** All advice that the profile has results for: of each core type of the class that `at` names (or
 * of that of its core), of the node, and of communication. */
void report_advise(const servet_profile *profile, const servet_at *at, report_advised *take,
                   void *context);

/** The text with a capital letter and a full stop. */
void report_sentence(const char *text, char sentence[REPORT_ADVICE_MAX + 2]);

/** Prints them on stdout, a line each; nothing if there are none. What is not trusted is said to be
 * so. The reasons stand in the report's tables. */
void report_advice_print(const servet_profile *profile, const servet_at *at);

#endif
