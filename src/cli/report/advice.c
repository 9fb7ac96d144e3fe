/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/advice.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/report/wrap.h"

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
    /* Another process may have changed the quota in between: never more than there is room for. */
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

/* The reasons stand in the report's tables; those not to trust an advice do not. */
static void print(const servet_advice *advice)
{
    char sentence[REPORT_SENTENCE_MAX], text[2 * REPORT_SENTENCE_MAX];
    report_advice_sentence(advice, sentence);
    snprintf(text, sizeof text, "%s%s%s%s", sentence,
             advice->trusted ? "" : " Not trusted: ", advice->doubt, advice->trusted ? "" : ".");
    report_print_wrapped("  ", 4, text);
}

void report_advice_print(const servet_profile *profile, const servet_at *at)
{
    servet_advice *advice;
    int count;
    if (report_advice_list(profile, at, SERVET_ADVICE_FOR_NODE, &advice, &count) == SERVET_OK &&
        count > 0) {
        puts("\nFor programs");
        for (int i = 0; i < count; i++)
            print(&advice[i]);
    }
    free(advice);
}
