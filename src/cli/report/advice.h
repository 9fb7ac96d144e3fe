/* SPDX-License-Identifier: BSD-3-Clause */
/** Writes the advice of servet/advice.h as sentences. */
#ifndef SRV_CLI_REPORT_ADVICE_H
#define SRV_CLI_REPORT_ADVICE_H

#include "cli/report/document.h"
#include "servet/advice.h"

/** Room for an advice or its reason as a sentence. */
enum { REPORT_SENTENCE_MAX = SERVET_ADVICE_TEXT_MAX + SERVET_TEXT_MAX };

/** Lists all advice for a core, or for the cores of a class, in `*advice`, which the caller frees,
 * and its number in `*count`. Errors: as servet_advise(). */
int report_advice_list(const servet_profile *profile, const servet_at *at, servet_advice_for whom,
                       servet_advice **advice, int *count);

/** Writes "Pad data ... to 64 B.", or "Perhaps pad data ... to 64 B." if the advice is not trusted.
 */
void report_advice_sentence(const servet_advice *advice, char sentence[REPORT_SENTENCE_MAX]);

/** The reason, with a capital letter and a full stop. */
void report_advice_reason(const servet_advice *advice, char sentence[REPORT_SENTENCE_MAX]);

/** Adds all advice for the cores of a node, a sentence each; nothing if there is none. */
void report_advice(document *to, const servet_profile *profile, const servet_at *at);

#endif
