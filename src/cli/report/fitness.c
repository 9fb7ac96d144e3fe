/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/report.h"

#include <stdio.h>

/* Without noise there is nothing to wait for: the doubts have other reasons. */
static void print_doubts(const servet_fitness *fitness)
{
    const char *doubtful = fitness->doubtful, *noise = fitness->noise;
    printf("not fit for use: %s%s%s%s; %s\n", doubtful, *doubtful ? " not trusted" : "",
           *doubtful && *noise ? ", " : "", noise,
           *noise ? "measure again when the node is idle" : "see servet show");
}

bool cli_report_fitness(const servet_profile *profile, const servet_at *at)
{
    servet_fitness fitness;
    if (servet_profile_fitness(profile, at, &fitness) != SERVET_OK)
        return false;
    if (fitness.fit)
        puts("fit for use");
    else
        print_doubts(&fitness);
    return fitness.fit;
}
