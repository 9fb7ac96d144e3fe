/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *cli_report_doubtful(const servet_profile *profile, const servet_at *at)
{
    int code = SERVET_ERANGE;
    char *text = NULL;
    for (size_t size = SERVET_TEXT_MAX; code == SERVET_ERANGE; size *= 2) {
        free(text);
        text = malloc(size);
        code = text ? servet_profile_doubtful(profile, at, text, size) : SERVET_EMEMORY;
    }
    if (code == SERVET_OK)
        return text;
    free(text);
    return NULL;
}

char *cli_report_fitness(const servet_profile *profile, const servet_at *at, bool *fit)
{
    servet_fitness fitness;
    *fit = false;
    if (servet_profile_fitness(profile, at, &fitness) != SERVET_OK)
        return NULL;
    *fit = fitness.fit;
    if (fitness.fit)
        return strdup("fit for use");
    char *doubtful = cli_report_doubtful(profile, at);
    const char *facts = doubtful ? doubtful : "some facts", *noise = fitness.noise;
    size_t size = strlen(facts) + strlen(noise) + 128;
    char *text = malloc(size);
    /* Advises to wait only if there was noise: otherwise the doubts have other reasons. */
    if (text)
        snprintf(text, size, "not fit for use: %s%s%s%s; %s", facts, *facts ? " not trusted" : "",
                 *facts && *noise ? ", " : "", noise,
                 *noise ? "measure again when the node is idle" : "see servet show");
    free(doubtful);
    return text;
}

void cli_print_fitness(const servet_profile *profile, const servet_at *at)
{
    bool fit;
    char *text = cli_report_fitness(profile, at, &fit);
    if (text)
        puts(text);
    free(text);
}
