/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/report.h"

#include <stdio.h>

#include "cli/report/advice.h"
#include "cli/report/parts.h"
#include "cli/report/text.h"

/* " of efficiency" where there are several kinds, else nothing. */
static void tell_apart(const servet_profile *profile, const servet_at *at, int index, char *of,
                       size_t size)
{
    servet_kind kind;
    *of = '\0';
    if (at->core == SERVET_ANY_CORE && servet_kind_get(profile, at, 1, &kind) == SERVET_OK &&
        servet_kind_get(profile, at, index, &kind) == SERVET_OK)
        snprintf(of, size, " of %s", kind.name);
}

/* Before all tables, for there they would be overlooked. */
void cli_report_warnings(FILE *to, const servet_profile *profile, const servet_at *at)
{
    char of[SERVET_NAME_MAX + 8];
    servet_at of_kind;
    report_warn_run(to, profile);
    for (int i = 0; report_kind(profile, at, i, &of_kind); i++) {
        tell_apart(profile, at, i, of, sizeof of);
        report_warn_caches(to, profile, &of_kind, of);
    }
    report_warn_node(to, profile, at);
}

/* Why something is missing, where no other line tells; NULL: it is not known. */
static const char *recorded_reason(const servet_profile *profile)
{
    servet_run run;
    bool cut = servet_profile_run(profile, &run) == SERVET_OK && *run.cut;
    return cut ? "the time limit was used up" : NULL;
}

void cli_report(const servet_profile *profile, const servet_at *at, const char *reason)
{
    reason = reason ? reason : recorded_reason(profile);
    servet_at all = at ? *at : (servet_at){.node_class = NULL, .core = SERVET_ANY_CORE}, of_kind;
    report_head(profile, &all);
    cli_report_warnings(stdout, profile, &all);
    report_advice_print(profile, &all);
    for (int i = 0; report_kind(profile, &all, i, &of_kind); i++)
        report_caches(profile, &of_kind, reason);
    for (int i = 0; report_kind(profile, &all, i, &of_kind); i++)
        report_translation(profile, &of_kind);
    report_distances(profile, &all);
    report_memory(profile, &all);
    report_missing(profile, &all, reason);
}
