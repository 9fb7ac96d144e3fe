/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/advice.h"
#include "cli/report/parts.h"
#include "cli/report/text.h"
#include "cli/report/warnings.h"

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
    report_print_warnings(profile, &all);
    report_advice_print(profile, &all);
    for (int i = 0; report_kind(profile, &all, i, &of_kind); i++)
        report_caches(profile, &of_kind, reason);
    for (int i = 0; report_kind(profile, &all, i, &of_kind); i++)
        report_translation(profile, &of_kind);
    report_distances(profile, &all);
    report_memory(profile, &all);
    report_missing(profile, &all, reason);
}
