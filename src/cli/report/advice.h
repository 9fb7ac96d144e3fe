/* SPDX-License-Identifier: BSD-3-Clause */
/** Prints what servet/advice.h says. */
#ifndef SRV_CLI_REPORT_ADVICE_H
#define SRV_CLI_REPORT_ADVICE_H

#include "servet/advice.h"

/** Room for an advice or its reason as a sentence. */
enum { REPORT_SENTENCE_MAX = SERVET_ADVICE_TEXT_MAX + SERVET_TEXT_MAX };

/** All advice for a core, or the cores of a class, in `*advice`, which the caller frees; how many
 * there are in `*count`. Errors: as servet_advise(). */
int report_advice_list(const servet_profile *profile, const servet_at *at, servet_advice_for whom,
                       servet_advice **advice, int *count);

/** "Pad data ... to 64 B.", or "Perhaps pad data ... to 64 B." where that is not trusted. */
void report_advice_sentence(const servet_advice *advice, char sentence[REPORT_SENTENCE_MAX]);

/** The reason, with a capital letter and a full stop. */
void report_advice_reason(const servet_advice *advice, char sentence[REPORT_SENTENCE_MAX]);

/** Prints the report's part on stdout, a sentence each; nothing if there is no advice. */
void report_advice_print(const servet_profile *profile, const servet_at *at);

#endif
