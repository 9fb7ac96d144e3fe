/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/report.h"

#include <stdio.h>
#include <stdlib.h>

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

/* Without noise there is nothing to wait for: the doubts have other reasons. */
static void print_doubts(const servet_fitness *fitness, const char *doubtful)
{
    const char *noise = fitness->noise;
    printf("not fit for use: %s%s%s%s; %s\n", doubtful, *doubtful ? " not trusted" : "",
           *doubtful && *noise ? ", " : "", noise,
           *noise ? "measure again when the node is idle" : "see servet show");
}

bool cli_report_fitness(const servet_profile *profile, const servet_at *at)
{
    servet_fitness fitness;
    if (servet_profile_fitness(profile, at, &fitness) != SERVET_OK)
        return false;
    char *doubtful = cli_report_doubtful(profile, at);
    if (fitness.fit)
        puts("fit for use");
    else
        print_doubts(&fitness, doubtful ? doubtful : "some facts");
    free(doubtful);
    return fitness.fit;
}
