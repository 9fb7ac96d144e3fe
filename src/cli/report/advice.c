/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/advice.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

int report_advice_list(const servet_profile *profile, const servet_at *at, servet_advice_for whom,
                       servet_advice **advice, int *count)
{
    int size = 0;
    *advice = NULL;
    int code = servet_advise(profile, at, whom, NULL, 0, &size);
    *count = size;
    if (code != SERVET_OK || size == 0)
        return code;
    *advice = calloc((size_t)size, sizeof **advice);
    if (!*advice)
        return SERVET_EMEMORY;
    /* Another process may have changed the quota meanwhile: `count` may be larger than before. */
    code = servet_advise(profile, at, whom, *advice, size, count);
    *count = *count < size ? *count : size;
    return code;
}

static void write_sentence(const char *text, char sentence[REPORT_SENTENCE_MAX])
{
    snprintf(sentence, REPORT_SENTENCE_MAX, "%.*s.", REPORT_SENTENCE_MAX - 2, text);
    *sentence = (char)toupper((unsigned char)*sentence);
}

void report_advice_sentence(const servet_advice *advice, char sentence[REPORT_SENTENCE_MAX])
{
    char text[REPORT_SENTENCE_MAX];
    snprintf(text, sizeof text, "%s%s", advice->trusted ? "" : "perhaps ", advice->text);
    write_sentence(text, sentence);
}

void report_advice_reason(const servet_advice *advice, char sentence[REPORT_SENTENCE_MAX])
{
    write_sentence(advice->why, sentence);
}

void report_advice(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_advice *advice;
    int count, code = report_advice_list(profile, at, SERVET_ADVICE_FOR_NODE, &advice, &count);
    to->failed = to->failed || code == SERVET_EMEMORY;
    for (int i = 0; code == SERVET_OK && i < count; i++) {
        char sentence[REPORT_SENTENCE_MAX], reason[REPORT_SENTENCE_MAX];
        if (i == 0)
            document_heading(to, "For programs");
        report_advice_sentence(&advice[i], sentence);
        report_advice_reason(&advice[i], reason);
        document_advice(to, sentence, reason, advice[i].trusted ? "" : advice[i].doubt);
    }
    free(advice);
}
